package display

import (
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/hosts/go/schema"
)

// lacks says what the result of a method does not have that it must bring.
func lacks(method string, raw []byte) string {
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
