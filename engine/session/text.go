package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// text is JSON text in the making.
type text struct{ rawjson.Writer }

// textFrom is text that goes on after dst.
func textFrom(dst []byte) *text { return &text{rawjson.Writer{Dst: dst}} }

// count is a sentence with a number in it.
func count(template sentence.Text, n int) sentence.Text {
	return sentence.Say(template, sentence.Value(rawjson.Itoa(n)))
}

func newError(code fault.Code, detail sentence.Text) *engine.Error {
	return &engine.Error{Code: code, Detail: detail}
}
