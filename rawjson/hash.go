package rawjson

// Hash is FNV-1a over eight bytes at a time, the last ones padded with their
// number. Every change of one byte changes it.
func Hash(text []byte) uint64 {
	sum := uint64(14695981039346656037)
	for ; len(text) >= 8; text = text[8:] {
		b := text[:8]
		sum = mix(sum, uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|
			uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)
	}
	last := uint64(len(text)) << 56
	for i, c := range text {
		last |= uint64(c) << (8 * i)
	}
	return mix(sum, last)
}

// mix is a bijection of sum for every word, and of word for every sum.
func mix(sum, word uint64) uint64 {
	sum = (sum ^ word) * 1099511628211
	return sum ^ sum>>29
}
