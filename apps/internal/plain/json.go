package plain

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns JSON text that means the same and is fit to be shown: in valid
// JSON, what has to be spelled out can only stand in strings, where \uXXXX
// spells it.
func JSON(text string) string {
	var b strings.Builder
	walk(text, func(r rune, size int, seen bool) bool {
		switch {
		case seen || r == '\r':
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		return true
	})
	return b.String()
}
