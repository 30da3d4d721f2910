package oauth_test

import (
	"errors"
	"net"
	"net/url"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestClients prefers a client that was registered beforehand to a document, and
// a document to registering.
func TestClients(t *testing.T) {
	const document = "https://host.example.com/client.json"
	for name, tt := range map[string]struct {
		options   oauth.Options
		documents bool // the authorization server reads them
		want      string
		registers int
	}{
		"all":             {oauth.Options{ClientID: "given", ClientMetadataURL: document}, true, "given", 0},
		"document":        {oauth.Options{ClientMetadataURL: document}, true, document, 0},
		"document unread": {oauth.Options{ClientMetadataURL: document}, false, "registered-1", 1},
		"none":            {oauth.Options{}, true, "registered-1", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.meta["auth.example.com"]["client_id_metadata_document_supported"] = tt.documents
			o := tt.options
			o.URL, o.Open, o.HTTPClient = serverURL, w.browse, w.server.Client()
			authorize(t, w.signIn(o), challenged(401))
			if got := w.visits("/token")[0].Form.Get("client_id"); got != tt.want {
				t.Errorf("client: got %q, want %q", got, tt.want)
			}
			if got := len(w.visits("/register")); got != tt.registers {
				t.Errorf("%d registrations, want %d", got, tt.registers)
			}
		})
	}
}

// TestClientOfIssuer shows a client to the issuer it belongs to, and no other.
func TestClientOfIssuer(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.ClientID, o.Issuer = "given", "https://other.example.com"
	if _, err := w.signIn(o).Authorize(t.Context(), challenged(401)); !errors.Is(err, oauth.ErrDiscovery) {
		t.Errorf("Authorize: got %v, want ErrDiscovery", err)
	}
	if got := w.hosts(); len(got) != 1 {
		t.Errorf("requests went to %q", got)
	}
}

// TestAuthMethods proves who it is as the server wants, once.
func TestAuthMethods(t *testing.T) {
	for name, tt := range map[string]struct {
		supported     any
		secret        string
		basic, posted bool
	}{
		"basic":            {[]string{"client_secret_basic"}, "s", true, false},
		"post":             {[]string{"client_secret_post"}, "s", false, true},
		"both":             {[]string{"client_secret_basic", "client_secret_post"}, "s", false, true},
		"not said":         {nil, "s", true, false},
		"public, not said": {nil, "", false, false},
		"public, unlisted": {[]string{"client_secret_basic"}, "", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.meta["auth.example.com"]["token_endpoint_auth_methods_supported"] = tt.supported
			w.lifetime = 1
			o := w.options()
			o.ClientID, o.ClientSecret = "given", tt.secret
			s := w.signIn(o)
			authorize(t, s, challenged(401))
			header(t, s)
			tokens := w.visits("/token")
			if len(tokens) != 2 {
				t.Fatalf("%d token requests, want 2", len(tokens))
			}
			for _, v := range tokens {
				if got := v.Basic != ""; got != tt.basic {
					t.Errorf("basic: got %t", got)
				}
				if got := v.Form.Get("client_secret") != ""; got != tt.posted {
					t.Errorf("posted: got %t", got)
				}
			}
		})
	}
}

// TestRegistrationKept registers once with an authorization server, and comes
// back to the port it named there; if that is taken it registers again, and is
// the same account all the same.
func TestRegistrationKept(t *testing.T) {
	w := newWorld(t)
	w.meta["auth.example.com"]["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"}
	o := w.options()
	o.Store = &oauth.Memory{}
	label := authorize(t, w.signIn(o), challenged(401, "scope", "a"))
	authorize(t, w.signIn(o), challenged(403, "scope", "b"))
	at := w.visits("/authorize")
	if got := len(w.visits("/register")); got != 1 || at[0].Form.Get("redirect_uri") != at[1].Form.Get("redirect_uri") {
		t.Fatalf("%d registrations, want one and one redirect_uri", got)
	}
	redirect, _ := url.Parse(at[0].Form.Get("redirect_uri"))
	l, err := net.Listen("tcp4", redirect.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := authorize(t, w.signIn(o), challenged(403, "scope", "c")); got != label || len(w.visits("/register")) != 2 {
		t.Errorf("with the port taken: %d registrations, same account %t", len(w.visits("/register")), got == label)
	}
}

// TestNotRegistered says what to do where nobody can register.
func TestNotRegistered(t *testing.T) {
	w := newWorld(t)
	delete(w.meta["auth.example.com"], "registration_endpoint")
	if _, err := w.signIn(w.options()).Authorize(t.Context(), challenged(401)); !errors.Is(err, oauth.ErrNobody) {
		t.Errorf("Authorize: got %v, want ErrNobody", err)
	}
}
