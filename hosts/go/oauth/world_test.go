package oauth_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

const (
	serverURL = "https://mcp.example.com/mcp"
	issuerURL = "https://auth.example.com"
)

// world is all hosts of *.example.com, on one listener: an MCP server's
// metadata, authorization servers, and a browser.
type world struct {
	t      *testing.T
	server *httptest.Server

	mu       sync.Mutex
	seen     []visit                     // requests, in order
	mcp      http.Handler                // at serverURL
	handlers map[string]http.HandlerFunc // by host and path, instead of the usual
	resource map[string]any              // the protected resource metadata
	meta     map[string]map[string]any   // authorization server metadata, by host
	codes    map[string]url.Values       // authorization requests, by code
	refresh  map[string]bool             // refresh tokens that live
	scopes   map[string]string           // of access tokens
	secrets  []string                    // whatever must not be seen
	count    int
	lifetime int               // of access tokens, in seconds; 0: not said
	granted  string            // what a token's scope is said to be; "": nothing
	token    map[string]any    // more members of a token
	back     map[string]string // parameters to put into the way back; "" takes one out
}

type visit struct {
	Host, Path string
	Form       url.Values
	Basic      string // client id of HTTP Basic
}

func newWorld(t *testing.T) *world {
	w := makeWorld()
	w.t = t
	t.Cleanup(w.server.Close)
	return w
}

func makeWorld() *world {
	w := &world{handlers: map[string]http.HandlerFunc{}, codes: map[string]url.Values{}, refresh: map[string]bool{}, scopes: map[string]string{}, token: map[string]any{}, back: map[string]string{}}
	w.resource = map[string]any{"resource": serverURL, "authorization_servers": []string{issuerURL}}
	w.meta = map[string]map[string]any{}
	w.issuer("auth.example.com")
	w.server = httptest.NewTLSServer(http.HandlerFunc(w.serve))
	return w
}

// issuer adds an authorization server.
func (w *world) issuer(host string) map[string]any {
	at := "https://" + host
	w.meta[host] = map[string]any{
		"issuer": at, "authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token", "registration_endpoint": at + "/register",
		"revocation_endpoint": at + "/revoke", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post", "client_secret_basic"},
	}
	return w.meta[host]
}

func (w *world) on(place string, h http.HandlerFunc) { w.change(func() { w.handlers[place] = h }) }

// change changes the world while it is in use.
func (w *world) change(how func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	how()
}

func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	mcp := w.mcp
	w.mu.Unlock()
	if r.URL.Path == "/mcp" && mcp != nil {
		mcp.ServeHTTP(rw, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	form := r.URL.Query()
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, _ = url.ParseQuery(string(body))
	}
	user, _, _ := r.BasicAuth()
	w.mu.Lock()
	w.seen = append(w.seen, visit{r.Host, r.URL.Path, form, user})
	for _, name := range []string{"code", "code_verifier", "refresh_token", "client_secret", "client_assertion", "assertion", "subject_token"} {
		w.hide(form.Get(name))
	}
	h := w.handlers[r.Host+r.URL.Path]
	w.mu.Unlock()
	if h != nil {
		h(rw, r)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		answerJSON(rw, 200, w.resource)
	case "/.well-known/oauth-authorization-server":
		if w.meta[r.Host] == nil {
			http.NotFound(rw, r)
			return
		}
		answerJSON(rw, 200, w.meta[r.Host])
	case "/register":
		var client map[string]any
		json.Unmarshal(body, &client)
		w.count++
		client["client_id"] = fmt.Sprintf("registered-%d", w.count)
		if client["token_endpoint_auth_method"] != "none" {
			client["client_secret"] = w.secret("registered-secret")
		}
		answerJSON(rw, 201, client)
	case "/authorize":
		code := w.secret("code")
		w.codes[code] = form
		back, _ := url.Parse(form.Get("redirect_uri"))
		query := url.Values{"code": {code}, "state": {form.Get("state")}}
		for name, value := range w.back {
			if query.Set(name, value); value == "" {
				query.Del(name)
			}
		}
		back.RawQuery = query.Encode()
		http.Redirect(rw, r, back.String(), http.StatusFound)
	case "/token":
		w.giveToken(rw, form)
	case "/revoke":
		delete(w.refresh, form.Get("token"))
	default:
		http.NotFound(rw, r)
	}
}

// giveToken is the token endpoint: strict about PKCE, redirect_uri and rotation.
func (w *world) giveToken(rw http.ResponseWriter, form url.Values) {
	scope := form.Get("scope")
	switch form.Get("grant_type") {
	case "authorization_code":
		asked := w.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if asked == nil || asked.Get("code_challenge_method") != "S256" || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) ||
			asked.Get("redirect_uri") != form.Get("redirect_uri") || asked.Get("resource") != form.Get("resource") {
			answerJSON(rw, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(w.codes, form.Get("code"))
		scope = asked.Get("scope")
	case "refresh_token":
		if !w.refresh[form.Get("refresh_token")] {
			answerJSON(rw, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(w.refresh, form.Get("refresh_token"))
	case "client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer":
	default:
		answerJSON(rw, 400, map[string]any{"error": "unsupported_grant_type"})
		return
	}
	refresh := w.secret("refresh")
	w.refresh[refresh] = true
	answer := map[string]any{"access_token": w.secret("access"), "token_type": "Bearer", "refresh_token": refresh}
	if w.lifetime != 0 {
		answer["expires_in"] = w.lifetime
	}
	if w.granted != "" {
		answer["scope"] = w.granted
	} else if scope != "" && form.Get("grant_type") == "authorization_code" {
		answer["scope"] = scope
	}
	maps.Copy(answer, w.token)
	if access, ok := answer["access_token"].(string); ok {
		w.scopes[access] = scope
	}
	answerJSON(rw, 200, answer)
}

// secret makes a value that nobody may see.
func (w *world) secret(name string) string {
	w.count++
	s := fmt.Sprintf("%s-s3cret-%d", name, w.count)
	w.hide(s)
	return s
}

func (w *world) hide(s string) {
	if s != "" {
		w.secrets = append(w.secrets, s)
	}
}

func answerJSON(rw http.ResponseWriter, status int, value any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	json.NewEncoder(rw).Encode(value)
}

// visits are the requests for a path, "" for all.
func (w *world) visits(path string) []visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []visit
	for _, v := range w.seen {
		if path == "" || v.Path == path {
			found = append(found, v)
		}
	}
	return found
}

// hosts are those that anything was sent to.
func (w *world) hosts() []string {
	var hosts []string
	for _, v := range w.visits("") {
		if !slices.Contains(hosts, v.Host) {
			hosts = append(hosts, v.Host)
		}
	}
	slices.Sort(hosts)
	return hosts
}

// browse is a person who signs in: an Options.Open.
func (w *world) browse(_ context.Context, page oauth.Page) error {
	w.mu.Lock()
	if u, err := url.Parse(page.URL); err == nil {
		w.hide(u.Query().Get("state"))
	}
	w.mu.Unlock()
	go func() {
		response, err := w.server.Client().Get(page.URL)
		if err == nil {
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}()
	return nil
}

// options are those of a host with a browser.
func (w *world) options() oauth.Options {
	return oauth.Options{URL: serverURL, Open: w.browse, HTTPClient: w.server.Client()}
}

func (w *world) signIn(o oauth.Options) *oauth.SignIn {
	w.t.Helper()
	s, err := oauth.New(o)
	if err != nil {
		w.t.Fatalf("New: %v", err)
	}
	return s
}

// checkText fails if a text holds a secret.
func (w *world) checkText(what, text string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.secrets {
		if strings.Contains(text, s) {
			w.t.Errorf("%s holds a secret", what)
		}
	}
}

// challenged is the question for a status and the members that the challenge
// says.
func challenged(status int, members ...string) parley.Question {
	params := map[string]any{"status": status, "challenge": "Bearer"}
	for i := 0; i < len(members); i += 2 {
		params[members[i]] = members[i+1]
	}
	text, _ := json.Marshal(params)
	return parley.Question{ID: -1, Kind: "authorize", Params: text}
}

// authorize answers a challenge, and returns the account's label.
func authorize(t *testing.T, s interface {
	Authorize(context.Context, parley.Question) ([]byte, error)
}, q parley.Question) string {
	t.Helper()
	text, err := s.Authorize(t.Context(), q)
	if err != nil {
		t.Fatalf("Authorize: %v", err)
	}
	var answer struct{ Account string }
	if err := json.Unmarshal(text, &answer); err != nil || answer.Account == "" {
		t.Fatalf("Authorize: got %s, want an account", text)
	}
	return answer.Account
}

// header is the Authorization header that a request would have.
func header(t *testing.T, s interface {
	Authorization(context.Context) (string, error)
}) string {
	t.Helper()
	value, err := s.Authorization(t.Context())
	if err != nil {
		t.Fatalf("Authorization: %v", err)
	}
	return value
}

// newPlain serves the world by http on this machine, one host for everything,
// and returns its URL.
func newPlain(t *testing.T, w *world) string {
	plain := w.makePlain()
	t.Cleanup(plain.Close)
	return plain.URL
}

func (w *world) makePlain() *httptest.Server {
	plain := httptest.NewServer(http.HandlerFunc(w.serve))
	host := strings.TrimPrefix(plain.URL, "http://")
	w.resource["resource"], w.resource["authorization_servers"] = plain.URL+"/mcp", []string{plain.URL}
	for name, value := range w.issuer(host) {
		if text, ok := value.(string); ok {
			w.meta[host][name] = strings.Replace(text, "https:", "http:", 1)
		}
	}
	return plain
}
