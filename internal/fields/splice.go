package fields

// splices are long texts that stand in what a [Snapshot] walk writes. They are
// not copied into it, since who compares need not write.
type splices struct {
	list []splice
	long int // bytes of them all
}

type splice struct {
	at   int // where in Dst it belongs
	text []byte
}

// shortSplice is the longest text that is rather copied, in bytes.
const shortSplice = 64

// Splice writes text as it is, which must not change before [Walk.Join].
func (w *Walk) Splice(text []byte) {
	if len(text) <= shortSplice {
		w.Dst = append(w.Dst, text...)
		return
	}
	w.splices.list = append(w.splices.list, splice{len(w.Dst), text})
	w.splices.long += len(text)
}

// Length is how long the text is that was written, with what is spliced in.
func (w *Walk) Length() int { return len(w.Dst) + w.splices.long }

// Join appends the text to dst.
func (w *Walk) Join(dst []byte) []byte {
	from := 0
	for _, s := range w.splices.list {
		dst = append(append(dst, w.Dst[from:s.at]...), s.text...)
		from = s.at
	}
	return append(dst, w.Dst[from:]...)
}

// Is reports whether text is what was written. like is a copy of text, of which
// only what is not spliced in may have changed: what is a part of it, at its
// place, is not looked at.
func (w *Walk) Is(text, like []byte) bool {
	if len(text) != w.Length() || len(like) != len(text) {
		return false
	}
	from, at := 0, 0
	for _, s := range w.splices.list {
		n := s.at - from
		if !same(w.Dst[from:s.at], text[at:at+n]) {
			return false
		}
		from, at = s.at, at+n
		n = len(s.text)
		if &s.text[0] != &like[at] && !same(s.text, text[at:at+n]) {
			return false
		}
		at += n
	}
	return same(w.Dst[from:], text[at:])
}

// same reports whether two texts are the same, eight bytes at a time: a TinyGo
// module would copy both to compare them as strings.
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		x, y := a[:8], b[:8]
		if (x[0]^y[0])|(x[1]^y[1])|(x[2]^y[2])|(x[3]^y[3])|(x[4]^y[4])|(x[5]^y[5])|(x[6]^y[6])|(x[7]^y[7]) != 0 {
			return false
		}
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
