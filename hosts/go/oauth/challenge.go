package oauth

import (
	"encoding/json"

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

// scopes are those that the challenge names.
func (c *challenge) scopes() []string { return scopesOf(c.Scope) }
