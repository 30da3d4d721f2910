package rawjson

import "math/bits"

// plainRun returns the index of the first byte from i on that ends a run of
// plain string text: a quote, a backslash or a control character.
func plainRun(text []byte, i int) int {
	i, _ = plainText(text, i)
	return i
}

// plainText is plainRun, and reports whether a byte may be among them that is not
// ASCII. Most strings are short, so it looks at eight bytes first, and then, as long
// as all is ASCII, at 32 at a time: strings are most of what crosses the boundary.
func plainText(text []byte, i int) (end int, other bool) {
	seen := uint64(0)
	for next := 0; i+8 <= len(text); {
		w := word(text[i:i+8], 0)
		seen |= w
		if plain := plainBytes(w); plain != highs {
			return i + bits.TrailingZeros64(plain^highs)>>3, seen&highs != 0
		}
		if i += 8; i < next || seen&highs != 0 {
			continue
		}
		for ; i+32 <= len(text); i += 32 {
			b := text[i : i+32]
			y, x, w, v := word(b, 24), word(b, 16), word(b, 8), word(b, 0) // the last first: where memory is checked, it is checked once
			// Of ASCII that is plain no difference has a high bit, of anything else some have.
			if ((y-spaces)|(x-spaces)|(w-spaces)|(v-spaces)|
				((y^quotes)-ones)|((x^quotes)-ones)|((w^quotes)-ones)|((v^quotes)-ones)|
				((y^slashes)-ones)|((x^slashes)-ones)|((w^slashes)-ones)|((v^slashes)-ones))&highs != 0 {
				break
			}
		}
		next = i + 32
	}
	for ; i < len(text); i++ {
		c := text[i]
		if !isPlain(c) {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&highs != 0
}

func isPlain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

const (
	ones  = 0x0101010101010101
	lows  = 0x7f * ones
	highs = 0x80 * ones

	spaces, quotes, slashes = ones * ' ', ones * '"', ones * '\\'
)

// word is eight bytes, which compilers load at once.
func word[T string | []byte](text T, at int) uint64 {
	b := text[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// plainBytes has the high bit of each byte of w set that is plain string text, and
// no other bit. No sum of seven bits reaches into the next byte.
func plainBytes(w uint64) uint64 {
	low := w & lows
	return ((low+(highs-spaces))&((low^quotes)+lows)&((low^slashes)+lows) | w) & highs
}
