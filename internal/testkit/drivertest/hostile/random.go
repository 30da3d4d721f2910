package hostile

// random is splitmix64: the same numbers for a seed, wherever and with whichever
// release of Go it runs.
type random struct{ state uint64 }

func newRandom(seed uint64) *random { return &random{seed} }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// one reports true in one of n cases.
func (r *random) one(n int) bool { return r.below(n) == 0 }

// pick is one of the texts.
func (r *random) pick(texts ...string) string { return texts[r.below(len(texts))] }
