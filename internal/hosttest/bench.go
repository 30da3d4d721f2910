package hosttest

import (
	"context"
	"strconv"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
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

// BenchCall times one whole call on the client's side, from the caller's params
// to the final result: the peer is a script that answers with ready JSON text.
func BenchCall(b *testing.B, e parley.Engine, legs int) {
	ctx := context.Background()
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	info := []byte(`{"name":"bench","version":"1"}`)
	var answers [][]byte
	for leg := range legs {
		answers = append(answers, []byte(`{"jsonrpc":"2.0","id":1,"result":`+ScriptedAnswer(leg+1, legs)+`}`))
	}
	var sent int
	cb := parley.Callbacks{
		Send: func(_ context.Context, r parley.Request) ([]byte, error) {
			body, err := wire.AppendRequest(nil, &wire.Request{ID: 1, Method: r.Method, Params: r.Params, Capabilities: r.Capabilities, ClientInfo: info})
			if err != nil {
				return nil, err
			}
			sent += len(body)
			return answers[r.Leg-1], nil
		},
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return []byte(`{"action":"accept","content":{"name":"octocat"}}`), nil
		},
	}
	opts := engine.Options{Capabilities: cb.Capabilities()}
	b.ReportAllocs()
	for b.Loop() {
		out, err := parley.Call(ctx, e, "tools/call", params, opts, cb)
		if err != nil || len(out.Result) == 0 {
			b.Fatal(err)
		}
	}
}
