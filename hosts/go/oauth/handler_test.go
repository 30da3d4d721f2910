package oauth_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/parley-mcp/parley/hosts/go/oauth"
	"golang.org/x/oauth2"
)

// TestHandler uses a handler of the SDK as it is.
func TestHandler(t *testing.T) {
	w := newWorld(t)
	given, err := extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{
		Credentials: &oauthex.ClientCredentials{ClientID: "given", ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: "client-s3cret"}}, HTTPClient: w.server.Client(),
	})
	if err != nil {
		t.Fatal(err)
	}
	h := oauth.Handler(given, serverURL)
	if got := header(t, h); got != "" {
		t.Errorf("before: got %q", got)
	}
	q := challenged(401)
	q.Params = []byte(`{"status":401,"challenge":"Bearer scope=\"a b\"","scope":"a b"}`)
	label := authorize(t, h, q)
	if header(t, h) == "" || authorize(t, h, q) != label {
		t.Error("no header, or another account")
	}
	if got := w.visits("/token")[0].Form.Get("scope"); got != "a b" && got != "b a" {
		t.Errorf("the handler did not get the challenge: scope %q", got)
	}
}

// TestHandlerRefused says no more than the error code.
func TestHandlerRefused(t *testing.T) {
	w := newWorld(t)
	w.on("auth.example.com/token", func(rw http.ResponseWriter, _ *http.Request) {
		text(500, "text/html", w.visits("/token")[0].Form.Encode())(rw, nil)
	})
	given, err := extauth.NewClientCredentialsHandler(&extauth.ClientCredentialsHandlerConfig{
		Credentials: &oauthex.ClientCredentials{ClientID: "given", ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: "client-s3cret"}}, HTTPClient: w.server.Client(),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = oauth.Handler(given, serverURL).Authorize(t.Context(), challenged(401))
	if !errors.Is(err, oauth.ErrServer) {
		t.Fatalf("Authorize: got %v, want ErrServer", err)
	}
	w.checkText("the error", err.Error())
}

// TestHandlerFails lets its errors through.
func TestHandlerFails(t *testing.T) {
	no := errors.New("no")
	h := oauth.Handler(failing{no}, serverURL)
	if _, err := h.Authorize(t.Context(), challenged(401)); !errors.Is(err, no) {
		t.Errorf("Authorize: got %v", err)
	}
	if _, err := h.Authorization(t.Context()); !errors.Is(err, no) {
		t.Errorf("Authorization: got %v", err)
	}
}

type failing struct{ err error }

func (f failing) TokenSource(context.Context) (oauth2.TokenSource, error)        { return nil, f.err }
func (f failing) Authorize(context.Context, *http.Request, *http.Response) error { return f.err }

func TestBearer(t *testing.T) {
	name := filepath.Join(t.TempDir(), "token")
	b := oauth.Bearer(oauth.TokenFile(name))
	if _, err := b(t.Context()); !errors.Is(err, oauth.ErrUsage) {
		t.Errorf("no file: got %v", err)
	}
	for text, want := range map[string]string{"abc\n": "Bearer abc", " abc \r\nmore": "Bearer abc", "\n": ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := b(t.Context()); got != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	os.WriteFile(name, []byte("a s3cret\n"), 0o600)
	if got, err := b(t.Context()); got != "" || !errors.Is(err, oauth.ErrUsage) {
		t.Errorf("a token with a space: got %v", err)
	}
	if runtime.GOOS != "windows" {
		os.Chmod(name, 0o644)
		if _, err := b(t.Context()); !errors.Is(err, oauth.ErrUsage) {
			t.Errorf("a file that others can read: got %v", err)
		}
	}
}
