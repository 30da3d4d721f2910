package upstream

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	parley "github.com/parley-mcp/parley/hosts/go"
)

const tasks = "io.modelcontextprotocol/tasks"

// Asker puts a question to the client.
type Asker = func(context.Context, parley.Question) ([]byte, error)

// Askers put by ask what the client can be asked, and have the person sign in.
// Tasks are the bridge's own: a call that becomes one is seen through, so a client
// that knows no tasks gets its result.
func (c *Conn) Askers(ask Asker, who signin.Person) *parley.Askers {
	to := c.askers(ask)
	if c.access != nil {
		who.Pages = c.Can.URL
		to.Authorize = func(ctx context.Context, q parley.Question) ([]byte, error) { return c.access.Authorize(ctx, q, who) }
	}
	return to
}

func (c *Conn) askers(ask Asker) *parley.Askers {
	to := &parley.Askers{SampleTools: c.Can.SamplingTools, Tasks: true}
	if c.Can.Form {
		to.Elicit = ask
	}
	if c.Can.URL {
		to.ElicitURL = ask
	}
	if c.Can.Sampling {
		to.Sample = ask
	}
	if c.Can.Roots {
		to.ListRoots = ask
	}
	return to
}

// nobody is asked by requests of the bridge's own.
func nobody(context.Context, parley.Question) ([]byte, error) {
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
