package hosttest

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Module calls a module's exports by name, with nothing of a host between.
type Module struct {
	t   testing.TB
	mod api.Module
}

// NewModule makes an instance of a module for one test.
func NewModule(t testing.TB, code []byte) Module {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	t.Cleanup(func() { rt.Close(ctx) })
	mod, err := rt.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	return Module{t, mod}
}

// Call calls an export, and returns 0 where it returns nothing.
func (m Module) Call(name string, args ...uint64) uint32 {
	m.t.Helper()
	out, err := m.mod.ExportedFunction(name).Call(context.Background(), args...)
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	if len(out) == 0 {
		return 0
	}
	return uint32(out[0])
}

// Write writes a payload into the module's input buffer, and returns its size.
func (m Module) Write(payload []byte) uint64 {
	m.t.Helper()
	if !m.mod.Memory().Write(m.Call("parley_input", uint64(len(payload))), payload) {
		m.t.Fatal("the input buffer is outside the memory")
	}
	return uint64(len(payload))
}

// Answer copies the module's output buffer.
func (m Module) Answer(size uint32) []byte {
	m.t.Helper()
	view, ok := m.mod.Memory().Read(m.Call("parley_output"), size)
	if !ok {
		m.t.Fatal("the output buffer is outside the memory")
	}
	return append([]byte(nil), view...)
}

// Size is how much memory the module has, in bytes.
func (m Module) Size() uint32 { return m.mod.Memory().Size() }
