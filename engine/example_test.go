package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/sentence"
)

// A call by hand, over net/http: each action in turn, each outcome an event. A
// real host sends and asks in the background, where Wait and Cancel can still
// reach the flow.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()

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
				events = append(events, post(server.URL, flow, a))
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

// post sends a leg and says what came of it.
func post(url string, flow *engine.Flow, leg engine.Send) engine.Event {
	r := &envelope.Request{ID: int64(leg.Leg), Method: leg.Method, Params: leg.Params, Capabilities: flow.Info().Capabilities}
	body, _ := envelope.Append(nil, r) // cannot fail with what a flow made
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		return engine.Lost{Leg: leg.Leg, Reason: sentence.Value(err.Error()), Unsent: true}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream") // of which this server sends the first
	for _, h := range envelope.Headers(r) {
		request.Header.Set(h.Name, h.Value)
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		body, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if err != nil {
		return engine.Lost{Leg: leg.Leg, Reason: sentence.Value(err.Error())}
	}
	return engine.Response{Leg: leg.Leg, Body: body}
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

// weather is a server that asks where, by a form.
func weather(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage
		Params struct {
			InputResponses struct {
				Where struct{ Content struct{ City string } }
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	result := `{"resultType":"input_required","inputRequests":{"where":{"method":"elicitation/create","params":{
		"message":"Where?","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}}}`
	if city := request.Params.InputResponses.Where.Content.City; city != "" {
		result = fmt.Sprintf(`{"content":[{"type":"text","text":"rain in %s"}]}`, city)
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
}
