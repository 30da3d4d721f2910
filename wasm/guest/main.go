// Command guest is the engine as a WebAssembly module without imports. Its
// boundary is described in wasm/ABI.md. An export decodes, calls one function
// and encodes; nothing else.
package main

import (
	"unsafe"

	"github.com/parley-mcp/parley/engine/wire"
)

// abiVersion changes whenever an export or a payload changes its meaning.
const abiVersion = 1

func main() {}

// Two buffers carry every payload; they grow and are never given back, so that
// a call allocates nothing for its payloads.
var (
	in  []byte
	out []byte
)

//go:wasmexport parley_abi_version
func parleyABIVersion() int32 { return abiVersion }

// parleyInput makes room for a request of size bytes and returns where.
//
//go:wasmexport parley_input
func parleyInput(size uint32) unsafe.Pointer {
	collectBetweenCalls()
	if int(size) > cap(in) {
		in = make([]byte, size, max(int(size), 4096))
	}
	return unsafe.Pointer(unsafe.SliceData(in))
}

// collectBetweenCalls is where garbage is collected, and the only place: the
// module is built without a record of what the stack points to, which saves a
// fifth of its size. So no pointer into the heap may be held across it.
//
//go:linkname collectBetweenCalls runtime.collectBetweenCalls
func collectBetweenCalls()

// parleyOutput returns where the last answer is; it stands until the next
// call.
//
//go:wasmexport parley_output
func parleyOutput() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(out)) }

// parleyRequest builds a leg's JSON-RPC request and header fields.
//
//go:wasmexport parley_request
func parleyRequest(size uint32) uint32 {
	r, err := wire.DecodeRequest(input(size))
	if err != nil {
		return output(wire.AppendError(out[:0], err))
	}
	return output(wire.AppendEnvelope(out[:0], r))
}

// parleyMessage takes a message from the server apart.
//
//go:wasmexport parley_message
func parleyMessage(size uint32) uint32 {
	m, err := wire.ReadMessage(input(size))
	if err != nil {
		return output(wire.AppendError(out[:0], err))
	}
	return output(wire.AppendMessage(out[:0], m))
}

// input is the request the host wrote. A host that claims more than it asked
// room for gets an empty one, which no decoder accepts.
func input(size uint32) []byte {
	if int(size) > cap(in) {
		return nil
	}
	return in[:size:size]
}

// output keeps an answer and returns its size.
func output(answer []byte) uint32 {
	out = answer
	return uint32(len(answer))
}
