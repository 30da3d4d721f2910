//go:build unix

package main_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/apps/internal/authtest"
)

func secretFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// everything wants somebody to be signed in for everything.
func everything(authtest.Request) string { return "all" }

// TestLogin signs in and out without a terminal, and shows no token.
func TestLogin(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	server.Wants = everything
	parley := func(args ...string) ending {
		t.Helper()
		got := run(t, "", append(args, "--state-dir", dir)...)
		server.Leaks(t, args[0], got.stdout+got.stderr)
		return got
	}
	got := parley("accounts")
	got.check(t, 0, "")
	got.says(t, "nobody is signed in anywhere")
	parley("accounts", "--json").check(t, 0, `{"accounts":[]}`+"\n")
	parley("logout", server.URL).says(t, "nobody is signed in to")
	if _, err := os.Stat(filepath.Join(dir, "accounts")); err == nil {
		t.Error("a store was made for nothing")
	}
	got = parley("tools", server.URL)
	got.check(t, 3, "")
	got.says(t, "and nobody is here to be asked: run  parley login "+server.URL+" --state-dir")

	got = parley("login", server.URL, "--browser", visitCommand())
	got.check(t, 0, "")
	got.says(t, "you sign in at: "+label(server.URL), "→ opened in the browser", "→ signed in at", "you are signed in at "+server.Issuer+" for all since ")
	parley("login", server.URL, "--browser", "/no/such/browser").check(t, 0, "")
	got = parley("accounts")
	if !strings.HasPrefix(got.stdout, server.URL+"  at "+server.Issuer+" for all since 20") || strings.Count(got.stdout, "\n") != 1 {
		t.Errorf("accounts: got %q", got.stdout)
	}
	var list struct {
		Accounts []struct{ URL, Issuer string }
	}
	if err := json.Unmarshal([]byte(parley("accounts", "--json").stdout), &list); err != nil || len(list.Accounts) != 1 || list.Accounts[0].Issuer != server.Issuer {
		t.Errorf("accounts --json: got %+v, %v", list, err)
	}
	for _, command := range []string{"tools", "discover"} {
		if got := parley(command, server.URL); got.code != 0 {
			t.Errorf("%s: got exit %d\n%s", command, got.code, got.stderr)
		}
	}

	// An access token that the server does not take any more is renewed, and
	// nobody is asked.
	server.Expire()
	parley("tools", server.URL).check(t, 0, parley("tools", server.URL).stdout)
	if server.Count("/authorize") != 1 || server.Count("/token") != 2 {
		t.Errorf("visits and tokens: got %d and %d, want 1 and 2", server.Count("/authorize"), server.Count("/token"))
	}

	got = parley("logout", server.URL)
	got.check(t, 0, "")
	got.says(t, "signed out of "+label(server.URL))
	if server.Count("/revoke") != 1 {
		t.Error("nothing was revoked")
	}
	parley("accounts").check(t, 0, "")
	parley("tools", server.URL).check(t, 3, "")
	if server.Secrets() < 6 {
		t.Errorf("secrets: got %d: the search for them proves nothing", server.Secrets())
	}
	server.Leaks(t, "a file", files(t, dir))
}

// TestIssuerSays has the words of an authorization server that refuses on the
// screen, whole up to 500 characters, and marked as its own.
func TestIssuerSays(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	server.Wants = everything
	const said = "Ada may not.\x1b[31m\u202e"
	shown := "“Ada may not. [31m " + strings.Repeat("x", 482) + "…”"
	says := func(what string, args ...string) {
		t.Helper()
		got := run(t, "", append(args, "--state-dir", dir)...)
		server.Leaks(t, args[0], got.stdout+got.stderr)
		if told := strings.Join(strings.Fields(got.stderr), " "); !strings.Contains(told, shown) {
			t.Errorf("%s: got %s", what, told)
		}
	}
	server.Change(func() { server.Says, server.Refuses = said+" "+strings.Repeat("x", 1000), true })
	says("a sign-in that is denied", "login", server.URL, "--browser", visitCommand())
	server.Change(func() { server.Refuses = false })
	login := func() {
		run(t, "", "login", server.URL, "--state-dir", dir, "--browser", visitCommand()).check(t, 0, "")
	}
	login()
	server.Forget()
	says("a refresh token that is dead", "tools", server.URL)
	login()
	says("tokens that are not revoked", "logout", server.URL)
}

// TestLogoutAlone signs out here where the authorization server is gone.
func TestLogoutAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mux := http.NewServeMux()
	server := authtest.New(t, mux)
	peer := newPeer(current)
	mux.Handle("/", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer }, &mcp.StreamableHTTPOptions{Stateless: true}))
	run(t, "", "login", server.URL, "--state-dir", dir, "--browser", visitCommand()).check(t, 0, "")
	server.Change(func() { server.Gone = true })
	got := run(t, "", "logout", server.URL, "--state-dir", dir)
	got.check(t, 3, "")
	got.says(t, "you are signed out here, but the sign-in may live on at "+label(server.Issuer))
	run(t, "", "accounts", "--state-dir", dir).says(t, "nobody is signed in anywhere")
}

// TestLoginEarlier signs in at servers that want it before they say who they
// are.
func TestLoginEarlier(t *testing.T) {
	t.Parallel()
	for _, version := range []string{latest, middle, oldest} {
		peer := newPeer(version)
		server := authtest.New(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return peer }, &mcp.StreamableHTTPOptions{}))
		server.Wants = everything
		dir := t.TempDir()
		w := startWith(t, 100, 40, visiting, "tools", server.URL, "--state-dir", dir)
		w.sees("wants you to sign in", "> Sign in", "  Not now", "  Stop this call")
		w.press(enter)
		w.sees("> Open in the browser")
		w.press(enter)
		w.sees("→ signed in at", "greet")
		w.ends(0)
		got := run(t, "", "tools", server.URL, "--state-dir", dir)
		if got.code != 0 {
			t.Errorf("%s: got exit %d\n%s", version, got.code, got.stderr)
		}
	}
}

// TestLoginByHand takes the address to a browser by hand, twice, and is denied.
func TestLoginByHand(t *testing.T) {
	t.Parallel()
	server := protected(t)
	server.Refuses = true
	w := start(t, 100, 40, "login", server.URL, "--state-dir", t.TempDir(), "--browser", "/no/such/browser")
	w.sees("> Open in the browser")
	w.press(enter)
	w.seesFlat("warning: the browser did not open", "/authorize?", "> Open in the browser")
	w.press(down, enter)
	w.seesFlat("→ to be opened by you, in a browser on this machine:", "Waiting until you are done")
	w.press(down, enter)
	w.wait(func(screen string) string {
		if strings.Count(screen, "/authorize?") < 3 {
			return "the address does not show again"
		}
		return ""
	})
	w.mu.Lock()
	_, address, _ := strings.Cut(strings.ReplaceAll(w.raw.String(), "\r\n", "\n"), "http://"+label(server.URL)+"/authorize?")
	w.mu.Unlock()
	address, _, _ = strings.Cut(address, "\n")
	if err := authtest.Visit(server.Issuer + "/authorize?" + address); err != nil {
		t.Error(err)
	}
	w.seesFlat("the sign-in at " + label(server.URL) + " was denied")
	w.ends(3)
}

// TestSeveralIssuers lets the person choose.
func TestSeveralIssuers(t *testing.T) {
	t.Parallel()
	server := protected(t)
	server.Issuers = []string{"https://other.example", server.Issuer}
	w := startWith(t, 100, 40, visiting, "login", server.URL, "--state-dir", t.TempDir())
	w.sees("Where do you sign in?", "> https://other.example", "  "+server.Issuer, "  Not now")
	w.press(down, enter)
	w.sees("you sign in at: "+label(server.Issuer), "> Open in the browser")
	w.press(enter)
	w.sees("you are signed in at " + server.Issuer)
	w.ends(0)
}

// TestSignInScript has the script sign in, and says what it lacks.
func TestSignInScript(t *testing.T) {
	t.Parallel()
	const answers = `"answers":[{"key":"resolution","action":"decline"}]`
	server := protected(t)
	for name, tt := range map[string]struct {
		script string
		code   int
		want   string
	}{
		"nothing said": {`{` + answers + `}`, 3, "and nobody is here to be asked: run  parley login " + server.URL},
		"declined":     {`{"signIn":[{"action":"decline"}],` + answers + `}`, 3, "wants you to sign in, and you did not"},
		"stopped":      {`{"signIn":[{"action":"stop"}],` + answers + `}`, 4, "you stopped the call"},
		"elsewhere":    {`{"signIn":[{"action":"accept","at":"other.example"}],` + answers + `}`, 3, "signs in at other.example, and " + label(server.URL) + " wants it at " + label(server.URL)},
		"accepted":     {`{"signIn":[{"action":"accept","at":"` + label(server.URL) + `"}],` + answers + `}`, 0, "→ signed in at " + label(server.URL)},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			got := run(t, "", "call", server.URL, "update_work_item", "id:=4711", "state=Resolved", "--trace", "--state-dir", dir, "--browser", visitCommand(), "--script", file(t, tt.script))
			if got.code != tt.code {
				t.Errorf("got exit %d, want %d", got.code, tt.code)
			}
			got.says(t, tt.want)
			server.Leaks(t, "what was said", got.stdout+got.stderr)
			if strings.Contains(got.stderr, "in doubt") {
				t.Errorf("in doubt:\n%s", got.stderr)
			}
		})
	}
}

// TestMeans sends what files say, and signs in to nothing then.
func TestMeans(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	server.Wants = everything
	token := server.Token("all")
	for name, tt := range map[string]struct {
		args []string
		code int
		want string
	}{
		"bearer":       {[]string{"--bearer-file", secretFile(t, token)}, 0, ""},
		"header":       {[]string{"--header-file", secretFile(t, "Authorization: Bearer "+token), "--header", "X-Tenant: acme"}, 0, ""},
		"wrong bearer": {[]string{"--bearer-file", secretFile(t, "access-s3cret-wrong")}, 3, "does not accept the token in "},
		"wrong header": {[]string{"--header-file", secretFile(t, "Authorization: Basic access-s3cret-wrong")}, 3, "does not accept the Authorization in "},
		"public":       {[]string{"--header", "Authorization: Bearer " + token}, 2, "--header: Authorization does not go on the command line"},
		"cookie":       {[]string{"--header", "Cookie: a=" + token}, 2, "--header-file"},
		"others":       {[]string{"--bearer-file", "README.md"}, 2, "can be used by others"},
		"port":         {[]string{"--callback-port", "-1"}, 2, "not a port"},
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "", append([]string{"tools", server.URL, "--state-dir", dir}, tt.args...)...)
			if got.code != tt.code {
				t.Errorf("got exit %d, want %d\n%s", got.code, tt.code, got.stderr)
			}
			got.says(t, tt.want)
			server.Leaks(t, "what was said", got.stdout+got.stderr)
			if strings.Contains(got.stderr, "s3cret") {
				t.Errorf("a secret is in:\n%s", got.stderr)
			}
		})
	}
	got := run(t, "", append([]string{"tools", "--bearer-file", secretFile(t, token)}, stdio(current)...)...)
	got.check(t, 2, "")
	got.says(t, "has its secrets in its environment")
}

// TestClient signs in as a client that is registered already, and comes back to
// the port that was named.
func TestClient(t *testing.T) {
	t.Parallel()
	server, dir := protected(t), t.TempDir()
	server.Wants = everything
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	got := run(t, "", "login", server.URL, "--state-dir", dir, "--browser", visitCommand(), "--callback-port", port)
	got.check(t, 3, "")
	got.says(t, "port "+port)
	l.Close()
	got = run(t, "", "login", server.URL, "--state-dir", dir, "--browser", visitCommand(), "--client-id", "mine", "--issuer", "https://other.example")
	got.check(t, 3, "")
	got.says(t, "https://other.example")
	if server.Count("/authorize") > 0 {
		t.Error("another authorization server has seen the client")
	}
	cmd := exec.Command(program, "login", server.URL, "--state-dir", dir, "--browser", visitCommand())
	cmd.Env = append(os.Environ(), "PARLEY_CLIENT_ID=mine", "PARLEY_ISSUER="+server.Issuer, "PARLEY_CLIENT_SECRET_FILE="+secretFile(t, "client-s3cret"), "PARLEY_CALLBACK_PORT="+port)
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "s3cret") {
		t.Fatalf("%v\n%s", err, out)
	}
	if server.Count("/register") > 0 {
		t.Error("a client was registered")
	}
	server.Change(func() {
		if server.Client != "mine" || server.ClientSecret != "client-s3cret" || server.Redirect != "http://127.0.0.1:"+port+"/callback" {
			t.Errorf("signed in as %q, back to %q", server.Client, server.Redirect)
		}
	})
	server.Leaks(t, "a file", files(t, dir))
}

// TestLoginInterrupted leaves the terminal as it was while the browser is away.
func TestLoginInterrupted(t *testing.T) {
	t.Parallel()
	server := protected(t)
	server.Keeps = make(chan struct{})
	defer close(server.Keeps)
	w := startWith(t, 60, 40, visiting, "login", server.URL, "--state-dir", t.TempDir())
	w.sees("> Open in the browser")
	w.press(enter)
	w.sees("Waiting until you are done at", "> Open the page again")
	w.press(ctrlC)
	w.sees("parley: interrupted")
	w.ends(130)
}

// TestNoSignIn has servers where there is nobody to sign in to.
func TestNoSignIn(t *testing.T) {
	t.Parallel()
	open, _ := rawServer(t, done)
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer locked.Close()
	for _, tt := range map[string]struct{ url, want string }{
		"open":   {server(t), "lists its tools for everybody, and one cannot sign in beforehand: "},
		"locked": {locked.URL, "wants a sign-in and does not say where"},
		"odd":    {open, "lists its tools for everybody, and one cannot sign in beforehand: "},
	} {
		got := run(t, "", "login", tt.url, "--state-dir", t.TempDir(), "--browser", "/no/such/browser")
		got.check(t, 3, "")
		got.says(t, tt.want)
	}
}

// TestHostileIssuer has servers that name somewhere odd to sign in: nothing is
// opened, and what they say shows as text.
func TestHostileIssuer(t *testing.T) {
	t.Parallel()
	server := protected(t)
	for name, tt := range map[string]struct{ issuer, want string }{
		"in the open": {"http://evil.example", `"http://evil.example" is not https. Nothing was sent there`},
		"a program":   {"javascript:alert(1)", `"javascript:alert(1)" is not a web address. Nothing was sent there`},
		"escapes":     {"https://evil.example/\x1b[2J", `"https://evil.example/\x1b[2J" is not a web address`},
		"nobody":      {"https://127.0.0.1:1", "there is no connection to 127.0.0.1:1"},
		"another":     {server.Issuer + "/other", "has no authorization server metadata"},
	} {
		server.Change(func() { server.Issuers = []string{tt.issuer} })
		dir := t.TempDir()
		got := run(t, "", "login", server.URL, "--state-dir", dir, "--browser", visitCommand())
		got.check(t, 3, "")
		got.says(t, "parley: ", tt.want)
		if strings.ContainsAny(got.stderr, "\x1b\x07") || strings.Contains(got.stderr, "opened") {
			t.Errorf("%s: got %q", name, got.stderr)
		}
	}
	if server.Count("/authorize") > 0 {
		t.Error("a page was opened")
	}
}
