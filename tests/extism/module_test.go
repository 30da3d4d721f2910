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
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/parley-mcp/parley/wasm"
)

// Budgets in bytes: a host pays for every one of them at first load.
const maxSize, maxGzip = 240_000, 118_000

// The plug-in imports what Extism has and the four callbacks, and exports what
// ABI.md lists. It starts by itself: not every host calls _initialize.
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
	if want := []string{"elicit", "list_roots", "sample", "send"}; !slices.Equal(callbacks, want) {
		t.Errorf("callbacks: got %v, want %v", callbacks, want)
	}
	exports := slices.Sorted(maps.Keys(module.ExportedFunctions()))
	if want := []string{"call", "inbound", "open", "outbound", "parley_abi_version", "resume", "seal"}; !slices.Equal(exports, want) {
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

// Keys and the audience may come from the plug-in's config; what is missing is
// named, and nothing has a default.
func TestTokens(t *testing.T) {
	const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
	const now = 1_790_000_000_000
	each(t, map[string]string{"keys": keys, "audience": "tests"}, func(t *testing.T, h host) {
		ask := func(export string, pairs ...any) map[string]any {
			return members(t, h.call(t, export, object(pairs...), nil))
		}
		token := ask("seal", "context", "parley-sdk/1", "plaintext", "step 2")["token"]
		if got := ask("open", "context", "parley-sdk/1", "token", token)["plaintext"]; got != "step 2" {
			t.Errorf("open: got %v, want step 2", got)
		}
		token = ask("seal", "context", "parley-sdk/1", "bytes", "_w")["token"]
		if got := ask("open", "context", "parley-sdk/1", "token", token)["bytes"]; got != "_w" {
			t.Errorf("open: got %v, want _w", got)
		}
		const params = `{"name":"t","arguments":{"n":1.0}}`
		in := ask("inbound", "now", now, "method", "tools/call", "params", params)
		out := ask("outbound", "now", now, "exchange", in["exchange"], "random", "AAAAAAAAAAA", "result",
			`{"resultType":"input_required","requestState":"secret","inputRequests":{"q":{"method":"roots/list"}}}`)
		result, _ := out["result"].(string)
		if result == "" || strings.Contains(result, "secret") {
			t.Fatalf("outbound: got %v", out)
		}
		state := members(t, []byte(result))["requestState"].(string)
		retry := strings.TrimSuffix(params, "}") + `,"requestState":"` + state + `","inputResponses":{"q":{"roots":[]}}}`
		in = ask("inbound", "now", now+1000, "method", "tools/call", "params", retry)
		if got := in["params"].(string); !strings.Contains(got, `"requestState":"secret"`) {
			t.Errorf("inbound: got %s", got)
		}
		late := ask("inbound", "now", now+3_600_000, "method", "tools/call", "params", retry)["error"].(map[string]any)
		if late["code"] != 7.0 || !strings.Contains(late["response"].(string), "Invalid or expired requestState") {
			t.Errorf("an hour later: got %v", late)
		}
	})
	missing := map[string]struct {
		export  string
		request []byte
		want    string
	}{
		"keys":      {"open", object("context", "c", "token", "t"), "open: keys is missing"},
		"context":   {"seal", object("keys", keys, "plaintext", "p"), "seal: context is missing"},
		"plaintext": {"seal", object("keys", keys, "context", "c"), "seal: what to seal is missing"},
		"both":      {"seal", object("keys", keys, "context", "c", "plaintext", "p", "bytes", "AA"), "seal: both plaintext and bytes are given"},
		"padded":    {"seal", object("keys", keys, "context", "c", "bytes", "AA=="), "seal: bytes is not base64url without padding"},
		"token":     {"open", object("keys", keys, "context", "c"), "open: token is missing"},
		"method":    {"inbound", object("keys", keys, "now", now, "params", "{}"), "inbound: method is missing"},
		"params":    {"inbound", object("keys", keys, "now", now, "method", "tools/call"), "inbound: params is missing"},
		"now":       {"inbound", object("keys", keys, "audience", "a", "method", "tools/call", "params", "{}"), "inbound: now is missing"},
		"audience":  {"inbound", object("keys", keys, "now", now, "method", "tools/call", "params", "{}"), "an Audience is required"},
		"random":    {"outbound", object("keys", keys, "audience", "a", "now", now, "exchange", "", "result", "{}"), "outbound: random is missing: give 8 fresh bytes"},
		"few":       {"outbound", object("keys", keys, "audience", "a", "now", now, "exchange", "", "random", "AAAA", "result", "{}"), "outbound: random is missing"},
		"exchange":  {"outbound", object("keys", keys, "audience", "a", "now", now, "random", "AAAAAAAAAAA", "result", "{}"), "outbound: exchange is missing"},
		"key":       {"open", object("keys", "k", "context", "c", "token", "t"), "unusable key"},
		"member":    {"open", object("keys", keys, "context", "c", "token", "t", "now", 1), `open: member "now" is not known here`},
		"JSON":      {"open", nil, "open: expected an object"},
	}
	each(t, nil, func(t *testing.T, h host) {
		for name, tt := range missing {
			got := h.call(t, tt.export, tt.request, nil)
			failed, _ := members(t, got)["error"].(map[string]any)
			if detail, _ := failed["detail"].(string); !strings.Contains(detail, tt.want) {
				t.Errorf("%s: got %s, want %s", name, got, tt.want)
			}
		}
	})
}
