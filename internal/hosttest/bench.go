package hosttest

import (
	"context"
	"strconv"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// ScriptedAnswer is the peer's answer to a leg of a benchmark: a round with one
// question, or the final result.
func ScriptedAnswer(leg, legs int) string {
	if leg == legs {
		return `{"resultType":"complete","content":[{"type":"text","text":"It is 18 degrees in New York."}],"isError":false}`
	}
	return `{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Please provide your GitHub username",` +
		`"requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}},` +
		`"requestState":"EctyVi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04` + strconv.Itoa(leg) + `"}`
}

// BenchFlow times one whole call on the client's side, from the caller's params
// to the final result, as a host makes it by hand: the peer is a script that
// answers with ready JSON text.
func BenchFlow(b *testing.B, e parley.Engine, legs int) {
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	info := []byte(`{"name":"bench","version":"1"}`)
	answers := scripted(legs)
	opts := engine.Options{Can: &engine.Can{Form: true}}
	b.ReportAllocs()
	for b.Loop() {
		flow, err := e.NewFlow("tools/call", params, opts)
		if err != nil {
			b.Fatal(err)
		}
		described, err := flow.Info()
		if err != nil {
			b.Fatal(err)
		}
		var next engine.Event = engine.Begin{}
		for next != nil {
			actions, err := flow.Step(0, next)
			if err != nil {
				b.Fatal(err)
			}
			next = nil
			for _, a := range actions {
				switch a := a.(type) {
				case engine.Send:
					if _, err := envelope.Append(nil, &envelope.Request{ID: 1, Method: a.Method, Params: a.Params, Capabilities: described.Capabilities, ClientInfo: info}); err != nil {
						b.Fatal(err)
					}
					next = engine.Response{Leg: a.Leg, Body: answers[a.Leg-1]}
				case engine.Ask:
					next = engine.Answer{Ask: a.ID, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)}
				case engine.Failed:
					b.Fatal(a.Detail)
				}
			}
		}
		flow.Close()
	}
}

// BenchRequests times the same call in a session over somebody else's
// connection.
func BenchRequests(b *testing.B, e parley.Engine, legs int) {
	ctx := context.Background()
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	answers := scripted(legs)
	send := parley.Requests(func(_ context.Context, r parley.Outbound) ([]byte, error) { return answers[r.Leg-1], nil })
	s, err := parley.NewSession(e, send, parley.SessionOptions{Askers: parley.Askers{
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return []byte(`{"action":"accept","content":{"name":"octocat"}}`), nil
		},
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	b.ReportAllocs()
	for b.Loop() {
		out, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: params})
		if err != nil || len(out.Result) == 0 {
			b.Fatal(err)
		}
	}
}

// scripted are the peer's responses to the legs of a call.
func scripted(legs int) (answers [][]byte) {
	for leg := range legs {
		answers = append(answers, []byte(`{"jsonrpc":"2.0","id":1,"result":`+ScriptedAnswer(leg+1, legs)+`}`))
	}
	return answers
}
