package oauth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// TestClientCredentials gets and renews tokens without a person.
func TestClientCredentials(t *testing.T) {
	w := newWorld(t)
	w.lifetime = 1
	w.token["refresh_token"] = ""
	w.resource["scopes_supported"] = []string{"a", "b"}
	delete(w.meta["auth.example.com"], "authorization_endpoint")
	delete(w.meta["auth.example.com"], "code_challenge_methods_supported")
	o := oauth.Options{URL: serverURL, HTTPClient: w.server.Client(), ClientID: "given", ClientSecret: "client-s3cret"}
	s, err := oauth.ClientCredentials(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	authorize(t, s, challenged(401))
	if header(t, s) == "" {
		t.Error("no header")
	}
	tokens := w.visits("/token")
	if len(tokens) != 2 {
		t.Fatalf("%d token requests, want one and one to renew", len(tokens))
	}
	for _, v := range tokens {
		if v.Form.Get("grant_type") != "client_credentials" || v.Form.Get("resource") != serverURL || v.Form.Get("scope") != "a b" || v.Form.Has(" audience") {
			t.Errorf("a token request is not as it should be: %v", slices.Collect(keys(v.Form)))
		}
	}
}

func keys(form map[string][]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range form {
			if !yield(key) {
				return
			}
		}
	}
}

// TestClientKey signs assertions that hold, for the issuer, each anew.
func TestClientKey(t *testing.T) {
	elliptical := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	rsaKey := must(rsa.GenerateKey(rand.Reader, 2048))
	edPublic, edKey, _ := ed25519.GenerateKey(rand.Reader)
	for algorithm, tt := range map[string]struct {
		signer crypto.Signer
		verify func(text, signature []byte) bool
	}{
		"ES256": {elliptical, func(text, signature []byte) bool {
			sum := sha256.Sum256(text)
			return len(signature) == 64 && ecdsa.Verify(&elliptical.PublicKey, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
		}},
		"RS256": {rsaKey, func(text, signature []byte) bool {
			sum := sha256.Sum256(text)
			return rsa.VerifyPKCS1v15(&rsaKey.PublicKey, crypto.SHA256, sum[:], signature) == nil
		}},
		"EdDSA": {edKey, func(text, signature []byte) bool { return ed25519.Verify(edPublic, text, signature) }},
	} {
		t.Run(algorithm, func(t *testing.T) {
			w := newWorld(t)
			w.lifetime = 1
			w.meta["auth.example.com"]["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"}
			s, err := oauth.ClientCredentials(oauth.Options{URL: serverURL, HTTPClient: w.server.Client(), ClientID: "given"}, &oauth.ClientKey{Signer: tt.signer, ID: "k1"})
			if err != nil {
				t.Fatal(err)
			}
			authorize(t, s, challenged(401))
			header(t, s)
			seen := map[string]bool{}
			for _, v := range w.visits("/token") {
				parts := strings.Split(v.Form.Get("client_assertion"), ".")
				if len(parts) != 3 || v.Form.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
					t.Fatal("there is no assertion")
				}
				signature := must(base64.RawURLEncoding.DecodeString(parts[2]))
				if !tt.verify([]byte(parts[0]+"."+parts[1]), signature) {
					t.Error("the signature does not hold")
				}
				var head struct{ Alg, Kid string }
				var claims struct {
					Iss, Sub, Aud, Jti string
					Iat, Exp           int64
				}
				json.Unmarshal(must(base64.RawURLEncoding.DecodeString(parts[0])), &head)
				json.Unmarshal(must(base64.RawURLEncoding.DecodeString(parts[1])), &claims)
				if head.Alg != algorithm || head.Kid != "k1" || claims.Iss != "given" || claims.Sub != "given" || claims.Aud != issuerURL || claims.Exp-claims.Iat > 300 || seen[claims.Jti] {
					t.Errorf("the assertion says %+v %+v", head, claims)
				}
				seen[claims.Jti] = true
			}
			if len(seen) != 2 {
				t.Errorf("%d token requests, want 2", len(seen))
			}
		})
	}
	for name, key := range map[string]crypto.Signer{"P-384": must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)), "none": nil} {
		if _, err := oauth.ClientCredentials(oauth.Options{URL: serverURL, ClientID: "given"}, &oauth.ClientKey{Signer: key}); !errors.Is(err, oauth.ErrUsage) {
			t.Errorf("a key on %s: got %v, want ErrUsage", name, err)
		}
	}
}

// TestEnterprise changes an id_token for an assertion, and that for a token.
func TestEnterprise(t *testing.T) {
	w := newWorld(t)
	w.issuer("idp.example.com")
	delete(w.meta["idp.example.com"], "code_challenge_methods_supported")
	w.on("idp.example.com/token", func(rw http.ResponseWriter, _ *http.Request) {
		answerJSON(rw, 200, map[string]string{
			"access_token": w.secret("assertion"), "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag", "token_type": "N_A",
		})
	})
	o := oauth.Options{URL: serverURL, HTTPClient: w.server.Client(), ClientID: "given", ClientSecret: "client-s3cret"}
	asked := 0
	s, err := oauth.EnterpriseManaged(o, oauth.Enterprise{
		Issuer: "https://idp.example.com", ClientID: "at-idp", IDToken: func(context.Context) (string, error) { asked++; return "id-token-s3cret", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	label := authorize(t, s, challenged(401, "scope", "a"))
	if header(t, s) == "" || asked != 1 {
		t.Errorf("no header, or the id_token was wanted %d times", asked)
	}
	tokens := w.visits("/token")
	exchange, grant := tokens[0].Form, tokens[1].Form
	if tokens[0].Host != "idp.example.com" || exchange.Get("audience") != issuerURL || exchange.Get("resource") != serverURL || exchange.Get("client_id") != "at-idp" || exchange.Get("subject_token") == "" {
		t.Error("the request to the identity provider is not as it should be")
	}
	if tokens[1].Host != "auth.example.com" || !strings.HasPrefix(grant.Get("assertion"), "assertion-") || grant.Get("client_id") != "given" || grant.Has("subject_token") {
		t.Error("the request for the token is not as it should be")
	}
	if got := authorize(t, s, challenged(401)); got != label {
		t.Error("signing in again made another account")
	}
}
