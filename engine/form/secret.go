package form

import "github.com/parley-mcp/parley/rawjson"

// AsksForSecret reports whether a password or what is only written is anywhere in
// a schema that Parse cannot read: a host that draws it itself must not ask for
// that either. The schema is well-formed. It is read word by word, so that nesting
// costs nothing.
func AsksForSecret(schema []byte) bool {
	var last []byte // the string before
	for i := 0; i < len(schema); i++ {
		switch c := schema[i]; {
		case c == '"':
			end, _ := rawjson.Skip(schema, i)
			if end <= i {
				return false
			}
			word := schema[i:end]
			if rawjson.Is(last, "format") && rawjson.Is(word, "password") {
				return true
			}
			last, i = word, end-1
		case c == 't' && rawjson.Is(last, "writeOnly"):
			return true
		case c != ':' && !isSpace(c):
			last = nil
		}
	}
	return false
}
