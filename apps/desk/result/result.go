// Package result makes the results of tools, prompts and resources fit to be
// shown, and writes them for programs as they came.
package result

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// Result is what the three results have to show.
type Result struct {
	IsError bool // a tool says that it failed
	Pieces  []Piece
}

// Read reads a result, and reports whether it is what the schema says as far as
// it is shown. What its method must bring besides [Lacks] knows.
func Read(raw []byte) (r Result, ok bool) {
	others := isThere(raw, "messages", "contents")
	ok = (!isThere(raw, "content", "structuredContent") && (others || !isThere(raw, "isError")) || fits(new(schema.CallToolResult), raw)) &&
		(!isThere(raw, "messages") || fits(new(schema.GetPromptResult), raw)) &&
		(!isThere(raw, "contents") || fits(new(schema.ReadResourceResult), raw))
	return Result{string(jsontext.Get(raw, "isError")) == "true", pieces(raw)}, ok
}

// fits reports whether a result can be read as one of a kind. It may have more
// than the library reads: here all of it is.
func fits(as json.Unmarshaler, raw []byte) bool {
	err := as.UnmarshalJSON(raw)
	var flaw *schema.Error
	return err == nil || errors.As(err, &flaw) && flaw.Limit
}

// JSON is JSON on lines, with what cannot be seen spelled out.
func JSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Write(raw)
	}
	return plain.JSON(b.String())
}
