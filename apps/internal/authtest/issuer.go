package authtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// code is what an authorization code was given for.
type code struct{ client, challenge, redirect, resource, scope string }

// authorize is the authorization server; it reports whether that is what was
// asked for.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	keeps := s.Keeps
	s.mu.Unlock()
	if r.URL.Path == "/authorize" && keeps != nil {
		<-keeps
	}
	r.ParseForm()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Seen[r.URL.Path]++
	for _, name := range []string{"code_verifier", "client_secret"} {
		if text := r.PostForm.Get(name); text != "" {
			s.secrets = append(s.secrets, text)
		}
	}
	if s.Gone {
		w.WriteHeader(http.StatusBadGateway)
		return true
	}
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource":
		if !s.Metadata {
			http.NotFound(w, r)
			return true
		}
		issuers := s.Issuers
		if issuers == nil {
			issuers = []string{s.Issuer}
		}
		answer(w, 200, map[string]any{"resource": s.URL, "authorization_servers": issuers})
	case "/.well-known/oauth-authorization-server":
		answer(w, 200, map[string]any{
			"issuer": s.Issuer, "authorization_endpoint": s.Issuer + "/authorize", "token_endpoint": s.Issuer + "/token",
			"registration_endpoint": s.Issuer + "/register", "revocation_endpoint": s.Issuer + "/revoke", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"},
			"grant_types_supported": []string{"authorization_code", "refresh_token"},
		})
	case "/register":
		var client map[string]any
		json.NewDecoder(r.Body).Decode(&client)
		s.clients++
		client["client_id"] = fmt.Sprintf("client-%d", s.clients)
		answer(w, 201, client)
	case "/authorize":
		s.back(w, r)
	case "/token":
		s.token(w, r)
	case "/revoke":
		if s.Says != "" {
			answer(w, 503, map[string]any{"error_description": s.Says})
			break
		}
		delete(s.refresh, r.PostForm.Get("token"))
		delete(s.tokens, r.PostForm.Get("token"))
	default:
		return false
	}
	return true
}

// back is the page to sign in, whose person presses the one button it would
// have: it sends the browser back.
func (s *Server) back(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	back, err := url.Parse(asked.Get("redirect_uri"))
	if err != nil || back.Hostname() != "127.0.0.1" {
		http.Error(w, "redirect_uri", http.StatusBadRequest)
		return
	}
	query := url.Values{"state": {asked.Get("state")}}
	if s.Refuses {
		query.Set("error", "access_denied")
		query.Set("error_description", s.Says)
	} else {
		given := s.secret("code")
		s.codes[given] = code{asked.Get("client_id"), asked.Get("code_challenge"), asked.Get("redirect_uri"), asked.Get("resource"), asked.Get("scope")}
		query.Set("code", given)
	}
	back.RawQuery = query.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// token is the token endpoint. Refresh tokens are good for one time.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	form, scope, ok := r.PostForm, "", false
	s.Client, s.ClientSecret = form.Get("client_id"), form.Get("client_secret")
	switch form.Get("grant_type") {
	case "authorization_code":
		var c code
		c, ok = s.codes[form.Get("code")]
		delete(s.codes, form.Get("code"))
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		ok = ok && base64.RawURLEncoding.EncodeToString(sum[:]) == c.challenge && c.redirect == form.Get("redirect_uri") && c.resource == s.URL
		scope, s.Redirect = c.scope, c.redirect
	case "refresh_token":
		scope, ok = s.refresh[form.Get("refresh_token")]
		delete(s.refresh, form.Get("refresh_token"))
	}
	if !ok {
		answer(w, 400, map[string]any{"error": "invalid_grant", "error_description": s.Says})
		return
	}
	access, refresh := s.secret("access"), s.secret("refresh")
	s.tokens[access], s.refresh[refresh] = scope, scope
	given := map[string]any{"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "scope": scope}
	if s.Lifetime != 0 {
		given["expires_in"] = s.Lifetime
	}
	answer(w, 200, given)
}

// Expire has no access token that was given so far be accepted.
func (s *Server) Expire() { s.Change(func() { clear(s.tokens) }) }

// Forget has no refresh token that was given so far be accepted, either.
func (s *Server) Forget() { s.Change(func() { clear(s.tokens); clear(s.refresh) }) }

// Move has another authorization server, at the same port: it knows no token of
// the one before.
func (s *Server) Move() {
	s.Change(func() {
		clear(s.tokens)
		clear(s.refresh)
		s.Issuer = strings.Replace(s.Issuer, "127.0.0.1", "localhost", 1)
	})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

// Visit is a browser: it goes where a page leads.
func Visit(address string) error {
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the page has HTTP status %d", response.StatusCode)
	}
	return nil
}
