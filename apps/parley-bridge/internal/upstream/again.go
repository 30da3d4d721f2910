package upstream

import (
	"fmt"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// maxTries is how often a client may answer a question with what cannot be sent.
const maxTries = 3

// Params are a question's, with why its last answer could not be sent where a
// person can read it. A model is not asked again for what only its program can
// mend.
func Params(q parley.Question) ([]byte, error) {
	switch {
	case q.Problem == "":
		return q.Params, nil
	case q.Kind != engine.KindElicit:
		return nil, Refusal(fmt.Sprintf("this client's answer to %s cannot be sent: %s", q.Kind, q.Problem))
	}
	text := message.Text(q.Params, "message") + "\n\nThe last answer could not be sent: " + q.Problem.String()
	return message.With(q.Params, "message", message.Quote(text)), nil
}
