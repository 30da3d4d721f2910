package hosttest

import (
	"runtime"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// WaitingPayload is how many bytes of what [WaitingCall] was given have to be kept:
// the params of its call, and the round that waits.
var WaitingPayload = len(benchParams) + len(ScriptedAnswer(1, 2))

// WaitingCore makes the core of a session for [WaitingCall].
func WaitingCore(e parley.Engine) (parley.SessionCore, error) {
	return e.NewSessionCore(session.Options{Transport: session.Requests, Can: &engine.Can{Form: true}})
}

// WaitingCall makes a call that waits for the answer to its first question.
func WaitingCall(core parley.SessionCore) (call int, err error) {
	call, err = core.Call("tools/call", benchParams, engine.Options{})
	if err != nil {
		return 0, err
	}
	actions, err := core.Step(0, session.To{Call: call, Event: engine.Begin{}})
	if err != nil {
		return 0, err
	}
	asks := session.Message{Exchange: actions[0].(session.Request).Exchange, Body: reply(nil, []byte("1"), ScriptedAnswer(1, 2)), Last: true}
	_, err = core.Step(0, asks)
	return call, err
}

// WaitingInHeap is how many bytes each of so many waiting calls holds in Go's heap,
// payload included.
func WaitingInHeap(many int) (int, error) {
	core, err := WaitingCore(parley.Native{})
	if err != nil {
		return 0, err
	}
	defer core.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range many {
		if _, err := WaitingCall(core); err != nil {
			return 0, err
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int(after.HeapAlloc-before.HeapAlloc) / many, nil
}

// WaitingInModule is how many bytes each of many waiting calls holds in the memory of
// a module, payload included. A module's memory doubles when it is full, so they
// are counted at the moment when the first memory of at least so many bytes is. r has one instance.
func WaitingInModule(r *parley.Runtime, size int) (int, error) {
	core, err := WaitingCore(r)
	if err != nil {
		return 0, err
	}
	defer core.Close()
	for full, calls := 0, 1; ; calls++ {
		if _, err := WaitingCall(core); err != nil {
			return 0, err
		}
		now := r.Memory()
		if full >= size && now > full {
			return full / calls, nil
		}
		full = now
	}
}
