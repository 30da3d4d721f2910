package upstream

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
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

// asked is a request as the server gets it. The bridge offers its clients no tasks, so
// one that asks for a task all the same gets none.
//
// Source: MCP 2025-11-25, basic/utilities/tasks, Task Support and Handling 1.
func asked(method string, params []byte) []byte {
	if method != "tools/call" || message.Get(params, "task") == nil {
		return params
	}
	return message.Without(params, "task")
}

// listed is a result as the client gets it: its tools do not say whether they run as
// tasks, which is for the bridge to see to.
func listed(method string, result []byte) []byte {
	list := message.Get(result, "tools")
	if method != "tools/list" || !rawjson.IsArray(list) {
		return result
	}
	changed, tools := false, []byte{'['}
	var e rawjson.Elements
	for e.Start(list); e.Next(); {
		if len(tools) > 1 {
			tools = append(tools, ',')
		}
		if message.Get(e.Value, "execution") == nil {
			tools = append(tools, e.Value...)
		} else {
			changed, tools = true, append(tools, message.Without(e.Value, "execution")...)
		}
	}
	if !changed {
		return result
	}
	return message.With(result, "tools", append(tools, ']'))
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
