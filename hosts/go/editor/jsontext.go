package main

import (
	"encoding/json"
	"slices"

	"github.com/parley-mcp/parley/internal/rawjson"
)

// member is the value of the member of an object that has exactly this name,
// nil if there is none. encoding/json would also take a name in other letters,
// which the engine has not looked at.
func member(object []byte, name string) []byte {
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if rawjson.Is(m.Name, name) {
			return m.Value
		}
	}
	return nil
}

// only reports whether an object has no members but those of these names.
func only(object []byte, names ...string) bool {
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if !slices.ContainsFunc(names, m.Is) {
			return false
		}
	}
	return true
}

// words is what a JSON string says, and any other value as it is written. Half
// of a surrogate pair becomes U+FFFD.
func words(raw []byte) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// quote is a string as JSON text.
func quote(s string) []byte { return rawjson.AppendQuoted(nil, s) }
