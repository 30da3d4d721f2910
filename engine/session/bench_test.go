package session_test

import (
	"fmt"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// BenchmarkInFlight is one call of one leg while so many others are in flight
// that the server answers in the order in which they were begun.
func BenchmarkInFlight(b *testing.B) {
	for _, others := range []int{1, 100, 10_000, 100_000} {
		b.Run(fmt.Sprint(others), func(b *testing.B) {
			s, err := session.New(session.Options{Known: "2026-07-28"})
			if err != nil {
				b.Fatal(err)
			}
			calls := 0
			begin := func() {
				calls++
				number, err := s.Call("tools/call", []byte(`{"name":"t"}`), engine.Options{})
				if err != nil {
					b.Fatal(err)
				}
				s.Step(0, session.To{Call: number, Event: engine.Begin{}})
			}
			for range others {
				begin()
			}
			b.ReportAllocs()
			for b.Loop() {
				begin()
				done := calls - others
				body := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}`, done)
				if actions, err := s.Step(0, session.Message{Exchange: done, Status: 200, Body: body, Last: true}); err != nil || len(actions) == 0 {
					b.Fatal(actions, err)
				}
				s.Free(done)
			}
		})
	}
}
