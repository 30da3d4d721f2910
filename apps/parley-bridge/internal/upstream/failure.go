package upstream

import (
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Failure is the JSON-RPC error object for a call that failed: the server's own
// as it came, or one that says what happened on the way and what can be done.
func Failure(err error) []byte {
	var failed *parley.Error
	if errors.As(err, &failed) && failed.Response != nil {
		return failed.Response
	}
	text := "parley-bridge: " + Reason(err)
	if hint := hint(err); hint != "" {
		text += " (" + hint + ")"
	}
	return message.Error(message.Internal, text, nil)
}

// hint says what can be done about a failure.
func hint(err error) string {
	var refused Refusal
	switch {
	case errors.As(err, &refused):
		return refused.Error()
	case errors.Is(err, engine.ErrInDoubt):
		return "see whether the tool has run before calling it again"
	case errors.Is(err, engine.ErrRounds):
		return "the server asks again and again; the call was given up"
	case errors.Is(err, engine.ErrCapability):
		return "the server asks for what this client did not declare"
	case errors.Is(err, engine.ErrLost):
		return "is the server running?"
	case errors.Is(err, engine.ErrLegTimeout):
		return "give the bridge a longer --timeout"
	}
	return ""
}

// Refusal is why a client did not answer a question, for its own error.
type Refusal string

// Error implements error.
func (r Refusal) Error() string { return string(r) }
