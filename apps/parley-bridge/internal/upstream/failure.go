package upstream

import (
	"errors"
	"strings"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// Failure is the JSON-RPC error object for a call that failed: the server's own
// as it came, or one that says what happened on the way and what can be done.
func Failure(err error) []byte {
	var failed *parley.Error
	if errors.As(err, &failed) && failed.Response != nil {
		return failed.Response
	}
	text := "parley-bridge: " + Reason(err)
	if hints := hints(err); hints != "" {
		text += " (" + hints + ")"
	}
	return message.Error(message.Internal, text, nil)
}

// hints say what can be done about a failure.
func hints(err error) string {
	var failed *parley.Error
	var refused Refusal
	var hints []string
	if errors.As(err, &failed) && failed.InDoubt {
		hints = append(hints, "the tool may have run or not: see whether it has before calling it again")
	}
	var page *signin.Refusal
	switch {
	case errors.As(err, &page) && page.Page != "":
		hints = append(hints, "open "+page.Page+" in a browser, then try again")
	case why(err) != "":
	case errors.As(err, &refused):
		hints = append(hints, refused.Error())
	case errors.Is(err, fault.Rounds):
		hints = append(hints, "the server asks again and again; the call was given up")
	case errors.Is(err, fault.Capability):
		hints = append(hints, "the server asks for what this client did not declare")
	case errors.Is(err, fault.Form):
		hints = append(hints, "nobody was asked: the server's form has to change")
	case errors.Is(err, fault.LegTimeout):
		hints = append(hints, "give the bridge a longer --timeout")
	case errors.Is(err, fault.Unauthorized):
		hints = append(hints, "if the bridge has a --bearer-file, the server does not accept its token, or it allows too little")
	}
	return strings.Join(hints, "; ")
}

// why is why nobody signed in, "" if that is not the matter.
func why(err error) string {
	var refused *signin.Refusal
	var failed *oauth.Error
	var client Refusal
	switch {
	case errors.As(err, &refused):
		return refused.Text
	case errors.As(err, &failed):
		return "nobody is signed in: " + strings.TrimSuffix(failed.Text, ".")
	case errors.Is(err, fault.Unauthorized) && errors.As(err, &client):
		return "nobody is signed in: " + string(client)
	}
	return ""
}

// Reason is an error in words that tell no secret, without our package names.
func Reason(err error) string {
	if why := why(err); why != "" {
		return why
	}
	if status := (*parley.StatusError)(nil); errors.As(err, &status) {
		return display.Reason("the server", err)
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "parley: "), "engine: ")
}

// Refusal is why a client did not answer a question, for its own error.
type Refusal string

// Error implements error.
func (r Refusal) Error() string { return string(r) }
