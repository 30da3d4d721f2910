package upstream

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const tasks = "io.modelcontextprotocol/tasks"

// Extensions is what else a client's capabilities declare than what it can be
// asked, in whichever era.
func Extensions(capabilities []byte) []byte {
	return message.With(nil, "extensions", message.Without(message.Get(capabilities, "extensions"), tasks))
}

// Callbacks has every question that a client's capabilities allow put by ask.
// Tasks are the bridge's own: a call that becomes one is seen through, so a client
// that knows no tasks gets its result.
func Callbacks(capabilities []byte, ask func(context.Context, parley.Question) ([]byte, error)) parley.Callbacks {
	cb := parley.Callbacks{Tasks: true}
	if elicitation := message.Get(capabilities, "elicitation"); elicitation != nil {
		url := message.Get(elicitation, "url") != nil
		if url {
			cb.ElicitURL = ask
		}
		if !url || message.Get(elicitation, "form") != nil { // an empty object declares forms
			cb.Elicit = ask
		}
	}
	if message.Get(capabilities, "sampling") != nil {
		cb.Sample, cb.SampleTools = ask, message.Get(capabilities, "sampling", "tools") != nil
	}
	if message.Get(capabilities, "roots") != nil {
		cb.ListRoots = ask
	}
	return cb
}

// Nobody is asked by requests of the bridge's own.
func Nobody(context.Context, parley.Question) ([]byte, error) {
	return nil, errors.New("nobody can be asked on behalf of the bridge itself")
}

// Offers is what of a server's capabilities the bridge offers to clients of either
// era: all but tasks, which never get to them.
func Offers(capabilities []byte) []byte {
	if capabilities == nil {
		return []byte("{}")
	}
	offered := message.Without(capabilities, "tasks", "extensions")
	if extensions := message.Without(message.Get(capabilities, "extensions"), tasks); string(extensions) != "{}" {
		offered = message.With(offered, "extensions", extensions)
	}
	return offered
}
