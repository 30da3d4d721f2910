package parley_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// BenchmarkLarge is a call whose result has 10 MB, of bytes that nobody has to
// look at or of those that cost most, in a session, which feeds slices, and in a
// core that is given it whole.
func BenchmarkLarge(b *testing.B) {
	const size = 10 << 20
	for kind, text := range map[string]string{"plain": "x", "backslashes": `\\\\`} {
		body := []byte(`{"content":[{"type":"text","text":"` + strings.Repeat(text, size/len(text)) + `"}]}`)
		for _, name := range []string{"native", "wazero"} {
			b.Run(fmt.Sprintf("session/%s/%s", kind, name), func(b *testing.B) {
				peer := &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
					p := a.(session.Post)
					report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), readRPC(p.Body).ID, []byte(`,"result":`), body, []byte("}"))}, nil)
				}}
				s := newSession(b, benchEngine(b, name), peer, parley.SessionOptions{})
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					out, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
					if err != nil || len(out.Result) != len(body) {
						b.Fatal(err)
					}
				}
			})
			b.Run(fmt.Sprintf("core/%s/%s", kind, name), func(b *testing.B) {
				e := benchEngine(b, name)
				response := slices.Concat([]byte(`{"jsonrpc":"2.0","id":1,"result":`), body, []byte("}"))
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					core, err := e.NewSessionCore(session.Options{Transport: session.Requests})
					if err != nil {
						b.Fatal(err)
					}
					call, err := core.Call("tools/call", []byte(`{"name":"t"}`), engine.Options{})
					if err != nil {
						b.Fatal(err)
					}
					core.Step(0, session.To{Call: call, Event: engine.Begin{}})
					actions, err := core.Step(0, session.Message{Exchange: 1, Body: response, Last: true})
					if err != nil {
						b.Fatal(err)
					}
					if done, ok := actions[0].(session.From).Action.(engine.Done); !ok || len(done.Result) != len(body) {
						b.Fatal(actions)
					}
					core.Close()
				}
			})
		}
	}
}

func benchEngine(b *testing.B, name string) parley.Engine {
	if name == "native" {
		return parley.Native{}
	}
	return newRuntime(b, parley.RuntimeOptions{})
}

var octocat = hosttest.Callbacks{Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
	return []byte(`{"action":"accept","content":{"name":"octocat"}}`), nil
}}}

// BenchmarkSessionAtOnce makes 10,000 calls through one session, all of which
// are at their question before any is answered.
func BenchmarkSessionAtOnce(b *testing.B) {
	const calls = 10_000
	for _, name := range []string{"native", "wazero"} {
		b.Run(name, func(b *testing.B) {
			e := benchEngine(b, name)
			for b.Loop() {
				_, s, err := hosttest.SessionBenchmark(e, hosttest.NewPeer(hosttest.ScriptedAnswers(2)...), engine.Options{})
				must(b, err)
				must(b, hosttest.CallsAtOnce(s, calls))
				must(b, s.Close())
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/calls, "us/call")
		})
	}
}

// BenchmarkLong is a call whose result has 10 MB, of plain text and of what costs
// the most to read.
func BenchmarkLong(b *testing.B) {
	for _, kind := range []string{"a type at last", "backslashes"} {
		result := worst(10 << 20)[kind]
		for _, name := range []string{"native", "wazero"} {
			b.Run(name+"/"+kind, func(b *testing.B) {
				s := newSession(b, benchEngine(b, name), answers(func(rpc) {}, result), parley.SessionOptions{})
				b.SetBytes(int64(len(result)))
				b.ReportAllocs()
				for b.Loop() {
					out, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: named("t")})
					if err != nil || len(out.Result) != len(result) {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
