package engine_test

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// A call is parked while it asks, kept as text, and resumed by another
// process.
func ExampleRestore() {
	const asks = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{
		"sure":{"method":"elicitation/create","params":{"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}}}}}}`
	flow, err := engine.New("tools/call", []byte(`{"name":"delete"}`), engine.Options{Can: &engine.Can{Form: true}, Peer: "files", Principal: "mona"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, event := range []engine.Event{engine.Begin{}, engine.Response{Leg: 1, Body: []byte(asks)}, engine.Park{}} {
		if _, err := flow.Step(0, event); err != nil {
			fmt.Println(err)
			return
		}
	}
	snapshot, err := flow.Snapshot() // it holds the requestState: seal it
	if err != nil {
		fmt.Println(err)
		return
	}

	_, err = engine.Restore(snapshot, engine.Expect{Peer: "files", Principal: "otto"})
	fmt.Println(errors.Is(err, fault.Peer), err)

	flow, err = engine.Restore(snapshot, engine.Expect{Peer: "files", Principal: "mona"})
	if err != nil {
		fmt.Println(err)
		return
	}
	info := flow.Info()
	fmt.Println(info.Method, "in round", info.Round, "with", info.Questions, "question open")
	actions, err := flow.Step(1000, engine.Begin{})
	for _, a := range actions {
		if ask, ok := a.(engine.Ask); ok {
			fmt.Printf("asks again: %s %s\n", ask.Kind, ask.Params)
		}
	}
	fmt.Println(err)
	// Output:
	// true engine: snapshot of another peer or principal: the snapshot is of another principal
	// tools/call in round 1 with 1 question open
	// asks again: elicitation/create {"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}}
	// <nil>
}
