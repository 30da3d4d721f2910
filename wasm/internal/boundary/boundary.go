// Package boundary is the memory that carries payloads in and out of a guest;
// see wasm/ABI.md. Importing it exports parley_abi_version, parley_input and
// parley_output.
package boundary

import "unsafe"

// abiVersion changes whenever an export or a payload changes its meaning.
const abiVersion = 3

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
	collectBetweenCalls(Spare)
	if uint(size) > uint(cap(in)) {
		in = make([]byte, size, max(int(size), 4096))
	}
	return unsafe.Pointer(unsafe.SliceData(in))
}

// collectBetweenCalls is where garbage is collected, and the only place: the
// module is built without a record of what the stack points to, which saves a
// fifth of its size. So no pointer into the heap may be held across it.
//
//go:linkname collectBetweenCalls runtime.collectBetweenCalls
func collectBetweenCalls(spare uint32)

// Spare is how many bytes are always allocated before garbage is collected
// again: time for memory. The guest sets it when it starts.
var Spare uint32

// parleyOutput returns where the last answer is; it stands until the next
// call.
//
//go:wasmexport parley_output
func parleyOutput() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(out)) }

// Request is the request the host wrote. A host that claims more than it asked
// room for gets an empty one, which no decoder accepts.
func Request(size uint32) []byte {
	if uint(size) > uint(cap(in)) {
		return nil
	}
	return in[:size:size]
}

// Room is the last answer's memory, empty, to append the next one to.
func Room() []byte { return out[:0] }

// Answer keeps an answer and returns its size.
func Answer(answer []byte) uint32 {
	out = answer
	return uint32(len(answer))
}

// Wipe zeroes both buffers.
func Wipe() {
	clear(in[:cap(in)])
	clear(out[:cap(out)])
}
