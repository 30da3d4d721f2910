package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// hears runs the bridge in front of a guarded server, with accounts of its own.
// When the test ends, its log holds no secret.
func (g *guarded) hears(args ...string) (url string) {
	g.t.Helper()
	g.t.Setenv("XDG_STATE_HOME", g.t.TempDir())
	cmd := exec.Command(program, append(append([]string{"--listen", ":0"}, args...), g.URL+"/mcp")...)
	var log bytes.Buffer
	cmd.Stderr = &log
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		g.checkText("the log", log.String())
		if g.t.Failed() {
			g.t.Logf("the bridge said:\n%s", &log)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok {
		g.t.Fatalf("the bridge does not listen: %q, %v", line, err)
	}
	return at
}

// asked reads the page out of a question, and holds it to be one of the bridge's.
func (g *guarded) asked(question []byte, bridge string) (page string) {
	g.t.Helper()
	page = message.Text(question, "params", "url")
	if message.Text(question, "method") != "elicitation/create" || message.Text(question, "params", "mode") != "url" ||
		!strings.HasPrefix(page, strings.TrimSuffix(bridge, "mcp")+"sign-in/") {
		g.t.Fatalf("got %s, want a page of the bridge at %s", question, bridge)
	}
	g.hide(page[strings.LastIndex(page, "/")+1:])
	return page
}

// modern is a client of MCP 2026-07-28 for one method; headers are secrets that
// are not the server's.
func (g *guarded) modern(url, method, name string) *client {
	return &client{g.t, url, map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name}}
}

const canOpen = `{"elicitation":{"url":{}}}`

func request(method, capabilities, more string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + more +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + capabilities + `}}}`
}

func callTool(tool, more string) string {
	return request("tools/call", canOpen, `"name":"`+tool+`","arguments":{},`+more)
}

// question is the only one of a result.
func question(text string) []byte { return message.Get([]byte(text), "result", "inputRequests", "q1") }

func agreed(text string) string {
	return `"requestState":` + string(message.Get([]byte(text), "result", "requestState")) + `,"inputResponses":{"q1":{"action":"accept"}},`
}

func person(name string) string { return `"text":"` + name + `"` }

// TestSignIn2025 has a server that says nothing to strangers, and a client of 2025
// whose call goes on by itself when the page is done. Nothing of what the client
// sends to authorize itself gets to the server, and nothing of the challenge to
// the client.
func TestSignIn2025(t *testing.T) {
	g := newGuarded(t)
	at := g.hears()
	foreign := []string{"Authorization: Bearer the-clients-own-token", "Cookie: id=the-clients-own-cookie", "Proxy-Authorization: Basic dGhlLWNsaWVudHM="}
	c := begin(t, at, canOpen)
	response := c.do("POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami"}}`, foreign...)
	next := events(response)
	asked := []byte(next().data)
	page := g.asked(asked, at)
	if c.do("POST", `{"jsonrpc":"2.0","id":`+string(message.Get(asked, "id"))+`,"result":{"action":"accept"}}`); message.Text(asked, "params", "elicitationId") == "" {
		t.Errorf("got %s, want an elicitationId", asked)
	}
	shown, last := newBrowser(t, "ada at work").signIn(page, "")
	host := strings.TrimPrefix(g.URL, "http://")
	for _, want := range []string{"Sign in to " + host, "<strong>" + host + "</strong>", "<code>read</code>"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page does not say %s: %s", want, shown)
		}
	}
	if !strings.Contains(last, "You can close this window") {
		t.Errorf("at the end the page says %s", last)
	}
	if got := next().data; !strings.Contains(got, `"notifications/elicitation/complete"`) || !strings.Contains(got, message.Text(asked, "params", "elicitationId")) {
		t.Errorf("got %s, want to be told that the page is done", got)
	}
	if got := next().data; !strings.Contains(got, `"id":7,"result"`) || !strings.Contains(got, person("ada at work")) {
		t.Errorf("got %s, want the result", got)
	}
	if _, text := c.text("POST", `{"jsonrpc":"2.0","id":8,"method":"prompts/list"}`); !strings.Contains(text, `"prompts":[]`) {
		t.Errorf("a list that the server has not: got %s, want an empty one", text)
	}
	<-g.heard // what changes there is listened to from now on
	if response.Header.Get("WWW-Authenticate") != "" || response.StatusCode != 200 {
		t.Errorf("the client got a challenge: %d %v", response.StatusCode, response.Header)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, header := range g.seen {
		text := fmt.Sprint(header)
		if strings.Contains(text, "the-clients-own") || header.Get("Proxy-Authorization") != "" || header.Get("Cookie") != "" {
			t.Errorf("the server got what the client authorizes itself with: %s", text)
		}
	}
	if len(g.kinds) != 1 || g.kinds[0] != "native" {
		t.Errorf("registered: %v, want one native client", g.kinds)
	}
}

// TestSignIn2026 has the question survive rounds: the client comes back before
// the person is done, or after.
func TestSignIn2026(t *testing.T) {
	for _, name := range []string{"the client waits", "the person is quicker"} {
		t.Run(name, func(t *testing.T) {
			g := newGuarded(t, "server/discover", "tools/list")
			at := g.hears()
			c := g.modern(at, "tools/call", "whoami")
			res := c.do("POST", callTool("whoami", ""))
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != 200 || res.Header.Get("WWW-Authenticate") != "" {
				t.Errorf("got %d %v, want no challenge", res.StatusCode, res.Header)
			}
			g.checkText("the question", string(body))
			page := g.asked(question(string(body)), at)
			if strings.Contains(string(body), "elicitationId") || strings.Contains(string(body), "resource_metadata") {
				t.Errorf("got %s", body)
			}
			person1 := newBrowser(t, "ada")
			answered := make(chan string, 1)
			back := func() { _, text := c.text("POST", callTool("whoami", agreed(string(body)))); answered <- text }
			if name == "the client waits" {
				go back()
				person1.signIn(page, "")
			} else {
				person1.signIn(page, "")
				go back()
			}
			if text := <-answered; !strings.Contains(text, person("ada")) {
				t.Errorf("got %s, want the result", text)
			}
			if _, text := c.text("POST", callTool("whoami", "")); !strings.Contains(text, person("ada")) {
				t.Errorf("the next call: got %s, want it to use the account", text)
			}
			if status, text := person1.get(page); status != http.StatusNotFound {
				t.Errorf("the page, again: got %d %s, want 404", status, text)
			}
			if g.peopleSeen() != 1 {
				t.Errorf("the person was sent away %d times, want once", g.peopleSeen())
			}
		})
	}
}

// TestNotNow has clients that do not want to sign in, and calls that end.
func TestNotNow(t *testing.T) {
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears()
	c := g.modern(at, "tools/call", "whoami")
	for action, want := range map[string]string{"decline": "was declined", "cancel": "was dismissed"} {
		_, text := c.text("POST", callTool("whoami", ""))
		page := g.asked(question(text), at)
		_, text = c.text("POST", callTool("whoami", strings.Replace(agreed(text), "accept", action, 1)))
		if !strings.Contains(text, `"error"`) || !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want an error", action, text)
		}
		if status, _ := newBrowser(t, "ada").get(page); status != http.StatusNotFound {
			t.Errorf("%s: the page is still there: %d", action, status)
		}
	}
	old := begin(t, at, canOpen)
	next := events(old.do("POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami"}}`))
	asked := []byte(next().data)
	g.asked(asked, at)
	old.do("POST", `{"jsonrpc":"2.0","id":`+string(message.Get(asked, "id"))+`,"result":{"action":"decline"}}`)
	if got := next().data; !strings.Contains(got, `"id":7,"error"`) || !strings.Contains(got, "was declined") {
		t.Errorf("got %s, want an error", got)
	}
	if g.peopleSeen() != 0 {
		t.Error("somebody was sent away")
	}
}

// TestNoPages has clients that cannot open pages: they are told what to do.
func TestNoPages(t *testing.T) {
	g := newGuarded(t)
	at := g.hears()
	login := "run  parley login " + g.URL + "/mcp"
	c := &client{t: t, url: at}
	_, text := c.text("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
		"clientInfo":{"name":"t","version":"1"},"capabilities":{"elicitation":{}}}}`)
	if !strings.Contains(text, login) {
		t.Errorf("2025: got %s, want %q", text, login)
	}
	for _, method := range []string{"server/discover", "tools/list", "tools/call"} {
		status, text := g.modern(at, method, "whoami").text("POST", request(method, `{"elicitation":{}}`, `"name":"whoami",`))
		if status != 200 || !strings.Contains(text, login) {
			t.Errorf("%s: got %d %s, want %q", method, status, text, login)
		}
	}
}

// TestNoQuestion has requests of MCP 2026-07-28 in which a client cannot be asked:
// the error tells of the page.
func TestNoQuestion(t *testing.T) {
	g := newGuarded(t)
	at := g.hears()
	if _, text := g.modern(at, "server/discover", "").text("POST", request("server/discover", canOpen, "")); !strings.Contains(text, `"tools":{`) {
		t.Errorf("discover: got %s, want a server that may offer tools", text)
	}
	list := g.modern(at, "tools/list", "")
	_, text := list.text("POST", request("tools/list", canOpen, ""))
	said := message.Text([]byte(text), "error", "message")
	_, page, _ := strings.Cut(said, "open ")
	page, _, ok := strings.Cut(page, " in a browser")
	if !ok {
		t.Fatalf("got %s, want a page", text)
	}
	g.hide(page[strings.LastIndex(page, "/")+1:])
	newBrowser(t, "ada").signIn(page, "")
	if _, text := list.text("POST", request("tools/list", canOpen, "")); !strings.Contains(text, `"whoami"`) {
		t.Errorf("then: got %s, want the tools", text)
	}
}

// TestSignInUsers has two users, each with an account of their own, at a page that
// knows whose it is.
func TestSignInUsers(t *testing.T) {
	tokens := map[string]string{"ada": "aaaaaaaaaaaaaaaaaaaa", "bob": "bbbbbbbbbbbbbbbbbbbb"}
	file := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(file, []byte("ada "+tokens["ada"]+"\nbob "+tokens["bob"]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears("--users", file)
	c := g.modern(at, "tools/call", "whoami")
	for _, user := range []string{"ada", "bob"} {
		g.hide(tokens[user])
		header := "Authorization: Bearer " + tokens[user]
		_, text := c.text("POST", callTool("whoami", ""), header)
		page := g.asked(question(text), at)
		other := map[string]string{"ada": tokens["bob"], "bob": tokens["ada"]}[user]

		b := newBrowser(t, user+"@example.com")
		if _, shown := b.get(page); !strings.Contains(shown, `name="token"`) || strings.Contains(shown, `name="next"`) || strings.Contains(shown, "127.0.0.1") {
			t.Errorf("to a stranger the page says %s", shown)
		}
		for name, form := range map[string]url.Values{
			"another user": {"token": {other}}, "nobody": {"token": {"nonsense"}}, "no token": {"token": {""}}, "a guess": {"next": {"x"}}, "nothing": {},
		} {
			if status, shown := b.post(page, form); status/100 != 4 || nextField.MatchString(shown) {
				t.Errorf("%s: got %d %s, want to be turned away", name, status, shown)
			}
		}
		shown, last := b.signIn(page, tokens[user])
		if !strings.Contains(last, "You are signed in") {
			t.Errorf("%s: the page says %s", user, last)
		}
		next := nextField.FindStringSubmatch(shown)[1]
		if status, _ := b.post(page, url.Values{"next": {next}}); status/100 != 4 {
			t.Errorf("a second time: got %d, want to be turned away", status)
		}
		if _, text := c.text("POST", callTool("whoami", agreed(text)), header); !strings.Contains(text, person(user+"@example.com")) {
			t.Errorf("%s: got %s", user, text)
		}
	}
	for user, token := range tokens {
		if _, text := c.text("POST", callTool("whoami", ""), "Authorization: Bearer "+token); !strings.Contains(text, person(user+"@example.com")) {
			t.Errorf("%s, later: got %s", user, text)
		}
	}
	noPages := strings.Replace(callTool("whoami", ""), canOpen, "{}", 1)
	g.revoke()
	if _, text := c.text("POST", noPages, "Authorization: Bearer "+tokens["ada"]); !strings.Contains(text, "as the same user of the bridge") {
		t.Errorf("got %s, want it to say what to do", text)
	}
}

// TestOnce has a page used twice, and its answer brought by a browser that was not
// sent away: somebody who was given the address to sign in for somebody else.
func TestOnce(t *testing.T) {
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears()
	c := g.modern(at, "tools/call", "whoami")
	_, text := c.text("POST", callTool("whoami", ""))
	page := g.asked(question(text), at)
	b := newBrowser(t, "ada")
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	_, shown := b.get(page)
	form := url.Values{"next": {nextField.FindStringSubmatch(shown)[1]}}
	response, err := b.client.PostForm(page, form)
	if err != nil || response.StatusCode != http.StatusSeeOther {
		t.Fatalf("going on: got %v, %v", response, err)
	}
	response.Body.Close()
	to := response.Header.Get("Location")
	if status, _ := b.post(page, form); status/100 != 4 {
		t.Errorf("going on twice: got %d, want to be turned away", status)
	}
	if status, _ := b.get(page); status != http.StatusGone {
		t.Errorf("opening it again: got %d, want 410", status)
	}
	if _, shown := newBrowser(t, "mallory").get(to); !strings.Contains(shown, "not expected") {
		t.Errorf("another browser: got %s, want to be turned away", shown)
	}
	b.client.CheckRedirect = nil
	if _, shown := b.get(to); !strings.Contains(shown, "You are signed in") {
		t.Errorf("got %s", shown)
	}
	if _, text := c.text("POST", callTool("whoami", agreed(text))); !strings.Contains(text, person("ada")) {
		t.Errorf("got %s, want her account", text)
	}
}

// TestTogether has two sessions that need the same sign-in: both are asked, and
// one page does for both.
func TestTogether(t *testing.T) {
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears()
	var nexts []func() event
	var pages []string
	for range 2 {
		c := begin(t, at, canOpen)
		next := events(c.do("POST", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"whoami"}}`))
		pages = append(pages, g.asked([]byte(next().data), at))
		nexts = append(nexts, next)
	}
	if pages[0] == pages[1] {
		t.Error("two clients got one page")
	}
	newBrowser(t, "ada").signIn(pages[1], "")
	var all sync.WaitGroup
	for _, next := range nexts {
		all.Go(func() {
			for {
				switch got := next().data; {
				case strings.Contains(got, `"id":7,"result"`) && strings.Contains(got, person("ada")):
					return
				case strings.Contains(got, `"method"`): // taken back, and done
				default:
					t.Errorf("got %s, want the result", got)
					return
				}
			}
		})
	}
	all.Wait()
	if g.peopleSeen() != 1 {
		t.Errorf("people were sent away %d times, want once", g.peopleSeen())
	}
}

// TestStepUp has a tool that wants more than was granted: the page says what.
func TestStepUp(t *testing.T) {
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears()
	for i, tool := range []string{"whoami", "deploy"} {
		c := g.modern(at, "tools/call", tool)
		_, text := c.text("POST", callTool(tool, ""))
		shown, _ := newBrowser(t, "ada").signIn(g.asked(question(text), at), "")
		if strings.Contains(shown, "<code>deploy</code>") != (i == 1) {
			t.Errorf("%s: the page says %s", tool, shown)
		}
		if _, text := c.text("POST", callTool(tool, agreed(text))); !strings.Contains(text, person("ada")) {
			t.Errorf("%s: got %s", tool, text)
		}
	}
}

// TestBearerFile has a token for everybody: nobody is asked.
func TestBearerFile(t *testing.T) {
	g := newGuarded(t, "server/discover")
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(g.secret("bearer")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.grants[g.secrets[0]] = grant{"robot", ""}
	c := g.modern(g.hears("--bearer-file", file), "tools/call", "whoami")
	if _, text := c.text("POST", callTool("whoami", "")); !strings.Contains(text, person("robot")) {
		t.Errorf("got %s, want the result", text)
	}
	g.revoke()
	if _, text := c.text("POST", callTool("whoami", "")); !strings.Contains(text, "the server does not accept its token") {
		t.Errorf("got %s, want it to say what is wrong", text)
	}
}

// proxy is what a browser reaches at https://bridge.example.com/parley.
type proxy struct {
	to    string
	usual http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (p *proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != "bridge.example.com" {
		return p.usual.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.Host = r.URL.Host
	r.URL.Scheme, r.URL.Host, r.URL.Path = "http", p.to, strings.TrimPrefix(r.URL.Path, "/parley")
	return http.DefaultTransport.RoundTrip(r)
}

// TestPublicURL has a browser that reaches the bridge through a proxy with TLS.
func TestPublicURL(t *testing.T) {
	const public = "https://bridge.example.com/parley"
	g := newGuarded(t, "server/discover", "tools/list")
	at := g.hears("--public-url", public+"/")
	c := g.modern(at, "tools/call", "whoami")
	_, text := c.text("POST", callTool("whoami", ""))
	page := g.asked(question(text), public+"/mcp")
	b := newBrowser(t, "ada")
	to, _ := url.Parse(at)
	b.client.Transport = &proxy{to.Host, b.client.Transport}
	if _, last := b.signIn(page, ""); !strings.Contains(last, "You are signed in") {
		t.Errorf("the page says %s", last)
	}
	if _, text := c.text("POST", callTool("whoami", agreed(text))); !strings.Contains(text, person("ada")) {
		t.Errorf("got %s, want the result", text)
	}
	if status, _ := c.text("POST", callTool("whoami", ""), "Host: other.example.com"); status != http.StatusForbidden {
		t.Errorf("another name: got %d, want 403", status)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.kinds) != 1 || g.kinds[0] != "web" {
		t.Errorf("registered: %v, want one web client", g.kinds)
	}
}

// TestSignInStdio has the page of a bridge over stdio on this machine; the account
// is there for the next one.
func TestSignInStdio(t *testing.T) {
	g := newGuarded(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, first := range []bool{true, false} {
		cmd := exec.CommandContext(t.Context(), program, g.URL+"/mcp")
		var log bytes.Buffer
		cmd.Stderr = &log
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stdout)
		say := func(text string) string {
			io.WriteString(stdin, strings.ReplaceAll(text, "\n", " ")+"\n")
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("the bridge ended: %v\n%s", err, &log)
			}
			return line
		}
		text := say(callTool("whoami", ""))
		if first {
			page := message.Text(question(text), "params", "url")
			if !strings.HasPrefix(page, "http://127.0.0.1:") {
				t.Fatalf("got %s, want a page on this machine", text)
			}
			newBrowser(t, "ada").signIn(page, "")
			text = say(callTool("whoami", agreed(text)))
		}
		if !strings.Contains(text, person("ada")) {
			t.Errorf("got %s, want the result", text)
		}
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		g.checkText("the log", log.String())
	}
	if g.peopleSeen() != 1 {
		t.Errorf("the person was sent away %d times, want once", g.peopleSeen())
	}
}
