package main_test

import (
	"bytes"
	"context"
	_ "embed"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed testdata/primitives.wasm
var built []byte

// module calls the built module.
type module struct {
	t        *testing.T
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	instance api.Module
}

func load(t *testing.T) *module {
	ctx := context.Background()
	m := &module{t: t, runtime: wazero.NewRuntime(ctx)}
	t.Cleanup(func() { m.runtime.Close(ctx) })
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, built); err != nil {
		t.Fatal(err)
	}
	if n := len(m.compiled.ImportedFunctions()) + len(m.compiled.ImportedMemories()); n != 0 {
		t.Fatalf("the module imports %d things, want none", n)
	}
	m.start()
	return m
}

func (m *module) start() {
	var err error
	m.instance, err = m.runtime.InstantiateModule(context.Background(), m.compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *module) SHA256(message []byte) []byte {
	sum, _ := m.call("sha256", nil, message)
	return sum
}

func (m *module) HMAC(key, message []byte) []byte {
	mac, _ := m.call("hmac_sha256", sizes(key), key, message)
	return mac
}

func (m *module) Extract(salt, ikm []byte) []byte {
	prk, _ := m.call("hkdf_sha256_extract", sizes(salt), salt, ikm)
	return prk
}

func (m *module) Expand(prk, info []byte, n int) ([]byte, outcome) {
	return m.call("hkdf_sha256_expand", append(sizes(prk), uint64(n)), prk, info)
}

func (m *module) Seal(cipher string, key, nonce, data, plaintext []byte) ([]byte, outcome) {
	return m.call(cipher+"_seal", sizes(key, nonce, data), key, nonce, data, plaintext)
}

func (m *module) Open(cipher string, key, nonce, data, box []byte) ([]byte, outcome) {
	return m.call(cipher+"_open", sizes(key, nonce, data), key, nonce, data, box)
}

// call writes the parts of a request one after the other and passes the given
// parameters and the whole size. After a trap it starts another instance.
func (m *module) call(export string, parameters []uint64, parts ...[]byte) ([]byte, outcome) {
	ctx := context.Background()
	request := bytes.Join(parts, nil)
	if !m.instance.Memory().Write(uint32(m.must("parley_input", uint64(len(request)))), request) {
		m.t.Fatal("the input buffer is outside the memory")
	}
	answer, err := m.instance.ExportedFunction("parley_"+export).Call(ctx, append(parameters, uint64(len(request)))...)
	if err != nil {
		m.instance.Close(ctx)
		m.start()
		return nil, crashed
	}
	size := int32(answer[0])
	if size == -1 {
		return nil, refused
	}
	view, ok := m.instance.Memory().Read(uint32(m.must("parley_output")), uint32(size))
	if !ok {
		m.t.Fatal("the answer is outside the memory")
	}
	return bytes.Clone(view), done
}

func (m *module) must(export string, parameters ...uint64) uint64 {
	out, err := m.instance.ExportedFunction(export).Call(context.Background(), parameters...)
	if err != nil {
		m.t.Fatalf("%s: %v", export, err)
	}
	return out[0]
}

func sizes(parts ...[]byte) []uint64 {
	var all []uint64
	for _, part := range parts {
		all = append(all, uint64(len(part)))
	}
	return all
}
