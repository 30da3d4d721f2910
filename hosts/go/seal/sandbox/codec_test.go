package sandbox_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

func TestMain(m *testing.M) { os.Exit(hosttest.Main(m)) }

var (
	_ store.Box   = (*sandbox.Box)(nil)
	_ codec.Codec = (*sandbox.Codec)(nil)
)

func TestWasmCodec(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	for name, suite := range map[string]byte{"aead": codec.SuiteXChaCha, "age compact": codec.SuiteAgeCompact, "age file": codec.SuiteAgeFile} {
		t.Run(name, func(t *testing.T) {
			codectest.Run(t, wasmCodec(t, rt, newKeys(t, suite)), wasmCodec(t, rt, newKeys(t, suite)), codec.DefaultMaxToken)
		})
	}
}

func TestWasmBox(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	keys := newKeys(t, codec.SuiteXChaCha)
	made, err := rt.NewBox(keys)
	wasm := closing(t, made, err)
	ring, err := codec.ParseKeyRing(keys)
	check(t, err)
	native, err := codec.NewBox(ring)
	check(t, err)
	under := []byte("parley-snapshot/1some-call")
	for _, size := range []int{0, 1, 5000, codec.MaxBox} {
		plaintext := make([]byte, size)
		rand.Read(plaintext)
		sealed, err := wasm.SealBytes(plaintext, under)
		check(t, err)
		if same, err := native.SealBytes(plaintext, under); err != nil || !bytes.Equal(sealed, same) {
			t.Errorf("%d bytes: native seals otherwise: %v", size, err)
		}
		opened, err := wasm.OpenBytes(sealed, under)
		if err != nil || opened == nil || !bytes.Equal(opened, plaintext) {
			t.Errorf("%d bytes: opened %d, %v", size, len(opened), err)
		}
		sealed[len(sealed)-1] ^= 1
		if opened, err := wasm.OpenBytes(sealed, under); opened != nil || !errors.Is(err, refusal.Forged) {
			t.Errorf("%d bytes, changed: got %d bytes, %v", size, len(opened), err)
		}
	}
	for name, do := range map[string]func(store.Box) error{
		"seal":  func(b store.Box) error { _, err := b.SealBytes(make([]byte, codec.MaxBox+1), under); return err },
		"open":  func(b store.Box) error { _, err := b.OpenBytes(make([]byte, codec.MaxBox+46), under); return err },
		"short": func(b store.Box) error { _, err := b.OpenBytes(make([]byte, 44), under); return err },
		"key":   func(b store.Box) error { _, err := b.OpenBytes(make([]byte, 45), under); return err },
	} {
		sameError(t, name, do(wasm), do(native))
	}
}

// What cannot be made fails in the sandbox as it does natively.
func TestWasmOptions(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	keys := string(newKeys(t, codec.SuiteXChaCha))
	tests := map[string]struct {
		keys  string
		codec codec.CodecOptions
		guard codec.GuardOptions
	}{
		"no keys":        {keys: "# none\n"},
		"key twice":      {keys: keys + keys},
		"no key":         {keys: keys + "parley-key/1 11 AAAA\n"},
		"token":          {keys: keys, codec: codec.CodecOptions{MaxToken: codec.MaxToken + 1}},
		"negative token": {keys: keys, codec: codec.CodecOptions{MaxToken: -1}},
		"token over u32": {keys: keys, codec: codec.CodecOptions{MaxToken: math.MaxUint32 + 1001}},
		"no audience":    {keys: keys},
		"ttl":            {keys: keys, guard: codec.GuardOptions{Audience: "a", TTL: codec.MaxTTL + time.Second}},
		"long ttl":       {keys: keys, guard: codec.GuardOptions{Audience: "a", TTL: math.MaxInt64}},
		"negative ttl":   {keys: keys, guard: codec.GuardOptions{Audience: "a", TTL: -1}},
		"flow age":       {keys: keys, guard: codec.GuardOptions{Audience: "a", MaxFlowAge: -1}},
		"rounds":         {keys: keys, guard: codec.GuardOptions{Audience: "a", MaxRounds: 256}},
		"no rounds":      {keys: keys, guard: codec.GuardOptions{Audience: "a", MaxRounds: -1}},
		"single use":     {keys: keys, guard: codec.GuardOptions{Audience: "a", SingleUse: []string{"t"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := rt.NewGuard([]byte(tt.keys), tt.codec, tt.guard)
			var native codec.Codec
			ring, want := codec.ParseKeyRing([]byte(tt.keys))
			if want == nil {
				native, want = codec.NewAEAD(ring, tt.codec)
			}
			if want == nil {
				tt.guard.Codec, tt.guard.Env = native, codec.Env{Rand: rand.Reader, Now: time.Now}
				_, want = codec.NewGuard(tt.guard)
			}
			if want == nil {
				t.Fatal("it can be made natively")
			}
			sameError(t, "guard", err, want)
		})
	}
	_, err := rt.NewGuard([]byte(keys), codec.CodecOptions{}, codec.GuardOptions{Audience: "a", Codec: &codec.AEAD{}})
	if !errors.Is(err, refusal.Options) {
		t.Errorf("a Codec beside the module's: got %v, want %v", err, refusal.Options)
	}
}

// Two instances with the same keys at the same time must never mint the same
// token: that is what randomness from the host is for.
func TestFreshInstances(t *testing.T) {
	rt, keys := newRuntime(t, sandbox.RuntimeOptions{}), newKeys(t, codec.SuiteXChaCha)
	mint := func(env codec.Env) string { // each guard has instances of its own
		return begin(t, wasmGuard(t, rt, keys, codec.GuardOptions{Env: env}), "")
	}
	frozen := func() time.Time { return time.Unix(1_800_000_000, 0) }
	seen := map[string]bool{}
	for range 3 {
		seen[mint(codec.Env{Now: frozen})] = true
	}
	if len(seen) != 3 {
		t.Errorf("three fresh instances minted %d different tokens", len(seen))
	}
	fixed := func() codec.Env { return codec.Env{Now: frozen, Rand: bytes.NewReader(make([]byte, 40))} }
	if mint(fixed()) != mint(fixed()) {
		t.Error("with the same randomness the tokens differ: something else in the instance does")
	}
}

// A state goes through instances, sandboxed or not, as if there were one.
func TestGuardMoves(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	keys := newKeys(t, codec.SuiteXChaCha)
	sandboxed, native := wasmGuard(t, rt, keys, codec.GuardOptions{}), nativeGuard(t, keys, codec.GuardOptions{})
	token := ""
	for i, legs := range [][2]guard{{sandboxed, native}, {native, sandboxed}, {sandboxed, sandboxed}, {native, native}} {
		opened, x, err := legs[0].Inbound("tools/call", params(token), nil)
		check(t, err)
		if i > 0 && !strings.Contains(string(opened), `"requestState":"the state"`) {
			t.Errorf("leg %d: got %s", i, opened)
		}
		result, err := legs[1].Outbound(x, []byte(`{"resultType":"input_required","requestState":"the state"}`))
		check(t, err)
		token = stateOf(t, result)
	}
}

// Nothing of a request that makes the instance trap is released, and the next
// request gets a new instance.
func TestTrap(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{MemoryLimit: 1 << 20, Instances: 1})
	keys := newKeys(t, codec.SuiteXChaCha)
	g := wasmGuard(t, rt, keys, codec.GuardOptions{})
	token := begin(t, g, "")
	large := []byte(`{"name":"get_weather","arguments":{"x":"` + strings.Repeat("x", 2<<20) + `"}}`)
	opened, x, err := g.Inbound("tools/call", large, nil)
	var failed *codec.Error
	if opened != nil || x != nil || !errors.Is(err, sandbox.ErrInstance) || !errors.As(err, &failed) {
		t.Fatalf("got %d bytes, %v, %v; want ErrInstance", len(opened), x, err)
	}
	if code, _, _ := failed.Response(); code != -32603 {
		t.Errorf("the client gets %d, want -32603: its state is not at fault", code)
	}
	if _, _, err := g.Inbound("tools/call", params(token), nil); err != nil {
		t.Errorf("after a trap: %v", err)
	}
}

// One large request must not leave an instance large for good.
func TestLargeRequest(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{Instances: 1})
	g := wasmGuard(t, rt, newKeys(t, codec.SuiteXChaCha), codec.GuardOptions{})
	token := begin(t, g, "")
	settled := rt.Memory()
	large := []byte(`{"name":"get_weather","arguments":{"x":"` + strings.Repeat("x", 8<<20) + `"}}`)
	if _, _, err := g.Inbound("tools/call", large, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := g.Inbound("tools/call", params(token), nil); err != nil {
		t.Fatal(err)
	}
	if got := rt.Memory(); got > settled {
		t.Errorf("the instances hold %d bytes, before the large request %d", got, settled)
	}
}

func TestRandomnessFails(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{})
	keys := newKeys(t, codec.SuiteXChaCha)
	broken := codec.Env{Rand: strings.NewReader("too few"), Now: time.Now}
	c, err := rt.NewCodec(keys, codec.CodecOptions{}, broken)
	_, err = closing(t, c, err).Seal(nil, nil)
	if !errors.Is(err, refusal.Rand) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Seal: got %v, want %v", err, refusal.Rand)
	}
	for name, g := range map[string]guard{
		"native": nativeGuard(t, keys, codec.GuardOptions{Env: broken}),
		"wazero": wasmGuard(t, rt, keys, codec.GuardOptions{Env: broken}),
	} {
		_, x, err := g.Inbound("tools/call", params(""), nil)
		check(t, err)
		if sealed, err := g.Outbound(x, []byte(`{"resultType":"input_required","requestState":"s"}`)); sealed != nil || !errors.Is(err, refusal.Rand) {
			t.Errorf("%s: got %q, %v, want %v", name, sealed, err, refusal.Rand)
		}
		final := []byte(`{"content":[]}`)
		if sealed, err := g.Outbound(x, final); err != nil || !bytes.Equal(sealed, final) {
			t.Errorf("%s: a result that needs no randomness: got %q, %v", name, sealed, err)
		}
	}
}

// TestGuardConcurrent uses one sandboxed guard from more goroutines than it has
// instances, with single use, and closes it under them at the end.
func TestGuardConcurrent(t *testing.T) {
	rt := newRuntime(t, sandbox.RuntimeOptions{Instances: 2})
	g, err := rt.NewGuard(newKeys(t, codec.SuiteXChaCha), codec.CodecOptions{}, codec.GuardOptions{
		Audience: "test", Replay: new(seal.MemoryReplay), SingleUse: []string{"get_weather"},
	})
	check(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				token := begin(t, g, "")
				var once sync.WaitGroup
				var mu sync.Mutex
				opened := 0
				for range 2 {
					once.Go(func() {
						_, _, err := g.Inbound("tools/call", params(token), nil)
						mu.Lock()
						defer mu.Unlock()
						switch {
						case err == nil:
							opened++
						case !errors.Is(err, refusal.Replayed):
							t.Errorf("got %v, want %v", err, refusal.Replayed)
						}
					})
				}
				once.Wait()
				if opened != 1 {
					t.Errorf("a state that may be used once opened %d times", opened)
				}
			}
		})
	}
	all.Wait()

	var busy sync.WaitGroup
	busy.Add(8)
	for range 8 {
		all.Go(func() {
			begun := sync.OnceFunc(busy.Done)
			defer begun()
			for {
				_, x, err := g.Inbound("tools/call", params(""), nil)
				if err == nil {
					_, err = g.Outbound(x, []byte(`{"resultType":"input_required","requestState":"s"}`))
				}
				if errors.Is(err, sandbox.ErrInstance) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				begun()
			}
		})
	}
	busy.Wait()
	if err := g.Close(); err != nil { // which finds handles that are left
		t.Error(err)
	}
	all.Wait()
	check(t, g.Close())
}

func TestRuntimeCloseEndsCodecs(t *testing.T) {
	rt, err := sandbox.NewRuntime(sandbox.RuntimeOptions{CacheDir: hosttest.Compiled})
	check(t, err)
	keys := newKeys(t, codec.SuiteXChaCha)
	c, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{})
	check(t, err)
	check(t, rt.Close())
	if _, err := c.Seal(nil, nil); !errors.Is(err, sandbox.ErrInstance) {
		t.Errorf("Seal: got %v, want ErrInstance", err)
	}
	check(t, c.Close())
	if _, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{}); !errors.Is(err, sandbox.ErrInstance) {
		t.Errorf("NewCodec: got %v, want ErrInstance", err)
	}
}

func wasmCodec(t testing.TB, rt *sandbox.Runtime, keys []byte) codec.Codec {
	t.Helper()
	c, err := rt.NewCodec(keys, codec.CodecOptions{}, codec.Env{})
	return closing(t, c, err)
}

func wasmGuard(t testing.TB, rt *sandbox.Runtime, keys []byte, o codec.GuardOptions) *sandbox.Guard {
	t.Helper()
	o.Audience = "test"
	g, err := rt.NewGuard(keys, codec.CodecOptions{}, o)
	return closing(t, g, err)
}

func nativeGuard(t testing.TB, keys []byte, o codec.GuardOptions) *codec.Guard {
	t.Helper()
	ring, err := codec.ParseKeyRing(keys)
	check(t, err)
	if o.Codec, err = codec.NewAEAD(ring, codec.CodecOptions{}); err != nil {
		t.Fatal(err)
	}
	o.Audience = "test"
	if o.Env.Rand == nil {
		o.Env = codec.Env{Rand: rand.Reader, Now: time.Now}
	}
	g, err := codec.NewGuard(o)
	check(t, err)
	return g
}

// begin makes a call whose handler asks for more and sets a state, and returns
// the token that the client gets.
func begin(t testing.TB, g guard, token string) string {
	t.Helper()
	_, x, err := g.Inbound("tools/call", params(token), nil)
	check(t, err)
	result, err := g.Outbound(x, []byte(`{"resultType":"input_required","requestState":"the state"}`))
	check(t, err)
	return stateOf(t, result)
}

func params(token string) []byte {
	text := `{"name":"get_weather","arguments":{"location":"New York"}`
	if token != "" {
		text += `,"requestState":"` + token + `"`
	}
	return []byte(text + "}")
}

func stateOf(t testing.TB, result []byte) string {
	t.Helper()
	var r struct{ RequestState string }
	if err := json.Unmarshal(result, &r); err != nil || r.RequestState == "" {
		t.Fatalf("there is no state in the result: %v", err)
	}
	return r.RequestState
}

func sameError(t testing.TB, what string, got, want error) {
	t.Helper()
	var g, w *codec.Error
	if !errors.As(got, &g) || !errors.As(want, &w) || g.Code != w.Code || g.Detail != w.Detail || g.Minting != w.Minting {
		t.Errorf("%s: got %#v, want %#v", what, got, want)
	}
}

// closing closes what a constructor made when the test is over, which checks
// that its instances hold nothing.
func closing[T io.Closer](t testing.TB, made T, err error) T {
	t.Helper()
	check(t, err)
	t.Cleanup(func() { check(t, made.Close()) })
	return made
}

// guard is a [codec.Guard], in a sandbox or not.
type guard interface {
	Inbound(method string, params []byte, principal *string) (opened []byte, x *codec.Exchange, err error)
	Outbound(x *codec.Exchange, result []byte) (sealed []byte, err error)
}

func newRuntime(t testing.TB, opts sandbox.RuntimeOptions) *sandbox.Runtime {
	t.Helper()
	opts.CacheDir = hosttest.Compiled
	rt, err := sandbox.NewRuntime(opts)
	check(t, err)
	t.Cleanup(func() { check(t, rt.Close()) })
	return rt
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ids(t testing.TB, file []byte) (all []codec.KeyID) {
	t.Helper()
	ring, err := codec.ParseKeyRing(file)
	check(t, err)
	for _, key := range ring.Keys() {
		all = append(all, key.ID())
	}
	return all
}

func newKeys(t testing.TB, suite byte) []byte {
	t.Helper()
	keys, err := seal.GenerateKey(suite)
	check(t, err)
	return keys
}
