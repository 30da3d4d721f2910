package wasm_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/wasm"
)

// module is an artifact and what it must be.
type module struct {
	binary  []byte
	exports map[string]string
	// Budgets in bytes: a host pays for every one of them at first load. 0 is
	// none, as no host loads it.
	maxSize, maxGzip int
}

var modules = map[string]module{
	"parley.wasm":       {wasm.Engine(), engineExports, 221_600, 96_300},
	"parley-codec.wasm": {wasm.Codec(), codecExports, 147_900, 0},
	// No Go host runs them, so no Go program has them inside.
	"parley-fast.wasm":   {file("parley-fast.wasm"), engineExports, 373_300, 0},
	"testdata/flow.wasm": {file("testdata/flow.wasm"), with(engineExports, flowExports), 0, 0},
}

// file is a module that the package does not embed, nil if it is not there.
func file(name string) []byte {
	binary, _ := os.ReadFile(name)
	return binary
}

var engineExports = map[string]string{
	"_initialize":             "()",
	"parley_abi_version":      "() i32",
	"parley_input":            "(i32) i32",
	"parley_output":           "() i32",
	"parley_live":             "() i32",
	"parley_marks":            "(i32)",
	"parley_session_new":      "(i32) i32",
	"parley_session_call":     "(i32,i32) i32",
	"parley_session_restore":  "(i32,i32) i32",
	"parley_session_step":     "(i32,f64,i32) i32",
	"parley_session_snapshot": "(i32,i32) i32",
	"parley_session_info":     "(i32,i32) i32",
	"parley_session_drop":     "(i32,i32)",
	"parley_session_free":     "(i32)",
	"parley_snapshot_info":    "(i32) i32",
	"parley_form":             "(i32) i32",
	"parley_form_check":       "(i32) i32",
}

// flowExports are for tests only.
var flowExports = map[string]string{
	"parley_flow_new":      "(i32) i32",
	"parley_flow_step":     "(i32,f64,i32) i32",
	"parley_flow_snapshot": "(i32) i32",
	"parley_flow_restore":  "(i32) i32",
	"parley_flow_info":     "(i32) i32",
	"parley_flow_free":     "(i32)",
}

var codecExports = map[string]string{
	"_initialize":           "()",
	"parley_abi_version":    "() i32",
	"parley_input":          "(i32) i32",
	"parley_output":         "() i32",
	"parley_live":           "() i32",
	"parley_free":           "(i32)",
	"parley_wipe":           "()",
	"parley_codec_new":      "(i32) i32",
	"parley_codec_seal":     "(i32,i32,i32) i32",
	"parley_codec_open":     "(i32,i32,i32) i32",
	"parley_box_new":        "(i32) i32",
	"parley_box_seal":       "(i32,i32,i32) i32",
	"parley_box_open":       "(i32,i32,i32) i32",
	"parley_guard_new":      "(i32) i32",
	"parley_guard_inbound":  "(i32,f64,i32) i32",
	"parley_guard_outbound": "(i32,f64,i32) i32",
	"parley_guard_verdict":  "(i32) i32",
	"parley_question":       "(i32) i32",
	"parley_canonical":      "(i32) i32",
}

func with(exports, more map[string]string) map[string]string {
	all := maps.Clone(exports)
	maps.Copy(all, more)
	return all
}

func compile(t *testing.T, binary []byte) (wazero.Runtime, wazero.CompiledModule) {
	t.Helper()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	t.Cleanup(func() { rt.Close(ctx) })
	compiled, err := rt.CompileModule(ctx, binary)
	if err != nil {
		t.Fatal(err)
	}
	return rt, compiled
}

// Importing nothing is what proves the core sans-IO.
func TestImportsNothing(t *testing.T) {
	for name, m := range modules {
		_, compiled := compile(t, m.binary)
		if n := len(compiled.ImportedFunctions()); n != 0 {
			t.Errorf("%s: %d imported functions: %v", name, n, compiled.ImportedFunctions())
		}
		if n := len(compiled.ImportedMemories()); n != 0 {
			t.Errorf("%s: %d imported memories", name, n)
		}
	}
}

func TestExports(t *testing.T) {
	for name, m := range modules {
		_, compiled := compile(t, m.binary)
		got := map[string]string{}
		for name, f := range compiled.ExportedFunctions() {
			got[name] = signature(f)
		}
		if !maps.Equal(got, m.exports) {
			t.Errorf("%s: got %v, want %v", name, got, m.exports)
		}
		if memories := slices.Collect(maps.Keys(compiled.ExportedMemories())); !slices.Equal(memories, []string{"memory"}) {
			t.Errorf("%s: exported memories: %v", name, memories)
		}
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
	for name, m := range modules {
		listed := manifest.Artifacts[name]
		sum := sha256.Sum256(m.binary)
		if got := hex.EncodeToString(sum[:]); got != listed.SHA256 {
			t.Errorf("%s: sha256: manifest says %s, the file is %s", name, listed.SHA256, got)
		}
		if got := len(m.binary); got != listed.Size {
			t.Errorf("%s: size: manifest says %d, the file is %d", name, listed.Size, got)
		}
		if listed.ABI != wasm.ABIVersion {
			t.Errorf("%s: ABI version: manifest says %d, package wasm %d", name, listed.ABI, wasm.ABIVersion)
		}
	}
	for _, tool := range []string{"go", "tinygo", "llvm", "wasi-libc"} {
		if manifest.Tools[tool] == "" {
			t.Errorf("the version of %s is missing", tool)
		}
	}
}

func TestSizeBudget(t *testing.T) {
	for name, m := range modules {
		if n := len(m.binary); m.maxSize > 0 && n > m.maxSize {
			t.Errorf("%s is %d bytes, the budget is %d", name, n, m.maxSize)
		}
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		w.Write(m.binary)
		w.Close()
		if n := packed.Len(); m.maxGzip > 0 && n > m.maxGzip {
			t.Errorf("%s is %d bytes gzipped, the budget is %d", name, n, m.maxGzip)
		}
	}
}
