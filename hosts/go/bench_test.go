package parley_test

import (
	"fmt"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// BenchmarkFlow times one whole call made by hand, BenchmarkSession the same in a
// session that speaks the protocol, and BenchmarkRequests in one over somebody
// else's connection. tests/peers has these rows beside those of other clients.
func BenchmarkFlow(b *testing.B) {
	calls(b, func(e parley.Engine, peer *hosttest.Peer) hosttest.Benchmark { return hosttest.FlowBenchmark(e, peer) })
}

func BenchmarkSession(b *testing.B) {
	calls(b, func(e parley.Engine, peer *hosttest.Peer) hosttest.Benchmark { return inSession(b, e, peer) })
}

func BenchmarkRequests(b *testing.B) {
	calls(b, func(e parley.Engine, peer *hosttest.Peer) hosttest.Benchmark {
		return inSession(b, e, hosttest.RequestsTo(peer))
	})
}

func inSession(b *testing.B, e parley.Engine, transport parley.Transport) hosttest.Benchmark {
	call, s, err := hosttest.SessionBenchmark(e, transport, engine.Options{})
	must(b, err)
	b.Cleanup(func() { must(b, s.Close()) })
	return call
}

func calls(b *testing.B, of func(parley.Engine, *hosttest.Peer) hosttest.Benchmark) {
	for _, legs := range []int{1, 2, 10} {
		for _, name := range []string{"native", "wazero"} {
			b.Run(fmt.Sprintf("%s/legs=%d", name, legs), func(b *testing.B) {
				call := of(benchEngine(b, name), hosttest.NewPeer(hosttest.ScriptedAnswers(legs)...))
				b.ReportAllocs()
				for b.Loop() {
					must(b, call())
				}
			})
		}
	}
}

// BenchmarkSteps is the engine's share of a call of two legs: the same events
// without a driver, callbacks or envelopes.
func BenchmarkSteps(b *testing.B) {
	for name, e := range map[string]parley.Engine{"native": parley.Native{}, "wazero": newRuntime(b, parley.RuntimeOptions{})} {
		b.Run(name, func(b *testing.B) {
			params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
			events := []engine.Event{
				engine.Begin{},
				engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(1, 2) + `}`)},
				engine.Answer{Ask: 1, Raw: []byte(`{"action":"accept","content":{"name":"octocat"}}`)},
				engine.Response{Leg: 2, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":` + hosttest.ScriptedAnswer(2, 2) + `}`)},
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
