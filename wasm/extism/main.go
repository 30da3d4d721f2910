//go:build tinygo

// Command extism is the engine and the codec as an Extism plug-in: an
// instance holds a session, a whole call in it, with all its rounds, is one
// blocking call of an export, and what the host must do meanwhile are its
// callbacks. The texts are described in wasm/EXTISM.md.
package main

import (
	"github.com/extism/go-pdk"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/wasm/extism/blocking"
	"github.com/parley-mcp/parley/wasm/extism/tokens"
)

func main() {}

// abiVersion changes whenever an export or a text changes its meaning.
const abiVersion = 3

//go:wasmexport parley_abi_version
func parleyABIVersion() int32 { return abiVersion }

// current is the session and the call under way. It is a global, because garbage
// is collected while the host answers a callback: see turn.
var current blocking.Client

// busy says that an export with callbacks is under way. It stays so after a
// callback that panicked, when what it left on the stack is never given back.
var busy bool

// session begins the session that the instance keeps from call to call.
//
//go:wasmexport session
func session() int32 { return perform((*blocking.Client).Open) }

// call performs one request with all its rounds and answers how it ended.
//
//go:wasmexport call
func call() int32 { return perform((*blocking.Client).Begin) }

// resume goes on with a call from its snapshot.
//
//go:wasmexport resume
func resume() int32 { return perform((*blocking.Client).Resume) }

// closeSession ends the session.
//
//go:wasmexport close
func closeSession() int32 { return perform((*blocking.Client).Close) }

// perform takes a method expression, which is no pointer into the heap.
func perform(begin func(*blocking.Client, []byte)) int32 {
	collectBetweenCalls()
	if busy {
		pdk.Output(wire.Text.AppendError(nil, &engine.Error{Code: fault.Order, Detail: "a call is under way in this instance, or was when a callback failed: make another instance"}))
		return 0
	}
	busy = true
	begin(&current, input())
	for turn() {
	}
	pdk.Output(current.Outcome())
	current.Forget()
	busy = false
	return 0
}

// turn calls one callback. Before it and once it is back nothing on the stack
// points into the heap, all there is hangs on current: a long call leaves no more
// garbage behind than a short one.
func turn() bool {
	collectBetweenCalls()
	callback, text := current.Next()
	if callback == blocking.None {
		return false
	}
	request := pdk.AllocateBytes(text)
	answer := callHost(callback, request.Offset())
	request.Free()
	collectBetweenCalls()
	current.Answer(load(answer))
	return true
}

// form reads the form of an elicitation, from its params, and formCheck checks what
// a person typed into a field. They need no session.
//
//go:wasmexport form
func form() int32 { return answer(asked) }

//go:wasmexport form_check
func formCheck() int32 { return answer(wire.Text.AppendFieldCheck) }

// asked is the form, and its schema as it came, which checks are given.
func asked(dst, params []byte) []byte {
	schema := rawjson.Member(params, "requestedSchema")
	dst = rawjson.AppendQuoted(append(dst, `{"schema":`...), string(schema))
	at := len(dst)
	dst = wire.Text.AppendForm(dst, schema)
	dst[at] = ','
	return dst
}

func answer(do func(dst, request []byte) []byte) int32 {
	collectBetweenCalls()
	pdk.Output(do(nil, input()))
	return 0
}

// seal, open, inbound and outbound are a server's side: see package tokens.
//
//go:wasmexport seal
func seal() int32 { return token(tokens.Seal) }

//go:wasmexport open
func open() int32 { return token(tokens.Open) }

//go:wasmexport inbound
func inbound() int32 { return token(tokens.Inbound) }

//go:wasmexport outbound
func outbound() int32 { return token(tokens.Outbound) }

func token(do func([]byte, tokens.Config) []byte) int32 {
	collectBetweenCalls()
	request := input()
	answer := do(request, pdk.GetConfig)
	pdk.Output(answer)
	clear(request)
	clear(answer)
	return 0
}
