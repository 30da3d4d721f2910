package parley_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// BenchmarkFlow times one whole call made by hand, and BenchmarkRequests the
// same in a session over somebody else's connection. tests/peers has the official
// SDK beside them.
func BenchmarkFlow(b *testing.B) { calls(b, hosttest.BenchFlow) }

func BenchmarkRequests(b *testing.B) { calls(b, hosttest.BenchRequests) }

func calls(b *testing.B, bench func(b *testing.B, e parley.Engine, legs int)) {
	for _, legs := range []int{1, 2, 10} {
		name := fmt.Sprintf("legs=%d", legs)
		b.Run("native/"+name, func(b *testing.B) { bench(b, parley.Native{}, legs) })
		b.Run("wazero/"+name, func(b *testing.B) { bench(b, newRuntime(b, parley.RuntimeOptions{}), legs) })
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

// BenchmarkWaiting keeps 10,000 calls open, each with one question, and reports
// what one of them holds.
func BenchmarkWaiting(b *testing.B) {
	const flows = 10_000
	ask := engine.Response{Leg: 1, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(1, 2) + `}`)}
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
