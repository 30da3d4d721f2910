// Package canon is the canonical form of JSON text, by which a codec tells
// whether two requests or two questions are the same.
package canon

import (
	"slices"
	"strconv"

	"github.com/parley-mcp/parley/rawjson"
)

// Bounds of what has a canonical form.
const (
	maxDepth    = 64   // nested containers
	maxExponent = 9999 // of a number, as written and as normalised
)

// Append appends the canonical form of one JSON value: no space, members sorted
// by the UTF-16 code units of their names, strings escaped as RFC 8785 does.
// Numbers are exact where RFC 8785 rounds them to a double: 0 is 0, every other
// one an integer without trailing zeros and a power of ten, so that 1000 is 1e3
// and 12.5 is 125e-1. Plain RFC 8785 would let 2^53 be exchanged for 2^53+1 under
// a valid token.
//
// It returns false for what is not JSON and for what has no canonical form:
// duplicate names, lone surrogates, bytes that are not UTF-8, over 64 nested
// containers, an exponent beyond 9999.
func Append(dst, json []byte) ([]byte, bool) { return appendForm(dst, json, false) }

// AppendFolded is Append, but names that a parser which ignores letter case
// would take for one have no canonical form either: such a parser lets the last
// one win, and the order is not part of the form.
func AppendFolded(dst, json []byte) ([]byte, bool) { return appendForm(dst, json, true) }

func appendForm(dst, json []byte, fold bool) ([]byte, bool) {
	value, err := rawjson.Value(json)
	if err != nil || !rawjson.ValidUTF8(value) {
		return dst, false
	}
	c := canon{data: value, out: dst, fold: fold}
	if _, ok := c.value(0, maxDepth); !ok {
		return dst, false
	}
	return c.out, true
}

// canon writes the canonical form of well-formed JSON text.
type canon struct {
	data []byte
	out  []byte
	fold bool
	// members of the objects that are open, the innermost last
	members []member
	sorted  []byte // room to put members in order
}

// member is a member that was written.
type member struct {
	name     []byte // its text
	from, to int    // where in out it stands, name and value
}

// value writes the value that begins at i and returns where it ends.
func (c *canon) value(i, depth int) (end int, ok bool) {
	i = c.space(i)
	switch b := c.data[i]; {
	case b == '{':
		return c.object(i+1, depth-1)
	case b == '[':
		return c.array(i+1, depth-1)
	}
	end, _ = rawjson.Skip(c.data, i)
	token := c.data[i:end]
	switch b := token[0]; {
	case b == '"':
		return end, c.string(token)
	case b == '-' || b >= '0' && b <= '9':
		return end, c.number(token)
	}
	c.out = append(c.out, token...)
	return end, true
}

func (c *canon) array(i, depth int) (end int, ok bool) {
	if depth < 0 {
		return i, false
	}
	c.out = append(c.out, '[')
	for i = c.space(i); c.data[i] != ']'; {
		if i, ok = c.value(i, depth); !ok {
			return i, false
		}
		if i = c.space(i); c.data[i] == ',' {
			c.out = append(c.out, ',')
			i++
		}
	}
	c.out = append(c.out, ']')
	return i + 1, true
}

func (c *canon) object(i, depth int) (end int, ok bool) {
	if depth < 0 {
		return i, false
	}
	first, inOrder := len(c.members), true
	c.out = append(c.out, '{')
	body := len(c.out)
	for i = c.space(i); c.data[i] != '}'; {
		nameEnd, _ := rawjson.Skip(c.data, i)
		m := member{from: len(c.out)}
		if m.name, ok = Text(c.data[i:nameEnd]); !ok {
			return i, false
		}
		c.quoted(m.name)
		c.out = append(c.out, ':')
		if i, ok = c.value(c.space(nameEnd)+1, depth); !ok {
			return i, false
		}
		m.to = len(c.out)
		if n := len(c.members); n > first && compareUTF16(c.members[n-1].name, m.name) >= 0 {
			inOrder = false
		}
		c.members = append(c.members, m)
		if i = c.space(i); c.data[i] == ',' {
			c.out = append(c.out, ',')
			i = c.space(i + 1)
		}
	}
	members := c.members[first:]
	if !inOrder && !c.order(members, body) || c.fold && foldsTogether(members) {
		return i, false
	}
	c.members = c.members[:first]
	c.out = append(c.out, '}')
	return i + 1, true
}

// order puts the members that were written from body on in order. It fails on a
// name given twice.
func (c *canon) order(members []member, body int) bool {
	slices.SortFunc(members, func(a, b member) int { return compareUTF16(a.name, b.name) })
	c.sorted = c.sorted[:0]
	for k, m := range members {
		if k > 0 {
			if compareUTF16(members[k-1].name, m.name) == 0 {
				return false
			}
			c.sorted = append(c.sorted, ',')
		}
		c.sorted = append(c.sorted, c.out[m.from:m.to]...)
	}
	copy(c.out[body:], c.sorted)
	return true
}

func (c *canon) string(token []byte) bool {
	text, ok := Text(token)
	if ok {
		c.quoted(text)
	}
	return ok
}

// Text is what a string token stands for, the token's own bytes where nothing
// is escaped. It fails on lone surrogates.
func Text(token []byte) ([]byte, bool) {
	body := token[1 : len(token)-1]
	if slices.Index(body, '\\') < 0 {
		return body, true
	}
	return rawjson.AppendUnquoted(make([]byte, 0, len(body)), token)
}

// quoted writes a string with the escapes of RFC 8785, section 3.2.2.2.
func (c *canon) quoted(text []byte) {
	const hex = "0123456789abcdef"
	c.out = append(c.out, '"')
	from := 0
	for i, b := range text {
		if b >= ' ' && b != '"' && b != '\\' {
			continue
		}
		c.out = append(append(c.out, text[from:i]...), '\\')
		from = i + 1
		switch b {
		case '"', '\\':
			c.out = append(c.out, b)
		case '\b':
			c.out = append(c.out, 'b')
		case '\t':
			c.out = append(c.out, 't')
		case '\n':
			c.out = append(c.out, 'n')
		case '\f':
			c.out = append(c.out, 'f')
		case '\r':
			c.out = append(c.out, 'r')
		default:
			c.out = append(c.out, 'u', '0', '0', hex[b>>4], hex[b&15])
		}
	}
	c.out = append(append(c.out, text[from:]...), '"')
}

// number writes [-]d[e±x]: d an integer without trailing zeros.
func (c *canon) number(token []byte) bool {
	mantissa, exponent := token, 0
	if e := slices.IndexFunc(token, func(b byte) bool { return b|0x20 == 'e' }); e >= 0 {
		var ok bool
		if exponent, ok = smallInt(token[e+1:]); !ok {
			return false
		}
		mantissa = token[:e]
	}
	negative := mantissa[0] == '-'
	if negative {
		mantissa = mantissa[1:]
	}
	start := len(c.out)
	c.out = append(c.out, '-')
	fraction := false
	for _, b := range mantissa {
		switch {
		case b == '.':
			fraction = true
			continue
		case fraction:
			exponent--
		}
		if b != '0' || len(c.out) > start+1 { // no leading zeros
			c.out = append(c.out, b)
		}
	}
	digits := len(c.out)
	for digits > start+1 && c.out[digits-1] == '0' {
		digits--
		exponent++
	}
	c.out = c.out[:digits]
	switch {
	case digits == start+1: // 0, whatever its sign and exponent
		c.out[start] = '0'
		return true
	case exponent > maxExponent || exponent < -maxExponent:
		return false
	case !negative:
		c.out = slices.Delete(c.out, start, start+1)
	}
	if exponent != 0 {
		c.out = append(c.out, 'e')
		c.out = strconv.AppendInt(c.out, int64(exponent), 10)
	}
	return true
}

// smallInt reads an exponent as written, with its sign.
func smallInt(text []byte) (int, bool) {
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	n := 0
	for _, b := range text {
		if n = n*10 + int(b-'0'); n > maxExponent {
			return 0, false
		}
	}
	if negative {
		n = -n
	}
	return n, true
}

func (c *canon) space(i int) int {
	for i < len(c.data) && (c.data[i] == ' ' || c.data[i] == '\n' || c.data[i] == '\r' || c.data[i] == '\t') {
		i++
	}
	return i
}

// compareUTF16 orders UTF-8 texts by their UTF-16 code units. Only characters
// beyond U+FFFF sort differently: their surrogates come before U+E000.
func compareUTF16(a, b []byte) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		x, y := unitRank(a[i]), unitRank(b[i])
		return x - y
	}
	return len(a) - len(b)
}

// unitRank puts the first bytes of four-byte characters between those of U+DFFF
// and U+E000.
func unitRank(b byte) int {
	if b >= 0xF0 {
		return 0xED*8 + int(b) - 0xEF
	}
	return int(b) * 8
}
