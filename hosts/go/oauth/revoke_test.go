package oauth_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestSignOut revokes and forgets, the client that was registered included.
func TestSignOut(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	o.Store = &oauth.Memory{}
	s := w.signIn(o)
	label := authorize(t, s, challenged(401))
	if err := s.SignOut(t.Context()); err != nil {
		t.Fatalf("SignOut: %v", err)
	}
	revoked := w.visits("/revoke")
	if len(revoked) != 1 || len(w.refresh) != 0 || revoked[0].Form.Get("client_id") != "registered-1" || revoked[0].Form.Get("token_type_hint") != "refresh_token" {
		t.Errorf("%d requests to revoke, %d refresh tokens live", len(revoked), len(w.refresh))
	}
	if header(t, s) != "" {
		t.Error("the token is still sent")
	}
	if _, ok, _ := s.Account(t.Context()); ok {
		t.Error("there is still an account")
	}
	if keys, _ := o.Store.Keys(t.Context()); len(keys) != 0 {
		t.Errorf("the store still has %d entries", len(keys))
	}
	if err := s.SignOut(t.Context()); err != nil {
		t.Errorf("SignOut with nobody signed in: %v", err)
	}
	if authorize(t, s, challenged(401)) == label {
		t.Error("the label of an account that was forgotten came back")
	}
}

// TestSignOutUnheard forgets even so, and says that the sign-in may live on.
func TestSignOutUnheard(t *testing.T) {
	w := newWorld(t)
	w.on("auth.example.com/revoke", func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(503) })
	o := w.options()
	o.ClientID, o.ClientSecret = "given", "client-s3cret"
	s := w.signIn(o)
	authorize(t, s, challenged(401))
	err := s.SignOut(t.Context())
	if !errors.Is(err, oauth.ErrServer) {
		t.Fatalf("SignOut: got %v, want ErrServer", err)
	}
	w.checkText("the error", err.Error())
	if header(t, s) != "" {
		t.Error("the token is still sent")
	}
}

// TestNoRevocation is silent where nothing is offered.
func TestNoRevocation(t *testing.T) {
	w := newWorld(t)
	delete(w.meta["auth.example.com"], "revocation_endpoint")
	s := w.signIn(w.options())
	authorize(t, s, challenged(401))
	if err := s.SignOut(t.Context()); err != nil || len(w.visits("/revoke")) != 0 {
		t.Errorf("SignOut: %v", err)
	}
}

// TestSignOutOther ends an account that other options made, and one that cannot
// be read any more.
func TestSignOutOther(t *testing.T) {
	w := newWorld(t)
	o := oauth.Options{URL: serverURL, HTTPClient: w.server.Client(), ClientID: "given", ClientSecret: "client-s3cret", Store: &oauth.Memory{}}
	program, err := oauth.ClientCredentials(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	authorize(t, program, challenged(401))
	other := w.signIn(oauth.Options{URL: serverURL, HTTPClient: w.server.Client(), Store: o.Store})
	if err := other.SignOut(t.Context()); err != nil || len(w.visits("/revoke")) != 1 {
		t.Errorf("SignOut: %v, %d requests to revoke", err, len(w.visits("/revoke")))
	}
	if keys, _ := o.Store.Keys(t.Context()); len(keys) != 0 {
		t.Errorf("the store still has %d entries", len(keys))
	}
	authorize(t, program, challenged(401))
	keys, _ := o.Store.Keys(t.Context())
	o.Store.Save(t.Context(), keys[0], []byte("nonsense"))
	if err := other.SignOut(t.Context()); !errors.Is(err, oauth.ErrStore) {
		t.Errorf("SignOut of what cannot be read: got %v, want ErrStore", err)
	}
	if keys, _ := o.Store.Keys(t.Context()); len(keys) != 0 {
		t.Error("what cannot be read was not forgotten")
	}
}
