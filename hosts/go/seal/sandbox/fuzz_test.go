package sandbox_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal/sandbox"
)

// FuzzSandboxedGuard: natively and in the sandbox, the same request, time and
// random bytes give the same params, token and error.
func FuzzSandboxedGuard(f *testing.F) {
	files, err := filepath.Glob("../../../../codec/testdata/vectors/guard-*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no vectors to start from")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var method, params string
		for line := range strings.Lines(string(text)) {
			var call struct{ Method, Params, Result string }
			verb, arguments, _ := strings.Cut(line, " ")
			switch {
			case verb != "inbound" && verb != "outbound" || json.Unmarshal([]byte(arguments), &call) != nil:
			case verb == "inbound":
				method, params = call.Method, call.Params
				f.Add(method, []byte(params), []byte(`{}`), "")
			default:
				f.Add(method, []byte(params), []byte(call.Result), "")
			}
		}
	}
	const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
	ring, err := codec.ParseKeyRing([]byte(keys))
	if err != nil {
		f.Fatal(err)
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		f.Fatal(err)
	}
	o := codec.GuardOptions{Audience: "weather", Env: codec.Env{Rand: sevens{}, Now: func() time.Time { return time.Unix(1_800_000_000, 0) }}}
	sandboxed, err := newRuntime(f, sandbox.RuntimeOptions{}).NewGuard([]byte(keys), codec.CodecOptions{}, o)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := sandboxed.Close(); err != nil {
			f.Error(err)
		}
	})
	o.Codec = aead
	native, err := codec.NewGuard(o)
	if err != nil {
		f.Fatal(err)
	}
	same := func(t *testing.T, what string, got, want []byte, gotErr, wantErr error) {
		t.Helper()
		var g, w *codec.Error
		errors.As(gotErr, &g)
		errors.As(wantErr, &w)
		if !bytes.Equal(got, want) || (g == nil) != (w == nil) || g != nil && (g.Code != w.Code || g.Detail != w.Detail || g.Minting != w.Minting) {
			t.Fatalf("%s: the sandbox gives %q, %v, native %q, %v", what, got, gotErr, want, wantErr)
		}
	}
	f.Fuzz(func(t *testing.T, method string, params, result []byte, principal string) {
		opened, x, err := sandboxed.Inbound(method, params, &principal)
		wantOpened, wantX, wantErr := native.Inbound(method, params, &principal)
		same(t, "inbound", opened, wantOpened, err, wantErr)
		if (x == nil) != (wantX == nil) {
			t.Fatalf("inbound: the sandbox's exchange is %v, native %v", x, wantX)
		}
		if err != nil {
			return
		}
		sealed, err := sandboxed.Outbound(x, result)
		wantSealed, wantErr := native.Outbound(wantX, result)
		same(t, "outbound", sealed, wantSealed, err, wantErr)

		var minted struct {
			State *string `json:"requestState"`
		}
		if bytes.Equal(sealed, result) || json.Unmarshal(sealed, &minted) != nil || minted.State == nil || !json.Valid(params) {
			return
		}
		// The next round, with what was minted.
		retry := append([]byte(`{"requestState":"`+*minted.State+`",`), bytes.TrimPrefix(bytes.TrimSpace(params), []byte("{"))...)
		opened, _, err = sandboxed.Inbound(method, retry, &principal)
		wantOpened, _, wantErr = native.Inbound(method, retry, &principal)
		same(t, "the next round", opened, wantOpened, err, wantErr)
	})
}

// sevens is a source of the same byte for ever.
type sevens struct{}

var _ io.Reader = sevens{}

func (sevens) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 7
	}
	return len(p), nil
}
