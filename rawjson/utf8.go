package rawjson

import (
	"math/bits"
	"unicode/utf8"
)

// ValidUTF8 reports whether text is UTF-8, as [utf8.Valid] does.
func ValidUTF8(text []byte) bool {
	if !inModule {
		return utf8.Valid(text)
	}
	return validUTF8(text)
}

// validUTF8 is ValidUTF8 in a module. Most text is ASCII, which it looks at 32 bytes at a
// time in one function: TinyGo calls one for each four bytes otherwise, which was
// two thirds of what a module did with a long result.
func validUTF8(text []byte) bool {
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
