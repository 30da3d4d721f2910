// Package rawjson splits JSON text into the byte spans of its values. It
// decodes nothing and uses no reflection: a span leaves exactly as it came in.
//
// Two grades of strictness exist because the engine needs two. [Valid] and
// [Members] accept exactly what RFC 8259 calls well-formed, which is all that
// may be asked of a value Parley only passes on. [Strict] adds what must hold
// before a value is shown to a person: valid UTF-8, no duplicate member names,
// bounded nesting.
package rawjson

import "github.com/parley-mcp/parley/sentence"

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

const (
	cut       sentence.Text = "unexpected end of JSON"
	noElement sentence.Text = "expected a comma or ] after an array element"
	behind    sentence.Text = "text after the JSON value"
	tooNested sentence.Text = "nested too deep"
	noValue   sentence.Text = "expected a JSON value"
)

// Valid reports whether data is one well-formed JSON value, with any
// surrounding white space.
func Valid(data []byte) bool {
	end, err := skip(data, space(data, 0), MaxDepth, nil)
	return err == nil && space(data, end) == len(data)
}

// Value returns the one well-formed JSON value in data without the white space
// around it. The span aliases data.
func Value(data []byte) ([]byte, *Error) {
	start := space(data, 0)
	end, err := skip(data, start, MaxDepth, nil)
	if err == nil {
		err = alone(data, end)
	}
	if err != nil {
		return nil, err
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
	return skip(data, space(data, i), MaxDepth, nil)
}

// skip walks one value without recursion, so that hostile nesting costs one
// bit a level and no stack. check has the rules of [Strict], and is nil without them.
// A [Scanner] could do the same, but stores its state between any two bytes: on whole
// texts with few long strings it takes twice as long.
func skip(data []byte, i, maxDepth int, check *strict) (int, *Error) {
	var open nesting
	inObject := false // the innermost container, if any
	isFirst := false  // member of it
	for {
		var err *Error
		if inObject {
			end, value, err := memberName(data, i)
			if err == nil && check != nil {
				err = check.name(data[i:end], i, open.depth-1, isFirst)
			}
			if err != nil {
				return i, err
			}
			i = value
		}
		// A value begins at i.
		if err = check.value(); err != nil {
			return i, err
		}
		if i >= len(data) {
			return i, newError(i, cut)
		}
		switch c := data[i]; c {
		case '{', '[':
			if open.depth == maxDepth {
				return i, check.deep(i)
			}
			if i = space(data, i+1); i < len(data) && data[i] == c+2 { // '}' is '{'+2, ']' is '['+2
				i++
				break
			}
			inObject, isFirst = c == '{', true
			open.push(inObject)
			continue
		case '"':
			var at state
			if i, at, _ = text(data, i+1, inString); at != atAfter {
				return i, wrong(at, i, i, data)
			}
		default:
			if i, err = literal(data, i); err != nil {
				return i, err
			}
		}
		// A value has ended at i: close what ends with it.
		for {
			if open.depth == 0 {
				return i, nil
			}
			if i = space(data, i); i < len(data) && data[i] == ',' {
				i, isFirst = space(data, i+1), false
				break
			}
			if i >= len(data) || data[i] != closing(inObject) {
				return i, check.unclosed(data, i, inObject)
			}
			i++
			open.pop()
			inObject = open.top()
		}
	}
}

// closing is the byte that ends an object or an array.
func closing(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

// unclosed is what is wrong where nothing follows in an object or array.
func unclosed(data []byte, i int, object bool) *Error {
	switch {
	case i >= len(data):
		return newError(i, cut)
	case object:
		return newError(i, "expected a comma or } after an object member")
	}
	return newError(i, noElement)
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
	return i, newError(len(data), cut) // it was not
}

// memberName walks a member's name and colon and returns where the name ends
// and where the value begins.
func memberName(data []byte, i int) (nameEnd, value int, err *Error) {
	if i >= len(data) || data[i] != '"' {
		return i, i, wrong(atName, i, i, data)
	}
	nameEnd, state, _ := text(data, i+1, inString)
	if state != atAfter {
		return i, i, wrong(state, i, nameEnd, data)
	}
	i = space(data, nameEnd)
	if i >= len(data) || data[i] != ':' {
		return i, i, wrong(atColon, i, i, data)
	}
	return nameEnd, space(data, i+1), nil
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
