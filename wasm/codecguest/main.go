// Command codecguest is the codec as a WebAssembly module without imports:
// entropy and time are arguments. Its boundary is described in wasm/CODEC.md.
package main

import (
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
	"github.com/parley-mcp/parley/wasm/internal/handle"
)

func main() {}

// held is what a handle of this module names: one of the three.
type held struct {
	codec codec.Codec
	box   *codec.Box
	guard *guard
}

var live handle.Table[held]

// parleyLive counts what is held.
//
//go:wasmexport parley_live
func parleyLive() uint32 { return live.Live() }

// parleyFree lets go of a codec, box or guard. A handle that is not live is
// ignored.
//
//go:wasmexport parley_free
func parleyFree(handle uint32) { live.Free(handle) }

// parleyWipe zeroes the buffers that carried keys and plaintext.
//
//go:wasmexport parley_wipe
func parleyWipe() { boundary.Wipe() }

// errUsage is the answer to a request of another shape than CODEC.md says, and to
// a handle of another kind.
var errUsage = &codec.Error{Code: refusal.Options, Minting: true, Detail: "a request of another shape than the ABI's"}

// fail keeps an error's text and its JSON-RPC error, as fields, and returns the
// code as a negative number.
func fail(err error) int32 {
	e, ok := err.(*codec.Error)
	if !ok {
		e = errUsage
	}
	boundary.Answer(codecwire.AppendField(codecwire.AppendField(boundary.Room(), e.Error()), e.AppendResponse(nil)))
	return -int32(e.Code)
}

func succeed(answer []byte) int32 { return int32(boundary.Answer(answer)) }
