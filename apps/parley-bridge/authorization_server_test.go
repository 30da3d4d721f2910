package main_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// guarded is a server of MCP 2026-07-28 that wants authorization, and its
// authorization server. Tools say whose token came; "deploy" wants a scope of its
// own.
type guarded struct {
	*httptest.Server
	t *testing.T

	mu      sync.Mutex
	open    []string // methods that want no authorization
	seen    []http.Header
	codes   map[string]url.Values // authorization requests, by code
	grants  map[string]grant      // by access token
	visits  int                   // of people
	kinds   []string              // application_type of clients
	secrets []string
	heard   chan struct{} // somebody listens to what changes
}

type grant struct{ person, scope string }

func newGuarded(t *testing.T, open ...string) *guarded {
	g := &guarded{t: t, open: open, codes: map[string]url.Values{}, grants: map[string]grant{}, heard: make(chan struct{}, 100)}
	g.Server = httptest.NewServer(http.HandlerFunc(g.serve))
	t.Cleanup(g.Close)
	return g
}

func (g *guarded) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	defer g.mu.Unlock()
	reply := func(status int, value any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(value)
	}
	switch r.URL.Path {
	case "/mcp":
		g.mcp(w, r, body)
	case "/.well-known/oauth-protected-resource/mcp":
		reply(200, map[string]any{"resource": g.URL + "/mcp", "authorization_servers": []string{g.URL}})
	case "/.well-known/oauth-authorization-server":
		reply(200, map[string]any{
			"issuer": g.URL, "authorization_endpoint": g.URL + "/authorize", "token_endpoint": g.URL + "/token", "registration_endpoint": g.URL + "/register",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	case "/register":
		var client map[string]any
		json.Unmarshal(body, &client)
		client["client_id"] = fmt.Sprint("client-", len(g.kinds))
		g.kinds = append(g.kinds, fmt.Sprint(client["application_type"]))
		reply(201, client)
	case "/authorize":
		g.visits++
		query := r.URL.Query()
		query.Set("person", r.Header.Get("X-Person"))
		code := g.secret("code")
		g.codes[code] = query
		g.secrets = append(g.secrets, query.Get("state"))
		back, _ := url.Parse(query.Get("redirect_uri"))
		back.RawQuery = url.Values{"code": {code}, "state": {query.Get("state")}}.Encode()
		http.Redirect(w, r, back.String(), http.StatusFound)
	case "/token":
		form, _ := url.ParseQuery(string(body))
		asked := g.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if asked == nil || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || asked.Get("redirect_uri") != form.Get("redirect_uri") {
			reply(400, map[string]string{"error": "invalid_grant"})
			return
		}
		delete(g.codes, form.Get("code"))
		token := g.secret("access")
		g.secrets = append(g.secrets, form.Get("code_verifier"))
		g.grants[token] = grant{asked.Get("person"), asked.Get("scope")}
		reply(200, map[string]any{"access_token": token, "token_type": "Bearer", "scope": asked.Get("scope")})
	default:
		http.NotFound(w, r)
	}
}

// mcp is the protected server.
func (g *guarded) mcp(w http.ResponseWriter, r *http.Request, body []byte) {
	g.seen = append(g.seen, r.Header.Clone())
	messages, err := message.Parse(body)
	if err != nil {
		g.t.Errorf("the bridge sent %s: %v", body, err)
		return
	}
	m := messages[0]
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	who, known := g.grants[token]
	challenge := func(status int, more string) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+g.URL+`/.well-known/oauth-protected-resource/mcp"`+more)
		w.WriteHeader(status)
	}
	tool := message.Text(m.Params, "name")
	switch {
	case !known && !slices.Contains(g.open, m.Method):
		challenge(401, `, scope="read"`)
		return
	case tool == "deploy" && !slices.Contains(strings.Fields(who.scope), "deploy"):
		challenge(403, `, error="insufficient_scope", scope="deploy"`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	result := `{"resultType":"complete","content":[{"type":"text","text":"` + who.person + `"}]}`
	switch m.Method {
	case "server/discover":
		result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private","capabilities":{"tools":{"listChanged":true}}}`
	case "tools/list":
		result = `{"resultType":"complete","tools":[{"name":"whoami","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`
	case "subscriptions/listen":
		g.heard <- struct{}{}
	case "prompts/list":
		w.WriteHeader(404)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no prompts"}}`, m.ID)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// secret makes a value that belongs in no log, and with nobody else.
func (g *guarded) secret(name string) string {
	s := fmt.Sprintf("%s-s3cret-%d", name, len(g.secrets))
	g.secrets = append(g.secrets, s)
	return s
}

// hide adds a value that belongs in no log.
func (g *guarded) hide(s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.secrets = append(g.secrets, s)
}

// checkText fails if a text holds a secret.
func (g *guarded) checkText(what, text string) {
	g.t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.secrets {
		if strings.Contains(text, s) {
			g.t.Errorf("%s holds %s…", what, s[:4])
		}
	}
}

// revoke ends all tokens.
func (g *guarded) revoke() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.grants = map[string]grant{}
}

func (g *guarded) peopleSeen() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.visits
}

// browser is a person's, who is somebody at the authorization server.
type browser struct {
	t      *testing.T
	client *http.Client
}

func newBrowser(t *testing.T, person string) *browser {
	jar, _ := cookiejar.New(nil)
	return &browser{t, &http.Client{Jar: jar, Transport: as(person)}}
}

// as says at the authorization server who somebody is.
type as string

// RoundTrip implements [http.RoundTripper].
func (p as) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/authorize" {
		r = r.Clone(r.Context())
		r.Header.Set("X-Person", string(p))
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (b *browser) get(at string) (int, string) {
	b.t.Helper()
	response, err := b.client.Get(at)
	return b.read(response, err)
}

func (b *browser) post(at string, form url.Values) (int, string) {
	b.t.Helper()
	response, err := b.client.PostForm(at, form)
	return b.read(response, err)
}

func (b *browser) read(response *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Error(err)
		return 0, ""
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

var nextField = regexp.MustCompile(`name="next" value="([^"]+)"`)

// signIn opens a page, says whose it is if it asks, and goes on, to the end.
func (b *browser) signIn(at, token string) (shown, last string) {
	b.t.Helper()
	_, shown = b.get(at)
	if token != "" {
		_, shown = b.post(at, url.Values{"token": {token}})
	}
	next := nextField.FindStringSubmatch(shown)
	if next == nil {
		b.t.Errorf("the page does not lead on: %s", shown)
		return shown, ""
	}
	_, last = b.post(at, url.Values{"next": {next[1]}})
	return shown, last
}
