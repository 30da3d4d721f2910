package oauth

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// found is what discovery found: a resource and one authorization server that
// it trusts, all of it checked.
type found struct {
	resource string
	scopes   []string // that the resource supports
	meta     *oauthex.AuthServerMeta
	host     string // of meta.TokenEndpoint
}

// discover finds out where to sign in. It never guesses: without metadata there
// is nothing to say that PKCE works.
//
// Source: MCP 2026-07-28, basic/authorization, Authorization Server Discovery.
func (s *SignIn) discover(ctx context.Context, c challenge, known string) (*found, error) {
	resource, err := s.findResource(ctx, c.ResourceMetadata)
	if err != nil {
		return nil, err
	}
	issuer, err := s.chooseIssuer(ctx, resource.AuthorizationServers, known)
	if err != nil {
		return nil, err
	}
	meta, err := s.findIssuer(ctx, issuer)
	if err != nil {
		return nil, err
	}
	if err := s.checkCodeFlow(meta); err != nil {
		return nil, err
	}
	return &found{resource: resource.Resource, scopes: resource.ScopesSupported, meta: meta, host: hostOf(meta.TokenEndpoint)}, nil
}

// findResource reads the server's protected resource metadata (RFC 9728).
func (s *SignIn) findResource(ctx context.Context, named string) (*oauthex.ProtectedResourceMetadata, error) {
	var elsewhere error
	var places []*url.URL
	if named != "" {
		at, err := s.web.check(named)
		switch {
		case err != nil:
			elsewhere = untrusted("%s names metadata at an address that is not safe: %v. Nothing was sent there.", s.server.Host, err)
		case origin(at) != origin(s.server):
			elsewhere = untrusted("%s names metadata on another host, %s. Nothing was sent there.", s.server.Host, quote(at.Host))
		default:
			places = append(places, at)
		}
	}

	if path := strings.Trim(s.server.EscapedPath(), "/"); path != "" {
		places = append(places, s.server.ResolveReference(&url.URL{Path: wellKnownResource + "/" + strings.Trim(s.server.Path, "/"), RawQuery: s.server.RawQuery}))
	}
	places = append(places, s.server.ResolveReference(&url.URL{Path: wellKnownResource}))
	said := ""
	for _, at := range places {
		var m oauthex.ProtectedResourceMetadata
		err := s.web.get(ctx, at, &m)
		if none, ok := err.(absent); ok {
			said = cmp.Or(said, none.text)
			continue
		}
		if err != nil {
			return nil, err
		}
		if !covers(m.Resource, s.server) {
			return nil, untrusted("the metadata of %s is for something else, %s: a token for that does not belong here. No page was opened.",
				s.server.Host, quote(m.Resource))
		}
		if len(m.AuthorizationServers) == 0 {
			return nil, untrusted("the metadata of %s names no authorization server, so there is nowhere to sign in. Ask its operator, or use a token of your own.", s.server.Host)
		}
		return &m, nil
	}
	return nil, cmp.Or(elsewhere, untrusted(
		"%s wants a sign-in and does not say where: it has no protected resource metadata (RFC 9728).%s Ask its operator, or use a token of your own.", s.server.Host, said))
}

// covers reports whether a resource identifier is the server's, or that of a
// part of the same host that the server is in.
func covers(resource string, server *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || r.String() != resource || r.User != nil || r.Fragment != "" || origin(r) != origin(server) {
		return false
	}
	if r.RawQuery != "" && r.RawQuery != server.RawQuery {
		return false
	}
	wide := strings.TrimSuffix(r.EscapedPath(), "/")
	within, ok := strings.CutPrefix(server.EscapedPath(), wide)
	return ok && (within == "" || within[0] == '/') && !strings.Contains(wide+"/", "/../")
}

func (s *SignIn) chooseIssuer(ctx context.Context, issuers []string, known string) (string, error) {
	if len(issuers) > maxIssuers {
		return "", untrusted("%s names %d authorization servers; %d is the most.", s.server.Host, len(issuers), maxIssuers)
	}
	chosen := issuers[0]
	switch {
	case s.o.Issuer != "" && !slices.Contains(issuers, s.o.Issuer):
		return "", untrusted("%s does not trust %s, the authorization server that your client belongs to, but %s.", s.server.Host, s.o.Issuer, quote(issuers[0]))
	case s.o.Issuer != "":
		chosen = s.o.Issuer
	case slices.Contains(issuers, known):
		chosen = known
	case len(issuers) > 1 && s.o.Choose != nil:
		var err error
		if chosen, err = s.o.Choose(ctx, slices.Clone(issuers)); err != nil {
			return "", err
		}
		if !slices.Contains(issuers, chosen) {
			return "", &Error{Code: ErrUsage, Text: "Options.Choose returned an authorization server that was not offered."}
		}
	}
	return chosen, nil
}

const (
	maxIssuers        = 16 // authorization servers of one resource
	wellKnownResource = "/.well-known/oauth-protected-resource"
)

// findIssuer reads the metadata of an authorization server (RFC 8414, or OpenID
// Connect Discovery), which has to name the issuer exactly as it was asked for.
func (s *SignIn) findIssuer(ctx context.Context, issuer string) (*oauthex.AuthServerMeta, error) {
	at, err := s.web.check(issuer)
	if err != nil || at.RawQuery != "" {
		if err == nil {
			err = errors.New("it has a query")
		}
		return nil, untrusted("%s names an authorization server that is not safe: %v. Nothing was sent there.", s.server.Host, err)
	}
	path := strings.Trim(at.Path, "/")
	places := []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"}
	if path != "" {
		places = []string{places[0] + "/" + path, places[1] + "/" + path, "/" + path + places[1]}
	}
	said := ""
	for _, place := range places {
		var m oauthex.AuthServerMeta
		err := s.web.get(ctx, at.ResolveReference(&url.URL{Path: place}), &m)
		if none, ok := err.(absent); ok {
			said = cmp.Or(said, none.text)
			continue
		}
		if err != nil {
			return nil, err
		}
		if m.Issuer != issuer {
			return nil, untrusted("the authorization server %s says that it is %s. The two must be the same, letter by letter; no page was opened.",
				issuer, quote(m.Issuer))
		}
		if err := s.checkEndpoints(&m, at.Host); err != nil {
			return nil, err
		}
		return &m, nil
	}
	return nil, untrusted("%s, where %s wants you to sign in, has no authorization server metadata (RFC 8414).%s Ask its operator.", at.Host, s.server.Host, said)
}

func (s *SignIn) checkEndpoints(m *oauthex.AuthServerMeta, host string) error {
	for name, address := range map[string]string{
		"token_endpoint": m.TokenEndpoint, "authorization_endpoint": m.AuthorizationEndpoint,
		"registration_endpoint": m.RegistrationEndpoint, "revocation_endpoint": m.RevocationEndpoint,
	} {
		if address == "" && name != "token_endpoint" {
			continue
		}
		if _, err := s.web.check(address); err != nil {
			return untrusted("the %s of the authorization server %s is not safe: %v. Nothing was sent there.", name, host, err)
		}
	}
	return nil
}

// checkCodeFlow checks what only a flow through a browser needs.
//
// Source: MCP 2026-07-28, basic/authorization, Authorization Code Protection:
// clients MUST verify PKCE support, and refuse without it.
func (s *SignIn) checkCodeFlow(m *oauthex.AuthServerMeta) error {
	switch {
	case s.grant != GrantCode:
		return nil
	case m.AuthorizationEndpoint == "":
		return untrusted("the authorization server %s has no page to sign in at (authorization_endpoint).", hostOf(m.Issuer))
	case !slices.Contains(m.CodeChallengeMethodsSupported, "S256"):
		return untrusted("the authorization server %s does not say that it protects codes (PKCE with S256), so signing in there is not safe. Ask its operator.", hostOf(m.Issuer))
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
