package codec_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
)

const (
	toolParams = `{"name":"get_weather","arguments":{"location":"New York","days":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	question   = `"inputRequests":{"unit":{"method":"elicitation/create","params":{"message":"Which unit?","requestedSchema":{"type":"object","properties":{"unit":{"type":"string"}},"required":["unit"]}}}}`
)

func newGuard(t testing.TB, o codec.GuardOptions) *codec.Guard {
	t.Helper()
	key, err := codec.NewKey(codec.SuiteXChaCha, make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := codec.NewKeyRing(key)
	if err != nil {
		t.Fatal(err)
	}
	o.Codec, err = codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o.Audience, o.Env = "test", codec.Env{Rand: rand.Reader, Now: time.Now}
	g, err := codec.NewGuard(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func BenchmarkGuard(b *testing.B) {
	g := newGuard(b, codec.GuardOptions{})
	state := string(make([]byte, 200))
	binding := codec.Binding{Method: "tools/call", Target: "get_weather", Arguments: []byte(`{"location":"New York","days":3}`)}
	_, x, _ := g.Open(binding, nil, nil)
	token, err := g.Seal(x, &state, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, x, _ := g.Open(binding, nil, nil)
			if _, err := g.Seal(x, &state, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := g.Open(binding, token, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("inbound", func(b *testing.B) {
		b.ReportAllocs()
		params := []byte(toolParams)
		_, x, _ := g.Inbound("tools/call", params, nil)
		result, err := g.Outbound(x, []byte(`{"resultType":"input_required",`+question+`,"requestState":"s"}`))
		b.Logf("%s %v", result, err)
		for b.Loop() {
			_, x, _ := g.Inbound("tools/call", params, nil)
			if _, err := g.Outbound(x, []byte(`{"resultType":"input_required",`+question+`,"requestState":"s"}`)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
