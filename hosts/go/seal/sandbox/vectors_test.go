package sandbox_test

import (
	"io"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/wasm"
)

// TestVectors replays the codec's vectors against the module behind this
// package's types: tokens, results and errors must be the very bytes.
func TestVectors(t *testing.T) {
	h := &vectors{t: t, rt: newRuntime(t, sandbox.RuntimeOptions{}), bare: hosttest.NewModule(t, wasm.Codec())}
	codectest.Vectors(t, "../../../../codec/testdata/vectors", h, nil)
	if h.made == 0 {
		t.Error("no vector made a codec, box or guard")
	}
}

// vectors replays vectors under wazero. What a Go host has no use for in the
// sandbox, canonical forms and digests, it asks the bare exports.
type vectors struct {
	t    testing.TB
	rt   *sandbox.Runtime
	bare hosttest.Module
	made int
}

// keep closes what a vector made, and so checks that it leaves nothing live.
func keep[T io.Closer](h *vectors, made T, err error) (T, error) {
	if err == nil {
		h.made++
		h.t.Cleanup(func() {
			if err := made.Close(); err != nil {
				h.t.Error(err)
			}
		})
	}
	return made, err
}

func (h *vectors) Codec(keys []byte, o codec.CodecOptions, env codec.Env) (codec.Codec, error) {
	env.Rand = &padded{env.Rand, tokenEntropy(keys)}
	c, err := h.rt.NewCodec(keys, o, env)
	return keep(h, c, err)
}

func (h *vectors) Box(keys []byte) (codectest.Box, error) {
	b, err := h.rt.NewBox(keys)
	return keep(h, b, err)
}

func (h *vectors) Guard(keys []byte, maxToken int, o codec.GuardOptions) (codectest.Guard, error) {
	o.Env.Rand = &padded{o.Env.Rand, 8 + tokenEntropy(keys)}
	g, err := h.rt.NewGuard(keys, codec.CodecOptions{MaxToken: maxToken}, o)
	g, err = keep(h, g, err)
	return sandboxGuard{g, h}, err
}

func (h *vectors) Canonical(json []byte) ([]byte, bool) {
	size := int32(h.bare.Call("parley_canonical", h.bare.Write(json)))
	if size < 0 {
		return nil, false
	}
	return h.bare.Answer(uint32(size)), true
}

func (h *vectors) Question(key, method string, params []byte) ([16]byte, error) {
	request := appendParams(codecwire.AppendField(codecwire.AppendField(nil, key), method), params)
	size := int32(h.bare.Call("parley_question", h.bare.Write(request)))
	if size < 0 {
		_, err := codec.Question{Key: key, Method: method, Params: params}.Digest()
		if err == nil || err.(*codec.Error).Code != refusal.Code(-size) {
			h.t.Errorf("question: the module failed with %d, native: %v", -size, err)
		}
		return [16]byte{}, err
	}
	return [16]byte(h.bare.Answer(uint32(size))), nil
}

func appendParams(dst, params []byte) []byte {
	if params == nil {
		return codecwire.AppendAbsent(dst)
	}
	return codecwire.AppendField(dst, params)
}

type sandboxGuard struct {
	*sandbox.Guard
	h *vectors
}

func (g sandboxGuard) Inbound(method string, params []byte, principal *string) ([]byte, codectest.Exchange, error) {
	opened, x, err := g.Guard.Inbound(method, params, principal)
	if x == nil {
		return opened, nil, err
	}
	return opened, sandboxExchange{x, g.h}, err
}

func (g sandboxGuard) Outbound(x codectest.Exchange, result []byte) ([]byte, error) {
	guarded, _ := x.(sandboxExchange)
	return g.Guard.Outbound(guarded.Exchange, result)
}

type sandboxExchange struct {
	*codec.Exchange
	h *vectors
}

// Verdict asks the module, and holds package codec's to it.
func (x sandboxExchange) Verdict(key, method string, params []byte) codec.Verdict {
	exchange, _ := x.AppendBinary(nil)
	request := codecwire.AppendField(nil, exchange)
	request = appendParams(codecwire.AppendField(codecwire.AppendField(request, key), method), params)
	got := codec.Verdict(x.h.bare.Call("parley_guard_verdict", x.h.bare.Write(request)))
	if native := x.Exchange.Verdict(key, method, params); native != got {
		x.h.t.Errorf("verdict on %q: the module says %v, native %v", key, got, native)
	}
	return got
}

// tokenEntropy is how many random bytes a token of these keys is made with.
func tokenEntropy(keys []byte) int {
	if ring, err := codec.ParseKeyRing(keys); err == nil && ring.Active().Suite() != codec.SuiteXChaCha {
		return 32
	}
	return 0
}

// padded gives the few bytes that a vector brings, and zeros for what suite 11
// does not use of a call's entropy.
type padded struct {
	io.Reader
	used int
}

func (p *padded) Read(out []byte) (int, error) {
	if n, err := io.ReadFull(p.Reader, out[:p.used]); err != nil {
		return n, err
	}
	clear(out[p.used:])
	return len(out), nil
}
