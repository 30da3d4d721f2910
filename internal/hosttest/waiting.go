package hosttest

import (
	"runtime"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// WaitingPayload is how many bytes of what [WaitingFlow] was given have to be kept:
// the params of its call, and the round that waits.
var WaitingPayload = len(benchParams) + len(ScriptedAnswer(1, 2))

// WaitingFlow is a flow that waits for the answer to its first question.
func WaitingFlow(e parley.Engine) (parley.Flow, error) {
	flow, err := e.NewFlow("tools/call", benchParams, engine.Options{Can: &engine.Can{Form: true}})
	if err != nil {
		return nil, err
	}
	ask := engine.Response{Leg: 1, Body: reply(nil, []byte("1"), ScriptedAnswer(1, 2))}
	for _, event := range []engine.Event{engine.Begin{}, ask} {
		actions, err := flow.Step(0, event)
		if err != nil {
			flow.Close()
			return nil, err
		}
		clear(actions) // as a session does: who waits needs them no more
	}
	return flow, nil
}

// WaitingInHeap is how many bytes each of so many waiting flows holds in Go's heap,
// payload included.
func WaitingInHeap(many int) (int, error) {
	flows := make([]parley.Flow, many)
	defer closeAll(flows)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range flows {
		var err error
		if flows[i], err = WaitingFlow(parley.Native{}); err != nil {
			return 0, err
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int(after.HeapAlloc-before.HeapAlloc) / many, nil
}

// WaitingInModule is how many bytes each of many waiting flows holds in the memory of
// a module, payload included. A module's memory doubles when it is full, so they
// are counted at the moment when the first memory of at least so many bytes is. r has one instance.
func WaitingInModule(r *parley.Runtime, size int) (int, error) {
	var flows []parley.Flow
	defer func() { closeAll(flows) }()
	for full := 0; ; {
		flow, err := WaitingFlow(r)
		if err != nil {
			return 0, err
		}
		flows = append(flows, flow)
		now := r.Memory()
		if full >= size && now > full {
			return full / len(flows), nil
		}
		full = now
	}
}

func closeAll(flows []parley.Flow) {
	for _, flow := range flows {
		if flow != nil {
			flow.Close()
		}
	}
}
