// Command guest is the engine as a WebAssembly module without imports. Its
// boundary is described in wasm/ABI.md. An export decodes, calls one function
// and encodes; nothing else.
package main

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// With a quarter of a megabyte to spare a call of two legs is a tenth quicker.
func init() { boundary.Spare = 256 << 10 }

func main() {}

// parleyMarks says whether sentences keep the marks of their parameters from now
// on, so that the host can translate them.
//
//go:wasmexport parley_marks
func parleyMarks(on uint32) { wire.Mark(on != 0) }

// parleyLive counts what is held: sessions, the calls in them, and flows.
//
//go:wasmexport parley_live
func parleyLive() uint32 { return liveSessions() + liveFlows() }

// failed answers an error of the engine's, which has no other type.
func failed(err error) uint32 { return failure(err.(*engine.Error)) }

func failure(err *engine.Error) uint32 {
	return boundary.Answer(wire.Frame.AppendError(boundary.Room(), err))
}
