package codec_test

import (
	"testing"

	"github.com/parley-mcp/parley/codec"
)

const (
	toolParams     = `{"name":"get_weather","arguments":{"location":"New York","days":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	questionResult = `{"resultType":"input_required","inputRequests":{"unit":{"method":"elicitation/create","params":{"message":"Which unit?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string"}},"required":["unit"]}}}},"requestState":"s"}`
)

// BenchmarkMessage is a request without a state and a result that asks, on raw
// JSON; the peers are beside the benchmarks of hosts/go.
func BenchmarkMessage(b *testing.B) {
	g := newGuard(b, codec.GuardOptions{})
	params, result := []byte(toolParams), []byte(questionResult)
	b.ReportAllocs()
	for b.Loop() {
		_, x, err := g.Inbound("tools/call", params, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Outbound(x, result); err != nil {
			b.Fatal(err)
		}
	}
}
