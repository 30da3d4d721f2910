package oauth

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// challenge is what a question of the kind "authorize" says, as the engine has
// read it.
type challenge struct {
	Status           int    `json:"status"`
	Challenge        string `json:"challenge"`
	Error            string `json:"error"`
	Scope            string `json:"scope"`
	ResourceMetadata string `json:"resource_metadata"`
}

func readChallenge(q parley.Question) (challenge, error) {
	var c challenge
	if q.Kind != engine.KindAuthorize {
		return c, &Error{Code: ErrUsage, Text: "this question is not about signing in."}
	}
	if err := json.Unmarshal(q.Params, &c); err != nil {
		return c, &Error{Code: ErrUsage, Text: "the question about signing in cannot be read.", Err: err}
	}
	return c, nil
}

const (
	maxScopes = 100 // of one challenge or one token
	maxScope  = 256 // bytes of one
)

// scopes are those that the challenge names.
func (c *challenge) scopes() []string { return scopesOf(c.Scope) }

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

// contains reports whether all of some scopes are among others.
func contains(scopes, some []string) bool {
	return !slices.ContainsFunc(some, func(scope string) bool { return !slices.Contains(scopes, scope) })
}
