package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/parley-mcp/parley/wasm"
)

// Budgets in bytes: a host pays for every one of them at first load.
const maxSize, maxGzip = 349_200, 165_000

// The plug-in imports what Extism has and the five callbacks, and exports what
// EXTISM.md lists. It starts by itself: not every host calls _initialize.
func TestModule(t *testing.T) {
	code := wasm.Extism()
	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	module, err := rt.CompileModule(ctx, code)
	if err != nil {
		t.Fatal(err)
	}
	var callbacks []string
	for _, f := range module.ImportedFunctions() {
		switch from, name, _ := f.Import(); {
		case from == "extism:host/user":
			callbacks = append(callbacks, name)
		case from != "extism:host/env":
			t.Errorf("it imports %s.%s", from, name)
		}
	}
	slices.Sort(callbacks)
	if want := []string{"elicit", "list_roots", "post", "receive", "sample"}; !slices.Equal(callbacks, want) {
		t.Errorf("callbacks: got %v, want %v", callbacks, want)
	}
	exports := slices.Sorted(maps.Keys(module.ExportedFunctions()))
	if want := []string{"call", "close", "form", "form_check", "inbound", "open", "outbound", "parley_abi_version", "resume", "seal", "session"}; !slices.Equal(exports, want) {
		t.Errorf("exports: got %v, want %v", exports, want)
	}
	var manifest struct {
		Artifacts map[string]struct {
			ABI    int
			SHA256 string
		}
	}
	if err := json.Unmarshal(wasm.Manifest(), &manifest); err != nil {
		t.Fatal(err)
	}
	listed, sum := manifest.Artifacts["parley-extism.wasm"], sha256.Sum256(code)
	if got := hex.EncodeToString(sum[:]); got != listed.SHA256 || listed.ABI != wasm.ABIVersion {
		t.Errorf("the manifest says %v, the file is %s", listed, got)
	}
	if n := len(code); n > maxSize {
		t.Errorf("it is %d bytes, the budget is %d", n, maxSize)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(code)
	w.Close()
	if n := packed.Len(); n > maxGzip {
		t.Errorf("it is %d bytes gzipped, the budget is %d", n, maxGzip)
	}
}
