// Package plain makes text from a server fit to be shown: whatever a terminal
// or a reader could take for something else than text is spelled out.
//
// Control characters become their Unicode pictures (ESC is ␛), characters that
// cannot be seen or that turn the direction of writing become <U+202E>, bytes
// that are no UTF-8 become <0xFF>. What is too long is cut, and says so.
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// newlineCost is what a line break counts against a limit, in characters,
	// so that a short text cannot push everything else off the screen.
	newlineCost = 40

	// maxMarks is how many combining marks may sit on one character. Scripts
	// in use need no more; stacks of them draw over the lines around.
	maxMarks = 4
)

// Text returns s with its line breaks, cut after about limit characters; a
// line break counts as 40.
func Text(s string, limit int) string {
	text, _ := CutText(s, limit)
	return text
}

// Line returns s as one line, cut after limit characters.
func Line(s string, limit int) string {
	text, _ := CutLine(s, limit)
	return text
}

// CutText is [Text], and how many bytes of s it has left out.
func CutText(s string, limit int) (text string, left int) {
	return clean(s, limit, "\n", newlineCost)
}

// CutLine is [Line], and how many bytes of s it has left out.
func CutLine(s string, limit int) (text string, left int) { return clean(s, limit, "␤", 1) }

// Hidden reports whether s holds anything that [Text] would spell out.
func Hidden(s string) bool {
	normal := strings.NewReplacer("\r\n", "\n", "\t", tab).Replace(s)
	return Text(normal, len(normal)*newlineCost) != normal
}

// Strip returns s without anything that [Text] would spell out, for a field
// that the person goes on to edit.
func Strip(s string) string {
	var b strings.Builder
	walk(s, func(r rune, size int, seen bool) bool {
		if seen {
			b.WriteRune(r)
		}
		return true
	})
	return b.String()
}

const tab = "    "

func clean(s string, limit int, newline string, cost int) (text string, left int) {
	var b strings.Builder
	left = len(s)
	walk(s, func(r rune, size int, seen bool) bool {
		spend, need := 1, 1
		switch {
		case r == '\n':
			spend, need = cost, cost
		case seen && joiner(r): // with what it joins
			need = 2
		}
		if limit < need {
			return false
		}
		limit -= spend
		switch {
		case r == '\n':
			b.WriteString(newline)
		case r == '\t':
			b.WriteString(tab)
		case seen:
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(s[len(s)-left+size:], "\n"):
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "<0x%02X>", s[len(s)-left])
		case r < ' ':
			b.WriteRune(0x2400 + r)
		case r == 0x7f:
			b.WriteRune('␡')
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
		left -= size
		return true
	})
	if left > 0 {
		fmt.Fprintf(&b, "… (%d more bytes)", left)
	}
	return b.String(), left
}

// walk calls yield for each character of s and whether it shows as itself.
func walk(s string, yield func(r rune, size int, seen bool) bool) {
	var last rune // the last character, 0 at the start of a line or after a hidden one
	marks := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		seen := visible(r, size)
		switch {
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			marks++
			variant := r == 0xFE0E || r == 0xFE0F // text or emoji style
			seen = (seen || variant) && last != 0 && last != ' ' && marks <= maxMarks
		case joiner(r):
			seen = joins(last) && joins(next)
		default:
			marks = 0
		}
		if !yield(r, size, seen || r == '\n' || r == '\t') {
			return
		}
		if last = r; !seen {
			last = 0
		}
		i += size
	}
}

// visible reports whether r alone draws something, or is a space.
func visible(r rune, size int) bool {
	return unicode.IsGraphic(r) &&
		!(r == utf8.RuneError && size == 1) &&
		!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) &&
		!unicode.Is(unicode.Variation_Selector, r) &&
		r != 0x2800 // a Braille cell without dots
}

// joiner reports whether r joins its neighbours or keeps them apart, which
// scripts and emoji need.
func joiner(r rune) bool { return r == 0x200C || r == 0x200D }

func joins(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.S) && r != utf8.RuneError
}
