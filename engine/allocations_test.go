package engine_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine"
)

// A call of two legs with one question allocates little: a host may make
// thousands. What it does allocate is what it keeps, and its actions.
func TestAllocations(t *testing.T) {
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	events := []engine.Event{
		engine.Begin{},
		engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"AbCdEf","inputRequests":{"name":` +
			`{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}}}}`)},
		engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)},
		engine.Response{Leg: 2, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)},
	}
	call := func(opts engine.Options) float64 {
		return testing.AllocsPerRun(100, func() {
			flow, err := engine.New("tools/call", params, opts)
			if err != nil {
				t.Fatal(err)
			}
			for _, event := range events {
				if actions, err := flow.Step(0, event); err != nil || len(actions) == 0 {
					t.Fatal(actions, err)
				}
			}
		})
	}
	if got := call(engine.Options{Capabilities: []byte(`{"elicitation":{}}`)}); got > 21 {
		t.Errorf("a call of two legs takes %v allocations, want at most 21", got)
	}
	waiting, err := engine.New("tools/call", params, engine.Options{Can: &engine.Can{Form: true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events[:2] {
		if _, err := waiting.Step(0, event); err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := waiting.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() { waiting.Snapshot() }); got > 1 {
		t.Errorf("a snapshot takes %v allocations, want 1", got)
	}
	if got := testing.AllocsPerRun(100, func() { engine.Restore(snapshot, engine.Expect{}) }); got > 9 {
		t.Errorf("restoring it takes %v allocations, want at most 9", got)
	}
	if got := call(engine.Options{Can: &engine.Can{Form: true}}); got > 22 {
		t.Errorf("where capabilities are declared it takes %v allocations, want at most 22", got)
	}
}
