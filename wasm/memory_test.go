package wasm_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/wasm"
)

// instance is a bare module, as a host sees it.
type instance struct {
	t   *testing.T
	mod api.Module
}

func instantiate(t *testing.T, binary []byte) instance {
	t.Helper()
	rt, compiled := compile(t, binary)
	mod, err := rt.InstantiateModule(context.Background(), compiled, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	return instance{t, mod}
}

func (i instance) call(name string, args ...uint64) uint64 {
	i.t.Helper()
	out, err := i.mod.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		i.t.Fatalf("%s: %v", name, err)
	}
	if len(out) == 0 {
		return 0
	}
	return out[0]
}

func (i instance) write(text string) uint64 {
	i.t.Helper()
	if !i.mod.Memory().WriteString(uint32(i.call("parley_input", uint64(len(text)))), text) {
		i.t.Fatal("the input buffer is outside the memory")
	}
	return uint64(len(text))
}

// read is the answer of a call that returned its size.
func (i instance) read(size uint64) string {
	i.t.Helper()
	if int32(size) < 0 {
		i.t.Fatalf("error %d", int32(size))
	}
	view, _ := i.mod.Memory().Read(uint32(i.call("parley_output")), uint32(size))
	return string(view)
}

// flat makes calls and expects the linear memory not to grow once it has found
// its size, and nothing to be held at the end. most is in bytes, 0 for no bound.
func (i instance) flat(calls int, most uint32, f func()) {
	i.t.Helper()
	var settled uint32
	for n := range calls {
		f()
		if n == calls/20 {
			settled = i.mod.Memory().Size()
		}
	}
	switch got := i.mod.Memory().Size(); {
	case got != settled:
		i.t.Errorf("memory grew from %d to %d bytes", settled, got)
	case most > 0 && got > most:
		i.t.Errorf("memory is %d bytes, the budget is %d", got, most)
	}
	if n := i.call("parley_live"); n != 0 {
		i.t.Errorf("%d handles are still live", n)
	}
}

func TestEngineMemoryStaysFlat(t *testing.T) {
	i := instantiate(t, wasm.Engine())
	body := func(result string) string {
		return strconv.Quote(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)
	}
	ask := body(`{"resultType":"input_required","requestState":"` + strings.Repeat("s", 500) + `","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`)
	steps := []string{
		`{"type":"begin","call":1}`,
		`{"type":"message","exchange":1,"body":` + ask + `}`,
		`{"type":"answer","call":1,"ask":1,"raw":"{\"action\":\"decline\"}"}`,
		`{"type":"message","exchange":2,"body":` + body(`{"content":[]}`) + `}`,
	}
	i.flat(20_000, 0, func() {
		session := number(t, i.ask("parley_session_new", `{"transport":"requests"}`), "session")
		number(t, i.ask("parley_session_call", `{"method":"tools/call","params":"{}","options":{"capabilities":"{\"elicitation\":{}}"}}`, session), "call")
		var last string
		for _, step := range steps {
			last = i.ask("parley_session_step", step, session, api.EncodeF64(0))
		}
		if !strings.Contains(last, `"done"`) {
			t.Fatalf("the call did not end: %s", last)
		}
		i.call("parley_session_free", session)
	})
}

// What tokens need, with the module's data and stack.
const codecMemory = 384 << 10

func TestCodecMemoryStaysFlat(t *testing.T) {
	i := instantiate(t, wasm.Codec())
	const keys, now = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n", 1_800_000_000_000
	options := codecwire.AppendUint32(codecwire.AppendField(nil, keys), 0)
	options = codecwire.AppendField(options, "audience")
	for range 5 { // ttl, maxFlowAge, maxRounds, flags, single-use targets
		options = codecwire.AppendUint32(options, 0)
	}
	result := `{"resultType":"input_required","requestState":"` + strings.Repeat("s", 200) + `","inputRequests":{"a":{"method":"roots/list"}}}`
	entropy := strings.Repeat("e", 40)
	i.flat(10_000, codecMemory, func() {
		guard := i.call("parley_guard_new", i.write(string(options)))
		request := codecwire.AppendAbsent(codecwire.AppendField(codecwire.AppendField(nil, "tools/call"), `{"name":"t","arguments":{"a":[1,2,3]}}`))
		r := codecwire.Reader{Data: []byte(i.read(i.call("parley_guard_inbound", guard, api.EncodeF64(now), i.write(string(request)))))}
		unchanged, exchange := r.Field(), r.Field()
		if unchanged != nil || exchange == nil {
			t.Fatalf("inbound: got %q, %q", unchanged, exchange)
		}
		sealed := codecwire.AppendField(codecwire.AppendField(codecwire.AppendField(nil, exchange), entropy), result)
		r = codecwire.Reader{Data: []byte(i.read(i.call("parley_guard_outbound", guard, api.EncodeF64(now), i.write(string(sealed)))))}
		if got := r.Field(); !strings.Contains(string(got), `"requestState":"Ectyi7`) {
			t.Fatalf("outbound: got %q", got)
		}
		i.call("parley_free", guard)
	})
}

// The buffers that carried a key or a plaintext are zeroed. What is left of them
// elsewhere in the instance's memory goes with the instance.
func TestCodecWipes(t *testing.T) {
	i := instantiate(t, wasm.Codec())
	buffer := func(export string, args ...uint64) string {
		view, _ := i.mod.Memory().Read(uint32(i.call(export, args...)), 128)
		return string(view)
	}
	const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
	request := string(codecwire.AppendUint32(codecwire.AppendField(nil, keys), 0))
	size := i.write(request)
	if got := buffer("parley_input", 0); !strings.Contains(got, keys) {
		t.Fatalf("the input buffer holds %q", got)
	}
	codec := i.call("parley_codec_new", size)
	if got := buffer("parley_input", 0); strings.Contains(got, "AAECAw") {
		t.Errorf("after making a codec the input buffer holds %q", got)
	}
	const plaintext, context = "what nobody may read", "parley-guard/1"
	token := i.read(i.call("parley_codec_seal", codec, uint64(len(context)), i.write(strings.Repeat("e", 32)+context+plaintext)))
	if got := buffer("parley_input", 0); strings.Contains(got, "nobody") {
		t.Errorf("after sealing the input buffer holds %q", got)
	}
	if got := i.read(i.call("parley_codec_open", codec, uint64(len(context)), i.write(context+token))); got != plaintext {
		t.Fatalf("got %q, want %q", got, plaintext)
	}
	i.call("parley_wipe")
	for name, got := range map[string]string{"input": buffer("parley_input", 0), "output": buffer("parley_output")} {
		if strings.Trim(got, "\x00") != "" {
			t.Errorf("after parley_wipe the %s buffer holds %q", name, got)
		}
	}
}
