// Command guest is the engine as a WebAssembly module without imports. Its
// boundary is described in wasm/ABI.md. An export decodes, calls one function
// and encodes; nothing else.
package main

import (
	"github.com/parley-mcp/parley/engine/wire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// With a quarter of a megabyte to spare a call of two legs is a tenth quicker.
func init() { boundary.Spare = 256 << 10 }

func main() {}

// parleyRequest builds a leg's JSON-RPC request and header fields.
//
//go:wasmexport parley_request
func parleyRequest(size uint32) uint32 {
	r, err := wire.DecodeRequest(boundary.Request(size))
	if err != nil {
		return boundary.Answer(wire.AppendError(boundary.Room(), err))
	}
	return boundary.Answer(wire.AppendEnvelope(boundary.Room(), r))
}

// parleyMessage takes a message from the server apart.
//
//go:wasmexport parley_message
func parleyMessage(size uint32) uint32 {
	m, err := wire.ReadMessage(boundary.Request(size))
	if err != nil {
		return boundary.Answer(wire.AppendError(boundary.Room(), err))
	}
	return boundary.Answer(wire.AppendMessage(boundary.Room(), m))
}
