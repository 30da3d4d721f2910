package form

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// FindSecret is the problem of a schema that Parse cannot read if a password or what
// is only written is anywhere in it, however deep: a host that draws it itself must
// not ask for that either.
func FindSecret(schema []byte) *Problem {
	if !hasSecret(schema) {
		return nil
	}
	return &Problem{Code: Secret, Message: sentence.Say("the schema {0}", secret)}
}

// hasSecret reads a well-formed schema word by word, so that nesting costs nothing.
func hasSecret(schema []byte) bool {
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
