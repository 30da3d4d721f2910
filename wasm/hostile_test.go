package wasm_test

import (
	"context"
	"encoding/binary"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/rawjson"
)

var hostileCalls = flag.Int("calls", 10_000, "how many calls TestHostileCalls makes into each module")

// TestHostileCalls makes calls into each module that no host should make:
// any export, any handle, any size, with frames that are whole, changed, cut or
// noise. Each ends, as an answer that can be read or as a trap.
func TestHostileCalls(t *testing.T) {
	var frames [][]byte
	for _, v := range enginetest.Vectors(t, enginetest.FramesDir(".."), enginetest.Plain, nil) {
		if v.Kind != "answer" {
			frames = append(frames, v.Frame)
		}
	}
	for name, m := range modules {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(1024)) // 64 MiB
			t.Cleanup(func() { rt.Close(ctx) })
			compiled, err := rt.CompileModule(ctx, m.binary)
			if err != nil {
				t.Fatal(err)
			}
			h := hostile{t: t, Rand: rand.New(rand.NewPCG(18, uint64(len(name)))), frames: frames, handles: []uint64{0}}
			_, h.isEngine = m.exports["parley_session_new"]
			exports := slices.Sorted(maps.Keys(m.exports))
			exports = slices.DeleteFunc(exports, func(name string) bool { return name == "_initialize" })
			traps := 0
			for range *hostileCalls {
				if h.mod == nil {
					if h.mod, err = rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions("_initialize").WithName("")); err != nil {
						t.Fatal(err)
					}
				}
				if !h.call(exports[h.IntN(len(exports))]) {
					h.mod.Close(ctx)
					h.mod, h.handles = nil, []uint64{0}
					traps++
				}
			}
			if h.answers < *hostileCalls*3/10 || traps > *hostileCalls/2 {
				t.Errorf("%d answers, %d traps: the calls were not what they should be", h.answers, traps)
			}
			t.Logf("%d answers, %d traps", h.answers, traps)
		})
	}
}

// hostile is a host that calls whatever comes to its mind.
type hostile struct {
	*rand.Rand
	t        *testing.T
	mod      api.Module
	isEngine bool
	frames   [][]byte
	handles  []uint64
	answers  int
}

// call makes one call, and reports whether the instance lived through it.
func (h *hostile) call(name string) bool {
	request := h.request()
	size := uint64(len(request))
	if h.IntN(20) == 0 {
		size = h.word()
	}
	at, err := h.mod.ExportedFunction("parley_input").Call(context.Background(), size)
	if err != nil {
		return false
	}
	h.mod.Memory().Write(uint32(at[0]), request[:min(len(request), int(size))])
	if h.IntN(20) == 0 {
		size = h.word()
	}
	fn := h.mod.ExportedFunction(name)
	types := fn.Definition().ParamTypes()
	args := make([]uint64, len(types))
	for i, of := range types {
		switch {
		case of == api.ValueTypeF64:
			args[i] = api.EncodeF64([]float64{0, 1e12, -1, 1e300, math.NaN(), math.Inf(1), math.Inf(-1)}[h.IntN(7)])
		case i == len(types)-1 && h.IntN(10) != 0:
			args[i] = size
		case h.IntN(4) != 0:
			args[i] = h.handles[h.IntN(len(h.handles))]
		default:
			args[i] = h.word()
		}
	}
	got, err := fn.Call(context.Background(), args...)
	if err != nil {
		if name != "parley_input" {
			h.t.Errorf("%s%v: %v", name, args, err) // no request is worth an instance
		}
		return false
	}
	h.answers++
	if len(got) == 0 || len(types) == 0 || name == "parley_input" || int32(got[0]) < 0 {
		return true
	}
	if !h.isEngine {
		h.handles = append(h.handles, got[0])
		return true
	}
	at, err = h.mod.ExportedFunction("parley_output").Call(context.Background())
	if err != nil {
		h.t.Fatalf("parley_output: %v", err)
	}
	answer, ok := h.mod.Memory().Read(uint32(at[0]), uint32(got[0]))
	if !ok || len(answer) < 4 {
		h.t.Fatalf("%s: an answer of %d bytes cannot be read", name, got[0])
	}
	n := uint64(binary.LittleEndian.Uint32(answer))
	if n > uint64(len(answer)-4) || !rawjson.Valid(answer[4:4+n]) {
		h.t.Fatalf("%s: the answer is no frame: %q", name, answer)
	}
	for _, member := range []string{"flow", "session", "call"} {
		if handle, ok := rawjson.Int(rawjson.Member(answer[4:4+n], member)); ok {
			h.handles = append(h.handles, uint64(handle))
		}
	}
	return true
}

// request is one of the vectors, whole or changed, or noise.
func (h *hostile) request() []byte {
	request := slices.Clone(h.frames[h.IntN(len(h.frames))])
	switch h.IntN(6) {
	case 0:
		request = request[:h.IntN(len(request)+1)]
	case 1:
		for range 1 + h.IntN(4) {
			if len(request) > 0 {
				request[h.IntN(len(request))] = byte(h.Uint32())
			}
		}
	case 2:
		if len(request) >= 4 {
			binary.LittleEndian.PutUint32(request, uint32(h.word()))
		}
	case 3:
		request = make([]byte, h.IntN(200))
		for i := range request {
			request[i] = byte(h.Uint32())
		}
	}
	return request
}

// word is a number that is likely to be at an edge.
func (h *hostile) word() uint64 {
	edges := []uint32{0, 1, 3, 4, 5, 0xFFFF, 0x10000, 1<<20 + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<32 - 4, h.Uint32(), h.Uint32() >> 12}
	return uint64(edges[h.IntN(len(edges))])
}
