// Package authtest protects a server of a test: it stands before it and answers
// with challenges until a request has a token of the authorization server that it
// is as well. It knows every secret that it has given out or got.
package authtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Request is what a policy decides on.
type Request struct {
	Method  string
	Name    string // of the tool, prompt or resource
	Answers bool   // it brings answers of the person: a leg after the first
}

// Server is a protected server and its authorization server. Its fields are read
// with every request: change them with [Server.Change].
type Server struct {
	URL    string // of the MCP endpoint
	Issuer string // the authorization server

	// Wants is the scope that a request needs; "" lets everybody in. If it is
	// nil, tools/call wants "call".
	Wants func(Request) string

	Issuers  []string      // what the metadata names; nil for Issuer alone
	Metadata bool          // published; true at first
	Lifetime int           // of access tokens in seconds, 0 for not said
	Gone     bool          // the authorization server answers with errors
	Refuses  bool          // the authorization server's person says no
	Says     string        // what it says where it refuses; if it is set, tokens are not revoked, either
	Keeps    chan struct{} // the page to sign in waits for it, if it is not nil

	Client, ClientSecret, Redirect string // of the last token that was asked for

	Seen map[string]int // how often what was let through: method and name; and the paths of the authorization server

	handler http.Handler
	mu      sync.Mutex
	tokens  map[string]string // scopes of access tokens
	refresh map[string]string // scopes of refresh tokens
	codes   map[string]code
	clients int
	secrets []string
}

// New protects a handler until the test ends.
func New(t testing.TB, handler http.Handler) *Server {
	t.Helper()
	s := &Server{
		handler: handler, Metadata: true, Seen: map[string]int{},
		tokens: map[string]string{}, refresh: map[string]string{}, codes: map[string]code{},
	}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.Issuer, s.URL = h.URL, h.URL+"/mcp"
	return s
}

// Change changes the server while it is in use.
func (s *Server) Change(how func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how()
}

// Count is how often something was seen: "tools/call NAME" that was let through,
// or a path such as "/token".
func (s *Server) Count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Seen[what]
}

// Leaks fails the test if a text holds a secret of the run.
func (s *Server) Leaks(t testing.TB, what, text string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds a %s", what, strings.SplitN(secret, "-", 2)[0])
		}
	}
}

// Secrets is how many secrets there were: a search for none proves nothing.
func (s *Server) Secrets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.secrets)
}

// Token is an access token for these scopes, as somebody else might have got it.
func (s *Server) Token(scopes string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	token := s.secret("access")
	s.tokens[token] = scopes
	return token
}

// secret makes a secret.
func (s *Server) secret(kind string) string {
	text := fmt.Sprintf("%s-s3cret-%d", kind, len(s.secrets))
	s.secrets = append(s.secrets, text)
	return text
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/mcp" && s.authorize(w, r) {
		return
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if !s.lets(w, r, body) {
		return
	}
	r.Header.Del("Authorization") // it is no business of the server behind
	s.handler.ServeHTTP(w, r)
}

// lets decides on a request, and answers those that it does not let through.
func (s *Server) lets(w http.ResponseWriter, r *http.Request, body []byte) bool {
	var message struct {
		Method string
		Params struct {
			Name, URI      string
			InputResponses json.RawMessage
		}
	}
	json.Unmarshal(body, &message)
	name := message.Params.Name + message.Params.URI
	request := Request{message.Method, name, message.Params.InputResponses != nil}
	s.mu.Lock()
	defer s.mu.Unlock()
	want := ""
	switch {
	case s.Wants != nil:
		want = s.Wants(request)
	case request.Method == "tools/call":
		want = "call"
	}
	if want != "" {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		scopes, ok := s.tokens[token]
		challenge := `Bearer resource_metadata="` + s.Issuer + `/.well-known/oauth-protected-resource/mcp"`
		switch {
		case !ok:
			if token != "" {
				challenge += `, error="invalid_token"`
			}
			w.Header().Set("WWW-Authenticate", challenge+`, scope="`+want+`"`)
			w.WriteHeader(http.StatusUnauthorized)
			return false
		case !slices.Contains(strings.Fields(scopes), want):
			w.Header().Set("WWW-Authenticate", challenge+`, error="insufficient_scope", scope="`+want+`"`)
			w.WriteHeader(http.StatusForbidden)
			return false
		}
	}
	s.Seen[strings.TrimSpace(request.Method+" "+name)]++
	return true
}
