package engine_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/form"
)

// A call by hand: each action in turn, each outcome an event. A real host sends and
// asks in the background, where Wait and Cancel can still reach the flow; package
// session writes and reads the messages of a real server.
func Example() {
	flow, err := engine.New("tools/call", []byte(`{"name":"weather"}`), engine.Options{Can: &engine.Can{Form: true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	events := []engine.Event{engine.Begin{}}
	for len(events) > 0 {
		actions, err := flow.Step(time.Now().UnixMilli(), events[0])
		if err != nil {
			fmt.Println(err)
			return
		}
		events = events[1:]
		for _, a := range actions {
			switch a := a.(type) {
			case engine.Send:
				events = append(events, engine.Response{Leg: a.Leg, Body: weather(a)})
			case engine.Ask:
				result, _ := form.Ask(a.Params, typed("Oslo", "yes"))
				events = append(events, engine.Answer{Ask: a.ID, Raw: result})
			case engine.Done:
				fmt.Printf("%s\n", a.Result)
			case engine.Failed:
				fmt.Println(a.Code, a.Detail)
			}
		}
	}
	// Output:
	// | Where?
	// city: Oslo
	// Send this (yes or no): yes
	// {"content":[{"type":"text","text":"rain in Oslo"}]}
}

// typed is a person at a keyboard who types these lines.
func typed(lines ...string) func(form.Prompt) (string, bool) {
	return func(p form.Prompt) (string, bool) {
		line := lines[0]
		lines = lines[1:]
		fmt.Println(p.String() + line)
		return line, true
	}
}

// weather answers as a server does that asks where, by a form.
func weather(leg engine.Send) []byte {
	var params struct {
		InputResponses struct {
			Where struct{ Content struct{ City string } }
		}
	}
	if err := json.Unmarshal(leg.Params, &params); err != nil {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":%q}}`, leg.Leg, err)
	}
	result := `{"resultType":"input_required","inputRequests":{"where":{"method":"elicitation/create","params":{
		"message":"Where?","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}}}`
	if city := params.InputResponses.Where.Content.City; city != "" {
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"rain in %s"}]}`, city)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, leg.Leg, result)
}
