package result

import (
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// Lacks says, in words to be shown, what the result of a method does not have that it
// must bring; "" if it has all of that. Such a result is shown as JSON.
func Lacks(method string, raw []byte) string {
	var as json.Unmarshaler
	switch method {
	case "tools/call":
		as = new(schema.CallToolResult)
	case "prompts/get":
		as = new(schema.GetPromptResult)
	case "resources/read":
		as = new(schema.ReadResourceResult)
	default:
		return ""
	}
	var flaw *schema.Error
	if !errors.As(as.UnmarshalJSON(raw), &flaw) || flaw.Limit { // here all of it is shown
		return ""
	}
	words := flaw.Path + " " + flaw.Reason
	if method == "tools/call" {
		words += ", though the tool has run"
	}
	return words
}

// isThere reports whether a result has one of some members.
func isThere(raw []byte, names ...string) bool {
	for _, name := range names {
		if value := jsontext.Get(raw, name); value != nil && string(value) != "null" {
			return true
		}
	}
	return false
}
