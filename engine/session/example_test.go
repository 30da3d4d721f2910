package session_test

import (
	"fmt"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// A session over stdio with a server that is a function here: each line that the
// session posts is answered by a line.
func Example() {
	s, err := session.New(session.Options{Transport: session.Stdio, Versions: []string{"2026-07-28"}, ClientInfo: []byte(`{"name":"example","version":"1"}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	call, err := s.Call("tools/call", []byte(`{"name":"delete"}`), engine.Options{Can: &engine.Can{Form: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	events := []session.Event{session.To{Call: call, Event: engine.Begin{}}}
	for now := int64(0); len(events) > 0; now++ {
		actions, err := s.Step(now, events[0])
		if err != nil {
			fmt.Println(err)
			return
		}
		events = events[1:]
		for _, a := range actions {
			switch a := a.(type) {
			case session.Post:
				events = append(events, session.Message{Body: answer(a.Leg)})
			case session.From:
				switch of := a.Action.(type) {
				case engine.Ask:
					fmt.Printf("asks: %s\n", of.Params)
					events = append(events, session.To{Call: a.Call, Event: engine.Answer{Ask: of.ID, Raw: []byte(`{"action":"accept","content":{}}`)}})
				case engine.Done:
					fmt.Printf("done: %s\n", of.Result)
					s.Free(a.Call)
				case engine.Failed:
					fmt.Println(of.Code, of.Detail)
					s.Free(a.Call)
				}
			case session.Ready:
				fmt.Println("the server speaks", a.Version)
			case session.Warning:
				fmt.Println("warning:", a.Text)
			}
		}
	}
	// Output:
	// the server speaks 2026-07-28
	// asks: {"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}}
	// done: {"content":[{"type":"text","text":"deleted"}]}
}

// answer is the server's line to the request of a leg, whose id is its number
// in a session that sends nothing else.
func answer(leg int) []byte {
	result := `{"content":[{"type":"text","text":"deleted"}]}`
	if leg == 1 {
		result = `{"resultType":"input_required","inputRequests":{"sure":{"method":"elicitation/create",
			"params":{"message":"Delete it?","requestedSchema":{"type":"object","properties":{}}}}}}`
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, leg, result)
}

func ExampleParseMessages() {
	messages, err := session.ParseMessages([]byte(`[{"jsonrpc":"2.0","id":7,"method":"tools/list"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range messages {
		fmt.Printf("id %q, method %q\n", m.ID, m.Method)
	}
	_, err = session.ParseMessages([]byte("no JSON"))
	fmt.Println(err)
	// Output:
	// id "7", method "tools/list"
	// id "", method "notifications/initialized"
	// engine: malformed message from the server: message: expected an object at byte 0
}
