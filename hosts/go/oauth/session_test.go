package oauth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// deployer is an MCP server with one tool: calling it wants the scope "read", and
// "write" once its question is answered.
type deployer struct {
	w   *world
	ran atomic.Int32
}

func (d *deployer) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	d.w.mu.Lock()
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	scope, known := d.w.scopes[token]
	d.w.mu.Unlock()
	var request struct {
		ID     json.RawMessage
		Params struct{ InputResponses map[string]any }
	}
	body, _ := io.ReadAll(r.Body)
	json.Unmarshal(body, &request)
	const where = `resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`
	switch {
	case !known:
		rw.Header().Set("WWW-Authenticate", `Bearer scope="read", `+where)
		rw.WriteHeader(http.StatusUnauthorized)
	case request.Params.InputResponses == nil:
		answerJSON(rw, 200, result(request.ID, map[string]any{
			"resultType": "input_required", "requestState": "s1",
			"inputRequests": map[string]any{"who": map[string]any{"method": "elicitation/create", "params": map[string]any{
				"message": "Deploy?", "requestedSchema": map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}},
			}}},
		}))
	case !slices.Contains(strings.Fields(scope), "write"):
		rw.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write", `+where)
		rw.WriteHeader(http.StatusForbidden)
	default:
		d.ran.Add(1)
		answerJSON(rw, 200, result(request.ID, map[string]any{"resultType": "complete", "content": []any{map[string]any{"type": "text", "text": "deployed"}}}))
	}
}

func result(id json.RawMessage, value any) map[string]any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "result": value}
}

// deploy makes a session with the server, as a host does.
func deploy(t *testing.T, w *world, login *oauth.SignIn, asked *int) *parley.Session {
	t.Helper()
	server := &parley.StreamableHTTP{URL: serverURL, Client: w.server.Client(), Authorization: login.Authorization}
	s, err := parley.NewSession(parley.Native{}, server, parley.SessionOptions{Askers: parley.Askers{
		Authorize: login.Authorize,
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			*asked++
			return parley.Accept(map[string]string{"name": "Ada"})
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var call = parley.Request{Method: "tools/call", Params: []byte(`{"name":"deploy","arguments":{}}`)}

// TestCall goes from nothing to the result, with a wider scope in the middle: the
// person answers once, and the tool runs once.
func TestCall(t *testing.T) {
	w := newWorld(t)
	server := &deployer{w: w}
	w.change(func() { w.mcp = server })
	var prompts []int
	o := w.options()
	o.Ask = func(_ context.Context, p oauth.Prompt) error { prompts = append(prompts, p.Status); return nil }
	asked := 0
	out, err := deploy(t, w, w.signIn(o), &asked).Call(t.Context(), call)
	if err != nil || !strings.Contains(string(out.Result), "deployed") {
		t.Fatalf("Call: %s, %v", out.Result, err)
	}
	if asked != 1 || server.ran.Load() != 1 || !slices.Equal(prompts, []int{401, 403}) {
		t.Errorf("asked %d times, ran %d times, prompts %v; want once, once, 401 and 403", asked, server.ran.Load(), prompts)
	}
}

// TestParkWhileSigningIn finishes the call in another process, with the answers
// that were given, and no secret in the snapshot.
func TestParkWhileSigningIn(t *testing.T) {
	w := newWorld(t)
	server := &deployer{w: w}
	w.change(func() { w.mcp = server })
	dir, asked := t.TempDir(), 0
	o := w.options()
	o.Store = files(dir)
	o.Ask = func(_ context.Context, p oauth.Prompt) error {
		if p.Status == 403 {
			return parley.ErrPark
		}
		return nil
	}
	login := w.signIn(o)
	out, err := deploy(t, w, login, &asked).Call(t.Context(), call)
	if err != nil || !out.Parked {
		t.Fatalf("Call: parked %t, %v", out.Parked, err)
	}
	w.checkText("the snapshot", string(out.Snapshot))
	account, _, err := login.Account(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o.Store, o.Ask = files(dir), nil
	out, err = deploy(t, w, w.signIn(o), &asked).Resume(t.Context(), parley.Resumption{Snapshot: out.Snapshot, Expect: engine.Expect{Principal: account.Label}})
	if err != nil || !strings.Contains(string(out.Result), "deployed") {
		t.Fatalf("Resume: %s, %v", out.Result, err)
	}
	if asked != 1 || server.ran.Load() != 1 {
		t.Errorf("asked %d times, ran %d times, want once", asked, server.ran.Load())
	}
}

// TestRefusedForEver ends: the engine counts sign-ins.
func TestRefusedForEver(t *testing.T) {
	w := newWorld(t)
	w.change(func() {
		w.mcp = http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusUnauthorized) })
	})
	asked := 0
	_, err := deploy(t, w, w.signIn(w.options()), &asked).Call(t.Context(), call)
	if !errors.Is(err, fault.Unauthorized) || !strings.Contains(err.Error(), "still, after 3 sign-ins") {
		t.Errorf("Call: got %v", err)
	}
	w.checkText("the error", fmt.Sprintf("%v %#v", err, err))
}

// TestNobody fails the call resumably, with the sentence in its cause.
func TestNobody(t *testing.T) {
	w := newWorld(t)
	w.change(func() { w.mcp = &deployer{w: w} })
	o := w.options()
	o.Open = nil
	asked := 0
	_, err := deploy(t, w, w.signIn(o), &asked).Call(t.Context(), call)
	e, cause := new(parley.Error), new(oauth.Error)
	if !errors.As(err, &e) || !e.Resumable || !errors.Is(err, fault.Unauthorized) || !errors.As(err, &cause) || cause.Text != "mcp.example.com wants a sign-in, and nobody is here to do it." {
		t.Errorf("Call: got %v", err)
	}
}
