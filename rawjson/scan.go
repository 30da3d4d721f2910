// Package rawjson splits JSON text into the byte spans of its values. It
// decodes nothing and uses no reflection: a span leaves exactly as it came in.
//
// Two grades of strictness exist because the engine needs two. [Valid] and
// [Members] accept exactly what RFC 8259 calls well-formed, which is all that
// may be asked of a value Parley only passes on. [Strict] adds what must hold
// before a value is shown to a person: valid UTF-8, no duplicate member names,
// bounded nesting.
package rawjson

import (
	"github.com/parley-mcp/parley/sentence"
	"math/bits"
)

// MaxDepth is how deep a value may nest before it counts as not well-formed:
// the same bound as encoding/json, so that both agree on every input.
const MaxDepth = 10000

// Error says where in the given text a rule is broken.
type Error struct {
	Offset int           // in bytes, from the start of the text given; negative if no single place is wrong
	Reason sentence.Text // fixed text, never a part of the input
}

func newError(offset int, reason sentence.Text) *Error { return &Error{offset, reason} }

// Error renders the fault as "reason at byte n".
func (e *Error) Error() string { return e.Sentence().String() }

// Sentence is the fault as a host may translate it.
func (e *Error) Sentence() sentence.Text {
	if e.Offset < 0 {
		return e.Reason
	}
	return sentence.Say("{0} at byte {1}", e.Reason, sentence.Value(Itoa(e.Offset)))
}

// Valid reports whether data is one well-formed JSON value, with any
// surrounding white space.
func Valid(data []byte) bool {
	end, err := skip(data, space(data, 0), MaxDepth)
	return err == nil && space(data, end) == len(data)
}

// Value returns the one well-formed JSON value in data without the white space
// around it. The span aliases data.
func Value(data []byte) ([]byte, *Error) {
	start := space(data, 0)
	end, err := skip(data, start, MaxDepth)
	if err != nil {
		return nil, err
	}
	if rest := space(data, end); rest != len(data) {
		return nil, newError(rest, "text after the JSON value")
	}
	return data[start:end], nil
}

// Trim returns data without the white space around it, which is the value's span
// if data is one value.
func Trim(data []byte) []byte {
	from, to := space(data, 0), len(data)
	for to > from && space(data[to-1:to], 0) == 1 {
		to--
	}
	return data[from:to]
}

// Skip returns the index just past the well-formed value that starts at
// data[i]. Leading white space is allowed.
func Skip(data []byte, i int) (end int, err *Error) {
	return skip(data, space(data, i), MaxDepth)
}

// skip walks one value without recursion, so that hostile nesting costs one
// bit a level and no stack.
func skip(data []byte, i, maxDepth int) (int, *Error) {
	var open nesting
	inObject := false // the innermost container, if any
	for {
		// A value begins at i.
		if i >= len(data) {
			return i, newError(i, "unexpected end of JSON")
		}
		var err *Error
		switch c := data[i]; c {
		case '{', '[':
			if open.depth == maxDepth {
				return i, newError(i, "nested too deep")
			}
			if i = space(data, i+1); i < len(data) && data[i] == c+2 { // '}' is '{'+2, ']' is '['+2
				i++
				break
			}
			inObject = c == '{'
			if open.push(inObject); inObject {
				if _, i, err = memberName(data, i); err != nil {
					return i, err
				}
			}
			continue
		case '"':
			i, err = skipString(data, i)
		case 't':
			i, err = skipWord(data, i, "true")
		case 'f':
			i, err = skipWord(data, i, "false")
		case 'n':
			i, err = skipWord(data, i, "null")
		default:
			i, err = skipNumber(data, i)
		}
		if err != nil {
			return i, err
		}
		// A value has ended at i: close what ends with it.
		for {
			if open.depth == 0 {
				return i, nil
			}
			if i = space(data, i); i >= len(data) {
				return i, newError(i, "unexpected end of JSON")
			}
			if data[i] == ',' {
				if i = space(data, i+1); inObject {
					if _, i, err = memberName(data, i); err != nil {
						return i, err
					}
				}
				break
			}
			if inObject && data[i] != '}' {
				return i, newError(i, "expected a comma or } after an object member")
			}
			if !inObject && data[i] != ']' {
				return i, newError(i, "expected a comma or ] after an array element")
			}
			i++
			open.pop()
			inObject = open.top()
		}
	}
}

// skipChecked is skip for an object or array that is well-formed: it looks for its
// end alone.
func skipChecked(data []byte, i int) (int, *Error) {
	for depth := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i = plainRun(data, i+1); i < len(data) && data[i] != '"'; {
				if data[i] == '\\' {
					i += 2
				} else {
					i = plainRun(data, i+1)
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		}
	}
	return i, newError(len(data), "unexpected end of JSON") // it was not
}

// memberName walks a member's name and colon and returns where the name ends
// and where the value begins.
func memberName(data []byte, i int) (nameEnd, value int, err *Error) {
	if i >= len(data) {
		return i, i, newError(i, "unexpected end of JSON")
	}
	if data[i] != '"' {
		return i, i, newError(i, "expected a member name in quotes")
	}
	if nameEnd, err = skipString(data, i); err != nil {
		return i, i, err
	}
	i = space(data, nameEnd)
	if i >= len(data) || data[i] != ':' {
		return i, i, newError(i, "expected a colon after a member name")
	}
	return nameEnd, space(data, i+1), nil
}

// skipString walks the string whose quote is data[i]. Text that is not plain is
// looked at byte by byte: a run of escapes costs no call for each.
func skipString(data []byte, i int) (int, *Error) {
	for i++; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\':
			i++
			if i == len(data) {
				return i, newError(i, "unexpected end of JSON")
			}
			switch data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i++
			case 'u':
				if _, ok := hex4(data, i+1); !ok {
					return i, newError(i, "\\u needs four hexadecimal digits")
				}
				i += 5
			default:
				return i, newError(i, "unknown escape in a string")
			}
		case c < ' ':
			return i, newError(i, "control character in a string")
		default:
			i = plainRun(data, i+1)
		}
	}
	return i, newError(i, "unexpected end of JSON")
}

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

func skipNumber(data []byte, i int) (int, *Error) {
	start := i
	if i < len(data) && data[i] == '-' {
		i++
	}
	switch {
	case i < len(data) && data[i] == '0':
		i++
	case i < len(data) && data[i] >= '1' && data[i] <= '9':
		i = digits(data, i)
	default:
		reason := noValue
		if i < len(data) {
			reason = instead(data[i])
		}
		return i, newError(start, reason)
	}
	if i < len(data) && data[i] == '.' {
		from := i + 1
		if i = digits(data, from); i == from {
			return i, newError(i, "expected a digit after the decimal point")
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		from := i
		if i = digits(data, from); i == from {
			return i, newError(i, "expected a digit in the exponent")
		}
	}
	return i, nil
}

func digits(data []byte, i int) int {
	for i < len(data) && data[i] >= '0' && data[i] <= '9' {
		i++
	}
	return i
}

func skipWord(data []byte, i int, word string) (int, *Error) {
	if len(data)-i < len(word) || !equal(data[i:i+len(word)], word) {
		return i, newError(i, noValue)
	}
	return i + len(word), nil
}

const noValue sentence.Text = "expected a JSON value"

// instead is what is wrong if c stands where a number, or the rest of it, begins: many
// languages write what JSON has no number for.
func instead(c byte) sentence.Text {
	if c == 'N' || c == 'I' {
		return "expected a JSON value, not NaN or Infinity,"
	}
	return noValue
}

func space(data []byte, i int) int {
	for i < len(data) && data[i] <= ' ' && (data[i] == ' ' || data[i] == '\n' || data[i] == '\r' || data[i] == '\t') {
		i++
	}
	return i
}

// nesting remembers for each open level whether it is an object. The first 64
// levels cost no allocation.
type nesting struct {
	depth int
	now   uint64   // the innermost levels, the last one lowest
	outer []uint64 // of 64 levels each
}

func (n *nesting) push(object bool) {
	if n.depth%64 == 0 && n.depth > 0 {
		n.outer = append(n.outer, n.now)
	}
	n.now <<= 1
	if object {
		n.now |= 1
	}
	n.depth++
}

func (n *nesting) pop() {
	n.depth--
	n.now >>= 1
	if n.depth%64 == 0 && n.depth > 0 {
		last := len(n.outer) - 1
		n.now, n.outer = n.outer[last], n.outer[:last]
	}
}

// top reports whether the innermost level is an object; there must be one.
func (n *nesting) top() (object bool) { return n.now&1 == 1 }
