package upstream

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const tasks = "io.modelcontextprotocol/tasks"

// Capabilities is what the server is told of a client that declares these, in
// whichever era: what it can be asked, and its extensions. Tasks are the
// bridge's own: a call that becomes one is seen through, so a client that knows
// no tasks gets its result.
func Capabilities(declared []byte) []byte {
	extensions := message.With(message.Get(declared, "extensions"), tasks, []byte("{}"))
	told := message.With(nil, "extensions", extensions)
	if message.Get(declared, "roots") != nil {
		told = message.With(told, "roots", []byte("{}"))
	}
	for _, name := range []string{"sampling", "elicitation"} {
		if value := message.Get(declared, name); value != nil {
			told = message.With(told, name, value)
		}
	}
	return told
}

// Callbacks has every question that capabilities allow put by ask.
func Callbacks(capabilities []byte, ask func(context.Context, parley.Question) ([]byte, error)) parley.Callbacks {
	var cb parley.Callbacks
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
