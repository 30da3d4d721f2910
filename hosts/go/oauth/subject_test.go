package oauth_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// idToken is one with some claims, unsigned: it comes over TLS.
func idToken(claims map[string]any) string {
	text, _ := json.Marshal(claims)
	return "e30." + base64.RawURLEncoding.EncodeToString(text) + ".c2ln"
}

// TestSubject shows and compares who signed in, where an id_token says so.
func TestSubject(t *testing.T) {
	soon := time.Now().Add(time.Hour).Unix()
	claims := func(sub string) map[string]any {
		return map[string]any{"iss": issuerURL, "aud": "given", "sub": sub, "exp": soon}
	}
	w := newWorld(t)
	o := w.options()
	o.ClientID, o.Store = "given", &oauth.Memory{}
	s := w.signIn(o)
	as := func(token any, scope string) oauth.Account {
		t.Helper()
		w.change(func() { w.token["id_token"] = token })
		authorize(t, s, challenged(403, "scope", scope))
		account, _, err := s.Account(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return account
	}
	ada := as(idToken(claims("ada")), "a")
	if ada.Subject != "ada" {
		t.Fatalf("subject: got %q", ada.Subject)
	}
	for name, change := range map[string]func(map[string]any){
		"issuer":   func(c map[string]any) { c["iss"] = "https://evil.example.com" },
		"audience": func(c map[string]any) { c["aud"] = []string{"other"} },
		"party":    func(c map[string]any) { c["aud"], c["azp"] = []string{"given", "other"}, "other" },
		"expired":  func(c map[string]any) { c["exp"] = 1 },
	} {
		other := claims("mallory")
		change(other)
		if got := as(idToken(other), "scope-"+name); got.Subject != "ada" || got.Label != ada.Label {
			t.Errorf("a wrong %s was believed: %q", name, got.Subject)
		}
	}
	if got := as("nonsense", "b"); got.Label != ada.Label {
		t.Error("nonsense made another account")
	}
	if got := as(idToken(claims("bob")), "c"); got.Subject != "bob" || got.Label == ada.Label {
		t.Errorf("another person has the same account: %q", got.Subject)
	}
}
