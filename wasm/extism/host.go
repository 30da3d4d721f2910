//go:build tinygo

package main

import (
	_ "unsafe" // for go:linkname

	"github.com/extism/go-pdk"

	"github.com/parley-mcp/parley/wasm/extism/blocking"
)

// What the plug-in takes, in bytes of JSON. The engine has limits of its own;
// these keep a mistake of the host from filling the memory before they count.
const (
	maxInput  = 32 << 20 // a request, above all a snapshot with its escapes
	maxAnswer = 96 << 20 // what a callback answers: a message of 64 MiB with its escapes
)

//go:wasmimport extism:host/user post
func hostPost(text uint64) uint64

//go:wasmimport extism:host/user receive
func hostReceive(text uint64) uint64

//go:wasmimport extism:host/user elicit
func hostElicit(text uint64) uint64

//go:wasmimport extism:host/user sample
func hostSample(text uint64) uint64

//go:wasmimport extism:host/user list_roots
func hostListRoots(text uint64) uint64

//go:wasmimport extism:host/env input_length
func inputLength() uint64

func callHost(callback blocking.Callback, text uint64) uint64 {
	switch callback {
	case blocking.Post:
		return hostPost(text)
	case blocking.Receive:
		return hostReceive(text)
	case blocking.Sample:
		return hostSample(text)
	case blocking.ListRoots:
		return hostListRoots(text)
	}
	return hostElicit(text)
}

// input is the request, nil if it is longer than maxInput, which no reader
// accepts.
func input() []byte {
	if inputLength() > maxInput {
		return nil
	}
	return pdk.Input()
}

// load takes what a callback answered, nil if it is longer than maxAnswer.
func load(offset uint64) []byte {
	memory := pdk.FindMemory(offset)
	if memory.Length() == 0 {
		return nil
	}
	defer memory.Free()
	if memory.Length() > maxAnswer {
		return nil
	}
	return memory.ReadBytes()
}

// collectBetweenCalls is where garbage is collected, and the only place: the
// module is built without a record of what the stack points to. So no pointer
// into the heap may be held across it.
//
//go:linkname collectBetweenCalls runtime.collectBetweenCalls
func collectBetweenCalls()
