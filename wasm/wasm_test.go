package wasm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/wasm"
)

// Budgets in bytes. A browser host pays for every one of them at first load.
const (
	maxSize = 100_000
	maxGzip = 42_000
)

func compile(t *testing.T) (wazero.Runtime, wazero.CompiledModule) {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	t.Cleanup(func() { rt.Close(ctx) })
	compiled, err := rt.CompileModule(ctx, wasm.Engine())
	if err != nil {
		t.Fatal(err)
	}
	return rt, compiled
}

// Importing nothing is what proves the engine sans-IO.
func TestImportsNothing(t *testing.T) {
	_, compiled := compile(t)
	if n := len(compiled.ImportedFunctions()); n != 0 {
		t.Errorf("%d imported functions: %v", n, compiled.ImportedFunctions())
	}
	if n := len(compiled.ImportedMemories()); n != 0 {
		t.Errorf("%d imported memories", n)
	}
}

func TestExports(t *testing.T) {
	_, compiled := compile(t)
	want := map[string]string{
		"_initialize":          "()",
		"parley_abi_version":   "() i32",
		"parley_input":         "(i32) i32",
		"parley_output":        "() i32",
		"parley_flow_new":      "(i32) i32",
		"parley_flow_step":     "(i32,f64,i32) i32",
		"parley_flow_snapshot": "(i32) i32",
		"parley_flow_restore":  "(i32) i32",
		"parley_flow_info":     "(i32) i32",
		"parley_flow_free":     "(i32)",
		"parley_live":          "() i32",
		"parley_form":          "(i32) i32",
		"parley_form_check":    "(i32) i32",
		"parley_request":       "(i32) i32",
		"parley_message":       "(i32) i32",
	}
	got := map[string]string{}
	for name, f := range compiled.ExportedFunctions() {
		got[name] = signature(f)
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if memories := slices.Collect(maps.Keys(compiled.ExportedMemories())); !slices.Equal(memories, []string{"memory"}) {
		t.Errorf("exported memories: %v", memories)
	}
}

func signature(f api.FunctionDefinition) string {
	names := func(types []api.ValueType) string {
		var s []string
		for _, t := range types {
			s = append(s, api.ValueTypeName(t))
		}
		return strings.Join(s, ",")
	}
	return strings.TrimSpace("(" + names(f.ParamTypes()) + ") " + names(f.ResultTypes()))
}

func TestManifest(t *testing.T) {
	var manifest struct {
		Artifacts map[string]struct {
			ABI, Gzip, Size int
			SHA256          string
		}
		Tools map[string]string
	}
	if err := json.Unmarshal(wasm.Manifest(), &manifest); err != nil {
		t.Fatal(err)
	}
	listed := manifest.Artifacts["parley.wasm"]
	sum := sha256.Sum256(wasm.Engine())
	if got := hex.EncodeToString(sum[:]); got != listed.SHA256 {
		t.Errorf("sha256: manifest says %s, the file is %s", listed.SHA256, got)
	}
	if got := len(wasm.Engine()); got != listed.Size {
		t.Errorf("size: manifest says %d, the file is %d", listed.Size, got)
	}
	if listed.ABI != wasm.ABIVersion {
		t.Errorf("ABI version: manifest says %d, package wasm %d", listed.ABI, wasm.ABIVersion)
	}
	for _, tool := range []string{"go", "tinygo", "llvm", "wasi-libc", "binaryen"} {
		if manifest.Tools[tool] == "" {
			t.Errorf("the version of %s is missing", tool)
		}
	}
}

func TestSizeBudget(t *testing.T) {
	if n := len(wasm.Engine()); n > maxSize {
		t.Errorf("parley.wasm is %d bytes, the budget is %d", n, maxSize)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(wasm.Engine())
	w.Close()
	if n := packed.Len(); n > maxGzip {
		t.Errorf("parley.wasm is %d bytes gzipped, the budget is %d", n, maxGzip)
	}
}

// TestMemoryStaysFlat makes 100,000 calls and expects the linear memory not to
// grow once it has found its size.
func TestMemoryStaysFlat(t *testing.T) {
	rt, compiled := compile(t)
	ctx := context.Background()
	mod, err := rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...uint64) uint64 {
		out, err := mod.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(out) == 0 {
			return 0
		}
		return out[0]
	}
	write := func(text string) uint64 {
		if !mod.Memory().WriteString(uint32(call("parley_input", uint64(len(text)))), text) {
			t.Fatal("the input buffer is outside the memory")
		}
		return uint64(len(text))
	}
	read := func(size uint64) string {
		view, _ := mod.Memory().Read(uint32(call("parley_output")), uint32(size))
		return string(view)
	}
	body := func(result string) string {
		return strconv.Quote(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)
	}
	ask := body(`{"resultType":"input_required","requestState":"` + strings.Repeat("s", 500) + `","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`)
	steps := []string{
		`{"type":"begin"}`,
		`{"type":"response","leg":1,"body":` + ask + `}`,
		`{"type":"answer","ask":1,"raw":"{\"action\":\"decline\"}"}`,
		`{"type":"response","leg":2,"body":` + body(`{"content":[]}`) + `}`,
	}
	flow := func() {
		var handle struct{ Flow uint64 }
		if err := json.Unmarshal([]byte(read(call("parley_flow_new", write(`{"method":"tools/call","params":"{}","options":{"capabilities":"{\"elicitation\":{}}"}}`)))), &handle); err != nil {
			t.Fatal(err)
		}
		var last string
		for _, step := range steps {
			last = read(call("parley_flow_step", handle.Flow, api.EncodeF64(0), write(step)))
		}
		if !strings.Contains(last, `"done"`) {
			t.Fatalf("the flow did not end: %s", last)
		}
		call("parley_flow_free", handle.Flow)
	}
	const calls, perFlow = 100_000, 5
	var settled uint32
	for n := range calls / perFlow {
		flow()
		if n == 1000 {
			settled = mod.Memory().Size()
		}
	}
	if got := mod.Memory().Size(); got != settled {
		t.Errorf("memory grew from %d to %d bytes", settled, got)
	}
	if n := call("parley_live"); n != 0 {
		t.Errorf("%d flows are still live", n)
	}
}
