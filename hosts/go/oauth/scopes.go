package oauth

import (
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// Which scopes are asked for, and which count as granted. JavaScript decides the
// same: hosts/testdata/oauth is replayed by both.

// offline is the scope that asks for a refresh token.
//
// Source: OpenID Connect Core 1.0, section 11; MCP 2026-07-28,
// basic/authorization, Refresh Tokens.
const offline = "offline_access"

// demand is what decides which scopes a sign-in asks for.
type demand struct {
	challenge []string // what the challenge names
	resource  []string // what the server's metadata names
	before    []string // what this account was granted before
	server    *oauthex.AuthServerMeta
	person    bool // a person signs in: a refresh token spares them the next time
}

// asks are the scopes to ask for: first all that is of use, then, for as long as
// the authorization server refuses them with invalid_scope, without
// offline_access, and no more than the server wants now. Empty ones mean that no
// scope is sent, which asks for what the authorization server gives by default.
//
// Source: MCP 2026-07-28, basic/authorization, Scope Selection Strategy, and
// Step-Up Authorization Flow.
func (d demand) asks() [][]string {
	wanted := d.challenge
	if len(wanted) == 0 {
		wanted = d.resource
	}
	all := union(d.before, wanted...)
	if !d.person {
		return [][]string{without(all, offline)}
	}
	if slices.Contains(d.server.ScopesSupported, offline) && refreshes(d.server) {
		all = union(all, offline)
	}
	if len(d.challenge) == 0 && len(without(all, offline)) == 0 {
		return [][]string{nil} // alone, it would take the place of the default
	}
	return slices.CompactFunc([][]string{all, without(all, offline), without(wanted, offline)}, sameScopes)
}

// refreshes reports whether an authorization server gives refresh tokens, as far
// as its metadata says.
func refreshes(m *oauthex.AuthServerMeta) bool {
	return len(m.GrantTypesSupported) == 0 || slices.Contains(m.GrantTypesSupported, "refresh_token")
}

// wantsConsent reports whether a page has to be told to ask for consent, without
// which OpenID Connect has offline_access ignored. Entra ID does not ignore it,
// and lets most members of an organization give no consent, even where their
// administrator has given it.
func wantsConsent(scopes []string, page *url.URL) bool {
	return slices.Contains(scopes, offline) && !slices.ContainsFunc(entra, func(domain string) bool {
		return strings.HasSuffix("."+strings.ToLower(page.Hostname()), domain)
	})
}

var entra = []string{".microsoftonline.com", ".microsoftonline.us", ".microsoftonline.cn", ".ciamlogin.com"}

// granted are the scopes of a token, by what its answer says of them. Nothing
// said means those that were asked for.
//
// Source: RFC 6749, section 5.1. Lists with commas (GitHub) and arrays are not in
// it.
func granted(told any, asked []string) []string {
	text, _ := told.(string)
	if list, ok := told.([]any); ok {
		for _, one := range list {
			scope, _ := one.(string)
			text += " " + scope
		}
	}
	if !slices.ContainsFunc(asked, func(scope string) bool { return strings.Contains(scope, ",") }) {
		text = strings.ReplaceAll(text, ",", " ")
	}
	if scopes := scopesOf(text); len(scopes) > 0 {
		return scopes
	}
	return asked
}

// refreshAsks are the scopes to refresh a token with, one after the other for as
// long as the authorization server refuses them with invalid_scope: those that
// were granted, those that were asked for, and none.
//
// Source: RFC 6749, section 6.
func refreshAsks(granted, asked []string) [][]string {
	if len(asked) == 0 {
		asked = granted
	}
	return slices.CompactFunc([][]string{granted, asked, nil}, sameScopes)
}

const (
	maxScopes = 100 // of one challenge or one token
	maxScope  = 256 // bytes of one
)

func scopesOf(text string) []string {
	var scopes []string
	for scope := range strings.FieldsSeq(text) {
		if isScope(scope) && !slices.Contains(scopes, scope) && len(scopes) < maxScopes {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// isScope reports whether text is a scope-token of RFC 6749, section 3.3.
func isScope(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return text != "" && len(text) <= maxScope
}

// union adds scopes that are not there yet.
func union(scopes []string, more ...string) []string {
	scopes = slices.Clone(scopes)
	for _, scope := range more {
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

func without(scopes []string, scope string) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(one string) bool { return one == scope })
}

// contains reports whether all of some scopes are among others.
func contains(scopes, some []string) bool {
	return !slices.ContainsFunc(some, func(scope string) bool { return !slices.Contains(scopes, scope) })
}

func sameScopes(some, others []string) bool {
	return contains(some, others) && contains(others, some)
}
