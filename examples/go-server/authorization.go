package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-mcp/parley/rawjson"
)

// authorization protects an MCP endpoint request by request, before anything is
// carried out: what anybody may do needs no token, and the rest needs one with
// the right scopes. (auth.RequireBearerToken of the SDK is for the whole
// endpoint, and its challenges name no error, so that clients cannot tell a
// token that is over from one that may not.)
type authorization struct {
	Resource string             // the endpoint's URL, which its tokens are for
	Issuer   string             // the authorization server
	Verify   auth.TokenVerifier // fails with auth.ErrInvalidToken on a token that is not good, or not for Resource

	// Scopes are what a request needs. Nil lets anybody do it, and then it is
	// done for nobody in particular, even if a token came along.
	Scopes func(request) []string
}

// request is what a decision is made from. A message without a method is an
// answer to a server's own request, and in eras with sessions there are GET and
// DELETE, which have no message: all of them have no name.
type request struct {
	Method  string // "tools/call"
	Name    string // of the tool or prompt, or the resource's uri
	Answers bool   // whether it brings a person's answers
}

// maxBody bounds a request, in bytes.
const maxBody = 4 << 20

// protect is next for those who may.
func (a *authorization) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id") // or pages cannot sign in
		if r.Method == http.MethodOptions {                                                 // a preflight never has a token
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		needs, problem := a.needs(r.Header, body)
		switch {
		case problem != "":
			mismatch(w, problem)
			return
		case needs == nil:
			r.Header.Del("Authorization")
			next.ServeHTTP(w, r)
			return
		}
		a.verify(w, r, needs, next)
	})
}

// verify goes on with a token that is good and has the scopes, and challenges
// otherwise.
//
// Source: RFC 6750, section 3.1; MCP 2026-07-28, authorization, "Scope Challenge
// Handling".
func (a *authorization) verify(w http.ResponseWriter, r *http.Request, needs []string, next http.Handler) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		a.challenge(w, http.StatusUnauthorized, "", needs) // no error: it may not have known
		return
	}
	info, err := a.Verify(r.Context(), token, r)
	switch {
	case errors.Is(err, auth.ErrInvalidToken):
		a.challenge(w, http.StatusUnauthorized, "invalid_token", needs)
	case err != nil || info == nil || info.UserID == "":
		http.Error(w, "the token could not be verified", http.StatusServiceUnavailable)
	case slices.ContainsFunc(needs, func(scope string) bool { return !slices.Contains(info.Scopes, scope) }):
		a.challenge(w, http.StatusForbidden, "insufficient_scope", needs)
	default:
		// The SDK's own gate is the only way to hand info on to its handlers.
		known := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return info, nil }
		auth.RequireBearerToken(known, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next).ServeHTTP(w, r)
	}
}

// challenge tells the client what it lacks, and where to find out more.
func (a *authorization) challenge(w http.ResponseWriter, status int, problem string, needs []string) {
	var parts []string
	if problem != "" {
		parts = append(parts, fmt.Sprintf("error=%q", problem))
	}
	if len(needs) > 0 {
		parts = append(parts, fmt.Sprintf("scope=%q", strings.Join(needs, " ")))
	}
	parts = append(parts, fmt.Sprintf("resource_metadata=%q", a.metadataURL()))
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(parts, ", "))
	http.Error(w, http.StatusText(status), status)
}

// needs are the scopes that a body needs, all together if it is a batch of the
// era that had them. A problem is a body that the handlers might read in
// another way than this, or that is not what its header fields say.
func (a *authorization) needs(header http.Header, body []byte) (scopes []string, problem string) {
	messages := [][]byte{body}
	switch {
	case len(body) == 0:
		return a.Scopes(request{}), ""
	case rawjson.Strict(body) != nil: // a member twice, say
		return nil, "the body is not well-formed"
	case rawjson.IsArray(body):
		messages = nil
		var each rawjson.Elements
		for each.Start(body); each.Next(); {
			messages = append(messages, each.Value)
		}
	}
	for _, message := range messages {
		m := read(message)
		if wrong(header, "Mcp-Method", m.Method) || wrong(header, "Mcp-Name", m.Name) {
			return nil, "a header field is not what the body says"
		}
		if more := a.Scopes(m); more != nil {
			scopes = append(append(make([]string, 0, len(more)), scopes...), more...)
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes), ""
}

// read reads what a decision needs. Names count letter for letter, as they do in
// the SDK; encoding/json would take "Name" for "name".
func read(message []byte) request {
	params := rawjson.Member(message, "params")
	var m request
	m.Method, _ = rawjson.Unquote(rawjson.Member(message, "method"))
	name := "name"
	if m.Method == "resources/read" {
		name = "uri"
	}
	m.Name, _ = rawjson.Unquote(rawjson.Member(params, name))
	m.Answers = rawjson.Member(params, "inputResponses") != nil || rawjson.Member(message, "result") != nil
	return m
}

// wrong tells whether a header field is there and is not what the body says.
// Clients of earlier eras send none.
func wrong(header http.Header, field, want string) bool {
	got := header.Get(field)
	if coded, ok := strings.CutPrefix(got, "=?base64?"); ok {
		plain, _ := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "?="))
		got = string(plain)
	}
	return len(header.Values(field)) > 0 && want != "" && got != want
}

func mismatch(w http.ResponseWriter, problem string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`, mcp.CodeHeaderMismatch, problem)
}

// metadata says where tokens come from, at the path that the specification
// derives from Resource (RFC 9728, section 3.1).
func (a *authorization) metadata() (path string, h http.Handler) {
	at, _ := url.Parse(a.metadataURL())
	return at.Path, auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
		Resource: a.Resource, AuthorizationServers: []string{a.Issuer}, BearerMethodsSupported: []string{"header"},
	})
}

func (a *authorization) metadataURL() string {
	at, err := url.Parse(a.Resource)
	if err != nil {
		return ""
	}
	at.Path = "/.well-known/oauth-protected-resource" + strings.TrimSuffix(at.Path, "/")
	return at.String()
}
