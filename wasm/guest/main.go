// Command guest is the engine as a WebAssembly module without imports. Its
// boundary is described in wasm/ABI.md. An export decodes, calls one function
// and encodes; nothing else.
package main

import (
	"github.com/parley-mcp/parley/internal/enginewire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// With a quarter of a megabyte to spare a call of two legs is a tenth quicker.
func init() { boundary.Spare = 256 << 10 }

func main() {}

// parleyMarks says whether sentences keep the marks of their parameters from now
// on, so that the host can translate them.
//
//go:wasmexport parley_marks
func parleyMarks(on uint32) { enginewire.Mark(on != 0) }

// parleyRequest builds a leg's JSON-RPC request and header fields.
//
//go:wasmexport parley_request
func parleyRequest(size uint32) uint32 {
	r, err := enginewire.Frame.DecodeRequest(boundary.Request(size))
	if err != nil {
		return failure(err)
	}
	return boundary.Answer(enginewire.Frame.AppendEnvelope(boundary.Room(), r))
}

// parleyMessage takes a message from the server apart.
//
//go:wasmexport parley_message
func parleyMessage(size uint32) uint32 {
	return boundary.Answer(enginewire.Frame.AppendMessage(boundary.Room(), boundary.Request(size)))
}
