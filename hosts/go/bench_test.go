package parley_test

import (
	"fmt"
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// BenchmarkCore times one whole call by a session that is stepped by hand, BenchmarkSession
// the same with a driver and a transport, and BenchmarkRequests over somebody
// else's connection. tests/peers has these rows beside those of other clients.
func BenchmarkCore(b *testing.B) {
	calls(b, func(e parley.Engine, peer *hosttest.Peer) hosttest.Benchmark {
		call, err := hosttest.CoreBenchmark(e, peer)
		must(b, err)
		return call
	})
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
