package form

import "github.com/parley-mcp/parley/rawjson"

// maxAgain bounds what $ref may have read again, in bytes: as much as the longest
// schema has.
const maxAgain = 1 << 20

// follow reads what a $ref refers to. Nothing is ever fetched.
func (r *reader) follow(n *node, ref []byte, depth int) bool {
	pointer, ok := r.text(ref)
	if !ok || pointer == "" || pointer[0] != '#' {
		return r.fail(Unsupported, "refers to a schema outside of the form's")
	}
	target := r.target(pointer[1:])
	if r.again += len(target); r.again > maxAgain {
		return r.fail(Unsupported, "refers to other schemas too often")
	}
	if target == nil {
		return r.fail(Unsupported, "refers to a schema that is not there")
	}
	return r.read(n, target, depth)
}

// target is what a JSON Pointer (RFC 6901) in a URI fragment points to, nil for
// nothing.
func (r *reader) target(pointer string) []byte {
	span, _ := rawjson.Value(r.data)
	for pointer != "" {
		if pointer[0] != '/' || r.again > maxAgain {
			return nil
		}
		end := 1
		for end < len(pointer) && pointer[end] != '/' {
			end++
		}
		name, ok := token(pointer[1:end])
		if !ok {
			return nil
		}
		r.again += len(span)
		span = member(span, name)
		pointer = pointer[end:]
	}
	return span
}

// member is rawjson.Member of an object that is well-formed.
func member(span []byte, name string) []byte {
	var m rawjson.Members
	for m.StartChecked(span); m.Next(); {
		if m.Is(name) {
			return m.Value
		}
	}
	return nil
}

// token is a part of a JSON Pointer without its escapes: those of the URI first,
// then ~1 for / and ~0 for ~.
func token(s string) (string, bool) {
	uri := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return "", false
			}
			c = hex(s[i+1])<<4 | hex(s[i+2])
			i += 2
		}
		uri = append(uri, c)
	}
	name := uri[:0]
	for i := 0; i < len(uri); i++ {
		c := uri[i]
		if c == '~' {
			if i++; i == len(uri) || uri[i]|1 != '1' {
				return "", false
			}
			c = "~/"[uri[i]&1]
		}
		name = append(name, c)
	}
	return string(name), true
}

func hex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// allOf narrows n by each of a list.
func (r *reader) allOf(n *node, span []byte, depth int) bool {
	list, ok := r.elements(span)
	for _, one := range list {
		if n.Alternatives != nil { // which are read, so what comes after cannot narrow them
			r.unchecked(n.Field, kwAllOf, nil)
		} else if ok = r.read(n, one, depth); !ok {
			break
		}
	}
	return ok
}
