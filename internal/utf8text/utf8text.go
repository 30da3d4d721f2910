// Package utf8text checks that text is UTF-8.
package utf8text

import (
	"math/bits"
	"unicode/utf8"
)

// Valid is [utf8.Valid].
func Valid(text []byte) bool {
	if !inModule {
		return utf8.Valid(text)
	}
	return valid(text)
}

// valid is Valid in a module. Most text is ASCII, which it looks at 32 bytes at a
// time in one function: TinyGo calls one for each four bytes otherwise, which was
// two thirds of what a module did with a long result.
func valid(text []byte) bool {
	const highs = 0x8080808080808080
	for i := 0; ; {
		for ; i+32 <= len(text); i += 32 {
			if b := text[i : i+32]; (word(b, 0)|word(b, 8)|word(b, 16)|word(b, 24))&highs != 0 {
				break
			}
		}
		for ; i+8 <= len(text); i += 8 {
			if other := word(text[i:i+8], 0) & highs; other != 0 {
				i += bits.TrailingZeros64(other) / 8
				break
			}
		}
		for i < len(text) && text[i] < utf8.RuneSelf {
			i++
		}
		if i == len(text) {
			return true
		}
		for i < len(text) && text[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:]) // which is there for other things as well
			if r == utf8.RuneError && size == 1 {
				return false
			}
			i += size
		}
	}
}

// word is eight bytes, which compilers load at once.
func word(b []byte, at int) uint64 {
	b = b[at : at+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
