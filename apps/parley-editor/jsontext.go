package main

import (
	"encoding/json"

	"github.com/parley-mcp/parley/rawjson"
)

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
