package oauth_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestSignIn is the whole way: from nothing to a header.
func TestSignIn(t *testing.T) {
	w := newWorld(t)
	var asked []oauth.Prompt
	var page oauth.Page
	o := w.options()
	o.ClientName = "Test host"
	o.Ask = func(_ context.Context, p oauth.Prompt) error { asked = append(asked, p); return nil }
	o.Open = func(ctx context.Context, p oauth.Page) error { page = p; return w.browse(ctx, p) }
	s := w.signIn(o)
	if got := header(t, s); got != "" {
		t.Errorf("Authorization before: got %q, want none", got)
	}
	label := authorize(t, s, challenged(401, "scope", "read write", "error", "invalid_token"))
	if got := header(t, s); !strings.HasPrefix(got, "Bearer access-") {
		t.Error("Authorization after: got none")
	}
	if len(asked) != 1 || asked[0].Host != "mcp.example.com" || asked[0].Status != 401 || asked[0].Reason != "invalid_token" || !slices.Equal(asked[0].Scopes, []string{"read", "write"}) {
		t.Errorf("the person was asked %+v", asked)
	}
	if page.Host != "auth.example.com" || page.Issuer != issuerURL || !slices.Equal(page.Scopes, []string{"read", "write"}) {
		t.Errorf("the page shown was of %s, %s, %q", page.Host, page.Issuer, page.Scopes)
	}
	at := w.visits("/authorize")[0].Form
	redirect, err := url.Parse(at.Get("redirect_uri"))
	if err != nil || redirect.Scheme != "http" || redirect.Hostname() != "127.0.0.1" || redirect.Path != oauth.CallbackPath {
		t.Errorf("redirect_uri: got %s", redirect)
	}
	for name, want := range map[string]string{"response_type": "code", "client_id": "registered-1", "code_challenge_method": "S256", "resource": serverURL} {
		if got := at.Get(name); got != want {
			t.Errorf("authorization request, %s: got %q, want %q", name, got, want)
		}
	}
	if at.Get("state") == "" || len(strings.Fields(at.Get("scope"))) != 2 {
		t.Errorf("authorization request: state or scope are missing")
	}
	tokens := w.visits("/token")
	if len(tokens) != 1 || tokens[0].Form.Get("resource") != serverURL || tokens[0].Form.Get("code_verifier") == "" || tokens[0].Basic != "" {
		t.Errorf("token requests: got %d, want one with resource and verifier", len(tokens))
	}
	account, ok, err := s.Account(t.Context())
	if err != nil || !ok || account.Label != label || account.Issuer != issuerURL || account.Resource != serverURL || !slices.Equal(account.Scopes, []string{"read", "write"}) && !slices.Equal(account.Scopes, []string{"write", "read"}) {
		t.Errorf("Account: got %+v, %t, %v", account, ok, err)
	}
}

// TestAskRefuses sends nothing anywhere if the person says no, or later.
func TestAskRefuses(t *testing.T) {
	for name, want := range map[string]error{"no": errors.New("no"), "later": parley.ErrPark} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			o := w.options()
			o.Ask = func(context.Context, oauth.Prompt) error { return want }
			if _, err := w.signIn(o).Authorize(t.Context(), challenged(401)); !errors.Is(err, want) {
				t.Errorf("Authorize: got %v, want %v", err, want)
			}
			if seen := w.visits(""); len(seen) != 0 {
				t.Errorf("%d requests were sent", len(seen))
			}
		})
	}
}

// TestOpenFails lets the host's own error through, and waits no longer.
func TestOpenFails(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Open = func(context.Context, oauth.Page) error { return parley.ErrPark }
	if _, err := w.signIn(o).Authorize(t.Context(), challenged(401)); !errors.Is(err, parley.ErrPark) {
		t.Errorf("Authorize: got %v, want ErrPark", err)
	}
	o.Open = nil
	if _, err := w.signIn(o).Authorize(t.Context(), challenged(401)); !errors.Is(err, oauth.ErrNobody) {
		t.Errorf("Authorize without Open: got %v, want ErrNobody", err)
	}
}

// TestCancelled ends the wait for the browser.
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := w.options()
	o.Open = func(context.Context, oauth.Page) error { cancel(); return nil }
	if _, err := w.signIn(o).Authorize(ctx, challenged(401)); !errors.Is(err, context.Canceled) {
		t.Errorf("Authorize: got %v, want Canceled", err)
	}
}

// TestStepUp asks for what was granted before as well, also after a restart, and
// stays the same account.
func TestStepUp(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Store = &oauth.Memory{}
	first := w.signIn(o)
	label := authorize(t, first, challenged(401, "scope", "read"))
	before := header(t, first)
	second := w.signIn(o) // a new process
	if got := header(t, second); got != before {
		t.Error("the token was not kept")
	}
	if got := authorize(t, second, challenged(403, "scope", "write", "error", "insufficient_scope")); got != label {
		t.Errorf("label: got another, want the same account")
	}
	scopes := strings.Fields(w.visits("/authorize")[1].Form.Get("scope"))
	slices.Sort(scopes)
	if !slices.Equal(scopes, []string{"read", "write"}) {
		t.Errorf("scopes asked for: got %q", scopes)
	}
	if got := header(t, second); got == before {
		t.Error("the old token is still sent")
	}
	// The first process adopts what the second has got.
	if got := authorize(t, first, challenged(403, "scope", "write")); got != label || len(w.visits("/authorize")) != 2 {
		t.Errorf("the person was asked again for what another process has got")
	}
	_, err := first.Authorization(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Authorize(t.Context(), challenged(403, "scope", "write")); !errors.Is(err, oauth.ErrDenied) || len(w.visits("/authorize")) != 2 {
		t.Errorf("a challenge for what is granted: got %v, want ErrDenied", err)
	}
}

// TestAccounts binds a label to issuer, resource, client and subject.
func TestAccounts(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Store = &oauth.Memory{}
	label := authorize(t, w.signIn(o), challenged(401))
	accounts, err := oauth.Accounts(t.Context(), o.Store)
	if err != nil || len(accounts) != 1 || accounts[0].Label != label || accounts[0].URL != serverURL {
		t.Errorf("Accounts: got %+v, %v", accounts, err)
	}
	o.ClientID = "another"
	s := w.signIn(o)
	if got := header(t, s); got != "" {
		t.Error("the token of one client was sent for another")
	}
	if authorize(t, s, challenged(401)) == label {
		t.Error("another client has the same label")
	}
	w.change(func() { w.meta["auth.example.com"]["client_id_metadata_document_supported"] = true })
	o.ClientID, o.ClientMetadataURL = "", "https://host.example.com/client.json"
	kept, _, _ := w.signIn(o).Account(t.Context())
	if got := authorize(t, w.signIn(o), challenged(403, "scope", "more")); got == label || got == kept.Label {
		t.Error("another kind of client has the same label")
	}
}

// TestChoose asks which of several authorization servers to use, and stays with
// it.
func TestChoose(t *testing.T) {
	w := newWorld(t)
	w.issuer("other.example.com")
	w.resource["authorization_servers"] = []string{issuerURL, "https://other.example.com"}
	var asked int
	o := w.options()
	o.Choose = func(_ context.Context, issuers []string) (string, error) { asked++; return issuers[1], nil }
	s := w.signIn(o)
	authorize(t, s, challenged(401, "scope", "a"))
	authorize(t, s, challenged(403, "scope", "b"))
	if at := w.visits("/authorize"); asked != 1 || len(at) != 2 || at[0].Host != "other.example.com" || at[1].Host != "other.example.com" {
		t.Errorf("asked %d times, and signed in at %v", asked, w.hosts())
	}
	o.Choose = func(context.Context, []string) (string, error) { return "https://evil.example.com", nil }
	if _, err := w.signIn(o).Authorize(t.Context(), challenged(401)); !errors.Is(err, oauth.ErrUsage) {
		t.Errorf("a choice that was not offered: got %v, want ErrUsage", err)
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]oauth.Options{
		"no URL":         {},
		"http":           {URL: "http://mcp.example.com/"},
		"user in URL":    {URL: "https://me@mcp.example.com/"},
		"secret alone":   {URL: serverURL, ClientSecret: "x"},
		"document, http": {URL: serverURL, ClientMetadataURL: "http://host.example.com/client.json"},
		"document, root": {URL: serverURL, ClientMetadataURL: "https://host.example.com/"},
		"port":           {URL: serverURL, CallbackPort: 70000},
	} {
		if _, err := oauth.New(o); !errors.Is(err, oauth.ErrUsage) {
			t.Errorf("%s: got %v, want ErrUsage", name, err)
		}
	}
	if _, err := oauth.New(oauth.Options{URL: "http://127.0.0.1:8080/mcp"}); err != nil {
		t.Errorf("http on this machine: %v", err)
	}
}
