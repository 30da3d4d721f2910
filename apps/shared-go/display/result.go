package display

import (
	"bytes"
	"encoding/json"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

// Result is what a result has to show.
type Result struct {
	IsError bool // the server calls it an error
	Pieces  []Piece

	// Lacks says, in words to be shown, what the result does not have that its method
	// must bring; "" if it has all of that.
	Lacks string
}

// Read reads the result of a method.
func Read(method string, raw []byte) Result {
	return Result{string(jsontext.Get(raw, "isError")) == "true", pieces(raw), lacks(method, raw)}
}

// JSON is JSON on lines, with what cannot be seen spelled out.
func JSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Write(raw)
	}
	return plain.JSON(b.String())
}
