package parley_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// BenchmarkCall times one whole call on the client's side, from the caller's
// params to the final result: the peer is a script that answers with ready
// JSON text. gosdk is the official SDK's own loop on the same script. Both
// sides make and read JSON-RPC text for every leg.
func BenchmarkCall(b *testing.B) {
	for _, legs := range []int{1, 2, 10} {
		name := fmt.Sprintf("legs=%d", legs)
		b.Run("native/"+name, func(b *testing.B) { benchParley(b, parley.Native{}, legs) })
		b.Run("wazero/"+name, func(b *testing.B) { benchParley(b, newRuntime(b, parley.RuntimeOptions{}), legs) })
		b.Run("gosdk/"+name, func(b *testing.B) { benchSDK(b, legs) })
	}
}

// scriptedAnswer is the peer's answer to a leg: a round with one question, or
// the final result.
func scriptedAnswer(leg, legs int) string {
	if leg == legs {
		return `{"resultType":"complete","content":[{"type":"text","text":"It is 18 degrees in New York."}],"isError":false}`
	}
	return `{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Please provide your GitHub username",` +
		`"requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}},` +
		`"requestState":"EctyVi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04` + strconv.Itoa(leg) + `"}`
}

func benchParley(b *testing.B, e parley.Engine, legs int) {
	ctx := context.Background()
	params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
	info := []byte(`{"name":"bench","version":"1"}`)
	var answers [][]byte
	for leg := range legs {
		answers = append(answers, []byte(`{"jsonrpc":"2.0","id":1,"result":`+scriptedAnswer(leg+1, legs)+`}`))
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

func benchSDK(b *testing.B, legs int) {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "octocat"}}, nil
		},
	})
	session, err := client.Connect(ctx, &scriptedPeer{legs: legs, answers: make(chan []byte, 1)}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	params := &mcp.CallToolParams{Name: "get_weather", Arguments: map[string]any{"location": "New York"}}
	b.ReportAllocs()
	for b.Loop() {
		result, err := session.CallTool(ctx, params)
		if err != nil || len(result.Content) == 0 {
			b.Fatal(err)
		}
	}
}

// scriptedPeer is a transport and connection of the SDK whose other side is
// the script.
type scriptedPeer struct {
	legs, leg int
	answers   chan []byte
}

func (p *scriptedPeer) Connect(context.Context) (mcp.Connection, error) { return p, nil }

func (p *scriptedPeer) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case text, ok := <-p.answers:
		if !ok {
			return nil, mcp.ErrConnectionClosed
		}
		return jsonrpc.DecodeMessage(text)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *scriptedPeer) Write(_ context.Context, message jsonrpc.Message) error {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return nil
	}
	if _, err := jsonrpc.EncodeMessage(message); err != nil {
		return err
	}
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`
	if request.Method == "tools/call" {
		p.leg = p.leg%p.legs + 1
		result = scriptedAnswer(p.leg, p.legs)
	}
	id, err := json.Marshal(request.ID.Raw())
	if err != nil {
		return err
	}
	p.answers <- []byte(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + `}`)
	return nil
}

func (p *scriptedPeer) Close() error {
	defer func() { recover() }() // Close may be called more than once
	close(p.answers)
	return nil
}

func (p *scriptedPeer) SessionID() string { return "" }

// BenchmarkSteps is the engine's share of a call of two legs: the same events
// without a driver, callbacks or envelopes.
func BenchmarkSteps(b *testing.B) {
	for name, e := range map[string]parley.Engine{"native": parley.Native{}, "wazero": newRuntime(b, parley.RuntimeOptions{})} {
		b.Run(name, func(b *testing.B) {
			params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
			events := []engine.Event{
				engine.Begin{},
				engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + scriptedAnswer(1, 2) + `}`)},
				engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)},
				engine.Response{Leg: 2, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":` + scriptedAnswer(2, 2) + `}`)},
			}
			b.ReportAllocs()
			for b.Loop() {
				flow, err := e.NewFlow("tools/call", params, engine.Options{Capabilities: []byte(`{"elicitation":{}}`)})
				if err != nil {
					b.Fatal(err)
				}
				for _, event := range events {
					if _, err := flow.Step(0, event); err != nil {
						b.Fatal(err)
					}
				}
				flow.Close()
			}
		})
	}
}

// BenchmarkWaiting keeps 10,000 calls open, each with one question, and reports
// what one of them holds.
func BenchmarkWaiting(b *testing.B) {
	const flows = 10_000
	ask := engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + scriptedAnswer(1, 2) + `}`)}
	open := func(b *testing.B, e parley.Engine) {
		for range flows {
			flow, err := e.NewFlow("tools/call", []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`), engine.Options{Capabilities: []byte(`{"elicitation":{}}`)})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(flow.Close)
			for _, event := range []engine.Event{engine.Begin{}, ask} {
				if _, err := flow.Step(0, event); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("native", func(b *testing.B) {
		for b.Loop() {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			open(b, parley.Native{})
			runtime.GC()
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/flows, "bytes/flow")
		}
	})
	b.Run("wasm", func(b *testing.B) {
		for b.Loop() {
			rt := newRuntime(b, parley.RuntimeOptions{Instances: 1})
			open(b, rt)
			b.ReportMetric(float64(rt.Memory())/flows, "bytes/flow")
		}
	})
}
