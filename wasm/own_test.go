package wasm_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/wasm"
)

// guardSetup is a request for a guard, with a key file or without.
func guardSetup(keys string) string {
	setup := codecwire.AppendAbsent(nil)
	if keys != "" {
		setup = codecwire.AppendField(nil, keys)
	}
	setup = codecwire.AppendField(codecwire.AppendUint32(setup, 0), "audience")
	for range 5 { // ttl, maxFlowAge, maxRounds, flags, single-use targets
		setup = codecwire.AppendUint32(setup, 0)
	}
	return string(setup)
}

// fields are a request of these fields; nil is absent.
func fields(all ...[]byte) (request []byte) {
	for _, field := range all {
		if field == nil {
			request = codecwire.AppendAbsent(request)
		} else {
			request = codecwire.AppendField(request, field)
		}
	}
	return request
}

// A guard without keys lets its host seal and open, in two calls of which the
// second may be made of another instance.
func TestGuardWithOwnCodec(t *testing.T) {
	const now = 1_800_000_000_000
	a, b := instantiate(t, wasm.Codec()), instantiate(t, wasm.Codec())
	guards := map[instance]uint64{a: a.call("parley_guard_new", a.write(guardSetup(""))), b: b.call("parley_guard_new", b.write(guardSetup("")))}
	call := func(i instance, export string, all ...[]byte) uint64 {
		return i.call(export, guards[i], api.EncodeF64(now), i.write(string(fields(all...))))
	}
	answer := func(i instance, export string, all ...[]byte) *codecwire.Reader {
		t.Helper()
		return &codecwire.Reader{Data: []byte(i.read(call(i, export, all...)))}
	}
	const inbound, outbound = "parley_guard_inbound", "parley_guard_outbound"
	method, params, result := []byte("tools/call"), []byte(`{"name":"t"}`), []byte(`{"resultType":"input_required","requestState":"what nobody may read"}`)
	entropy := bytes.Repeat([]byte("e"), 40)

	r := answer(a, inbound, method, params, nil, nil)
	if asked := r.Field(); asked != nil {
		t.Fatalf("a request without a state: the host is asked to open %q", asked)
	}
	r.Field() // the params, unchanged
	exchange := bytes.Clone(r.Field())

	r = answer(a, outbound, exchange, entropy, result, nil)
	plaintext := bytes.Clone(r.Field())
	if !bytes.Contains(plaintext, []byte("what nobody may read")) || !r.End() {
		t.Fatalf("to be sealed: got %q and %d bytes more", plaintext, len(r.Data))
	}
	r = answer(b, outbound, exchange, entropy, result, []byte("token"))
	if asked, sealed := r.Field(), string(r.Field()); asked != nil || sealed != `{"resultType":"input_required","requestState":"token"}` || !r.End() {
		t.Fatalf("sealed: got %q, %q", asked, sealed)
	}
	if got := int32(call(a, outbound, exchange, entropy, result, bytes.Repeat([]byte("A"), 262_145))); got != -2 {
		t.Errorf("a token that is too long: got %d, want -2", got)
	}

	params = []byte(`{"name":"t","requestState":"token"}`)
	r = answer(a, inbound, method, params, nil, nil)
	if asked := string(r.Field()); asked != "token" || !r.End() {
		t.Fatalf("to be opened: got %q and %d bytes more", asked, len(r.Data))
	}
	for _, i := range []instance{b, a} {
		r = answer(i, inbound, method, params, nil, plaintext)
		if asked, opened := r.Field(), string(r.Field()); asked != nil || opened != `{"name":"t","requestState":"what nobody may read"}` {
			t.Fatalf("opened: got %q, %q", asked, opened)
		}
		if input, _ := i.mod.Memory().Read(uint32(i.call("parley_input", 0)), 4096); bytes.Contains(input, []byte("what nobody may read")) {
			t.Error("the plaintext is left in the input buffer")
		}
	}
	for name, plaintext := range map[string][]byte{"none": {}, "noise": entropy, "cut": plaintext[:len(plaintext)/2]} {
		if got := int32(call(a, inbound, method, params, nil, plaintext)); got >= 0 {
			t.Errorf("a plaintext that is %s: it was opened", name)
		}
	}
	other := []byte(`{"name":"other","requestState":"token"}`)
	if got := int32(call(a, inbound, method, other, nil, plaintext)); got != -9 {
		t.Errorf("another target: got %d, want -9", got)
	}

	// A guard with keys has no such field, and one without cannot do without.
	const usage = -16
	if got := int32(call(a, inbound, method, params, nil)); got != usage {
		t.Errorf("without the field: got %d, want %d", got, usage)
	}
	keyed := a.call("parley_guard_new", a.write(guardSetup("parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n")))
	if got := int32(a.call(inbound, keyed, api.EncodeF64(now), a.write(string(fields(method, params, nil, nil))))); got != usage {
		t.Errorf("a guard with keys: got %d, want %d", got, usage)
	}
	if got := int32(a.call("parley_codec_new", a.write(string(codecwire.AppendUint32(codecwire.AppendAbsent(nil), 0))))); got != usage {
		t.Errorf("a codec without keys: got %d, want %d", got, usage)
	}
}

// What the host's codec has not done yet leaves nothing behind.
func TestOwnCodecMemoryStaysFlat(t *testing.T) {
	i := instantiate(t, wasm.Codec())
	result := `{"resultType":"input_required","requestState":"` + strings.Repeat("s", 200) + `"}`
	i.flat(10_000, codecMemory, func() {
		guard := i.call("parley_guard_new", i.write(guardSetup("")))
		now := api.EncodeF64(1_800_000_000_000)
		r := codecwire.Reader{Data: []byte(i.read(i.call("parley_guard_inbound", guard, now, i.write(string(fields([]byte("tools/call"), []byte(`{"name":"t"}`), nil, nil))))))}
		r.Field()
		r.Field()
		i.read(i.call("parley_guard_outbound", guard, now, i.write(string(fields(r.Field(), bytes.Repeat([]byte("e"), 40), []byte(result), nil)))))
		i.call("parley_free", guard)
	})
}
