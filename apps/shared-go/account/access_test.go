package account_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

const secret = "s3cr3t-t0k3n"

func file(t *testing.T, mode os.FileMode, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestHeaderFlag has header fields that go on a command line, and those that do not.
func TestHeaderFlag(t *testing.T) {
	for text, want := range map[string]string{
		"X-Tenant: acme":                       "",
		"x-note:":                              "",
		"Authorization: Bearer " + secret:      "--bearer-file",
		"authorization : Bearer " + secret:     "--header-file",
		"cookie:session=" + secret:             "--header-file",
		"PROXY-AUTHORIZATION: Basic " + secret: "--header-file",
		"Mcp-Session-Id: " + secret:            "the protocol's own",
		"Host: example.com":                    "the protocol's own",
		"Bearer " + secret:                     "Name: value",
		"X-A: a\r\nAuthorization: " + secret:   "cannot be sent",
	} {
		var m account.Means
		_, _, err := flags.Parse([]flags.Group{{Flags: m.Flags()}}, []string{"--header", text})
		if err == nil {
			err = m.Environment(func(string) string { return "" })
		}
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: got %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the secret is in: %v", err)
		}
	}
}

// TestNew has what cannot be used. No sentence repeats a secret.
func TestNew(t *testing.T) {
	const url = "https://example.com/mcp"
	mine, others := file(t, 0o600, secret+"\n"), file(t, 0o644, secret+"\n")
	header := file(t, 0o600, "# for the desk\n\nAuthorization: Bearer "+secret+"\nX-Tenant: acme\n")
	tests := map[string]struct {
		url   string
		means account.Means
		want  string // "" if it can
	}{
		"nothing":                       {url, account.Means{}, ""},
		"bearer":                        {url, account.Means{BearerFile: mine}, ""},
		"bearer of others":              {url, account.Means{BearerFile: others}, "chmod 600"},
		"bearer missing":                {url, account.Means{BearerFile: mine + "x"}, "cannot be opened"},
		"bearer here":                   {"http://127.0.0.1:1/mcp", account.Means{BearerFile: mine}, ""},
		"bearer to be read by all":      {"http://example.com/mcp", account.Means{BearerFile: mine}, "https only"},
		"header":                        {url, account.Means{HeaderFile: header}, ""},
		"header of others":              {url, account.Means{HeaderFile: others}, "chmod 600"},
		"header to be read by all":      {"http://example.com/mcp", account.Means{HeaderFile: header}, "https only"},
		"no header":                     {url, account.Means{HeaderFile: mine}, "line 1"},
		"both":                          {url, account.Means{HeaderFile: header, BearerFile: mine}, "one of them"},
		"secret":                        {url, account.Means{ClientID: "a", ClientSecretFile: mine}, ""},
		"secret of others":              {url, account.Means{ClientID: "a", ClientSecretFile: others}, "chmod 600"},
		"secret of nobody":              {url, account.Means{ClientSecretFile: mine}, "--client-id"},
		"nobody's issuer":               {url, account.Means{Issuer: "https://a.example"}, "--client-id"},
		"a name in it":                  {"https://me:" + secret + "@example.com/mcp", account.Means{}, ""},
		"port":                          {url, account.Means{CallbackPort: 70000}, "port"},
		"metadata":                      {url, account.Means{ClientMetadataURL: "http://example.com/x"}, "https"},
		"in the open, without a secret": {"http://example.com/mcp", account.Means{}, ""},
	}
	for name, tt := range tests {
		_, err := account.New(&server.Server{URL: tt.url}, tt.means, &oauth.Memory{}, account.Person{})
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the secret is in: %v", name, err)
		}
	}
}

// TestEnvironment takes what no flag says.
func TestEnvironment(t *testing.T) {
	env := map[string]string{account.EnvBearerFile: "b", account.EnvClientID: "c", account.EnvClientSecretFile: "s", account.EnvCallbackPort: "81"}
	m := account.Means{ClientID: "mine"}
	if err := m.Environment(func(name string) string { return env[name] }); err != nil {
		t.Fatal(err)
	}
	if m.BearerFile != "b" || m.ClientID != "mine" || m.ClientSecretFile != "" || m.CallbackPort != 81 {
		t.Errorf("got %+v", m) // the secret is of another client
	}
	env[account.EnvCallbackPort] = "x"
	if m.CallbackPort = 0; m.Environment(func(name string) string { return env[name] }) == nil {
		t.Error("a port that is none was taken")
	}
}

// TestCookies sends the cookies of a file, and with them those that the server sets:
// a balancer's, not one in place of what somebody gave.
func TestCookies(t *testing.T) {
	seen := make(chan []string, 10)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header["Cookie"]
		w.Header().Add("Set-Cookie", "node=a; Path=/")
		w.Header().Add("Set-Cookie", "mine=theirs; Path=/")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer h.Close()
	a, err := account.New(&server.Server{URL: h.URL}, account.Means{HeaderFile: file(t, 0o600, "Cookie: mine=1; other=2\nCookie: third=3\n")}, &oauth.Memory{}, account.Person{})
	if err != nil {
		t.Fatal(err)
	}
	transport := a.Transport(&server.Server{URL: h.URL}, nil, nil)
	for range 2 {
		transport.Perform(t.Context(), session.Post{Exchange: 1}, func(session.Event, error) {})
		transport.Close()
	}
	for _, want := range []string{"mine=1; other=2; third=3", "mine=1; other=2; third=3; node=a"} {
		if got := <-seen; len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestRequests sends what the files say by then, to the server alone.
func TestRequests(t *testing.T) {
	seen := make(chan http.Header, 10)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header
		w.WriteHeader(http.StatusTeapot)
	}))
	defer h.Close()
	name := file(t, 0o600, "Authorization: Basic first\nX-Secret: one\n")
	s := &server.Server{URL: h.URL}
	means := account.Means{HeaderFile: name, Headers: http.Header{"X-Tenant": {"acme"}}}
	a, err := account.New(s, means, &oauth.Memory{}, account.Person{})
	if err != nil {
		t.Fatal(err)
	}
	session, err := parley.NewSession(parley.Native{}, a.Transport(s, nil, nil), parley.SessionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"first", "second"} {
		write("Authorization: Basic " + want + "\nX-Secret: one\n")
		session.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"x"}`)}) // fails
		got := <-seen
		if got.Get("Authorization") != "Basic "+want || got.Get("X-Secret") != "one" || got.Get("X-Tenant") != "acme" {
			t.Errorf("got %v, want %s", got, want)
		}
		for len(seen) > 0 {
			<-seen
		}
	}
	write("X-Secret: one\n")
	if _, err := session.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`{"name":"x"}`)}); err == nil || len(seen) > 0 {
		t.Errorf("without what it began with: got %v, and %d requests", err, len(seen))
	}
}
