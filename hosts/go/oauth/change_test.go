package oauth_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

const newIssuerURL = "https://new.example.com"

// moves has the MCP server trust another authorization server, and no token of
// the one before.
func (w *world) moves(issuer string) {
	w.change(func() {
		w.issuer(strings.TrimPrefix(issuer, "https://"))
		w.resource["authorization_servers"] = []string{issuer}
		clear(w.scopes)
		clear(w.refresh)
	})
}

// movingCall calls a tool whose server changes its authorization server while the
// question is open.
func movingCall(t *testing.T, w *world, o oauth.Options) (out parley.Outcome, err error, asked int, server *deployer) {
	server = &deployer{w: w}
	w.change(func() { w.mcp = server })
	login := w.signIn(o)
	transport := &parley.StreamableHTTP{URL: serverURL, Client: w.server.Client(), Authorization: login.Authorization}
	s, err := parley.NewSession(parley.Native{}, transport, parley.SessionOptions{Askers: parley.Askers{
		Authorize: login.Authorize,
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			if asked++; asked == 1 {
				w.moves(newIssuerURL)
			}
			return parley.Accept(map[string]string{"name": "Ada"})
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	out, err = s.Call(t.Context(), call)
	return out, err, asked, server
}

// TestChange asks when the authorization server of a call changes in its middle.
// If the person agrees, the call continues with the new account and the answers
// that it has.
func TestChange(t *testing.T) {
	w := newWorld(t)
	var changes []oauth.Change
	o := w.options()
	o.Store = &oauth.Memory{}
	o.Change = func(_ context.Context, c oauth.Change) error { changes = append(changes, c); return nil }
	out, err, asked, server := movingCall(t, w, o)
	if err != nil || !strings.Contains(string(out.Result), "deployed") || asked != 1 || server.ran.Load() != 1 {
		t.Fatalf("Call: %v; asked %d times, ran %d times, want once each", err, asked, server.ran.Load())
	}
	if len(changes) != 1 || changes[0].Host != "mcp.example.com" || changes[0].Account.Issuer != issuerURL || changes[0].Issuer != newIssuerURL {
		t.Fatalf("the person was told %+v", changes)
	}
	account, _, err := w.signIn(o).Account(t.Context())
	if err != nil || account.Issuer != newIssuerURL || !account.Is(account.Label) || !account.Is(changes[0].Account.Label) || account.Is("") || account.Is("other") {
		t.Errorf("the account is %+v, %v", account, err)
	}
}

// TestChangeDeclined ends the call so that it can be resumed: nothing is sent to
// the new authorization server, and the account stays as it was.
func TestChangeDeclined(t *testing.T) {
	w := newWorld(t)
	no := errors.New("the person said no")
	o := w.options()
	o.Store = &oauth.Memory{}
	var label string
	o.Change = func(_ context.Context, c oauth.Change) error { label = c.Account.Label; return no }
	_, err, _, server := movingCall(t, w, o)
	var failed *parley.Error
	if !errors.As(err, &failed) || !errors.Is(err, fault.Unauthorized) || !failed.Resumable || server.ran.Load() != 0 {
		t.Fatalf("Call: got %v, want %v that can be resumed", err, fault.Unauthorized)
	}
	for _, v := range w.visits("") {
		if v.Host == "new.example.com" && v.Path != "/.well-known/oauth-authorization-server" {
			t.Errorf("%s%s was visited", v.Host, v.Path)
		}
	}
	o.Change = func(context.Context, oauth.Change) error { return nil }
	resumed := 0
	out, err := deploy(t, w, w.signIn(o), &resumed).Resume(t.Context(), parley.Resumption{Snapshot: failed.Snapshot, Expect: engine.Expect{Principal: label}})
	if err != nil || !strings.Contains(string(out.Result), "deployed") || resumed != 0 || server.ran.Load() != 1 {
		t.Errorf("Resume: %v; asked %d times, ran %d times, want never and once", err, resumed, server.ran.Load())
	}
}

// TestChangeUnasked never lets another account continue a call if the host asks
// nobody.
func TestChangeUnasked(t *testing.T) {
	w := newWorld(t)
	_, err, _, server := movingCall(t, w, w.options())
	if !errors.Is(err, fault.Unauthorized) || !strings.Contains(err.Error(), "another account") || server.ran.Load() != 0 {
		t.Errorf("Call: got %v, want %v", err, fault.Unauthorized)
	}
}
