package upstream

import (
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// everything is what a server may offer.
const everything = `{"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"completions":{},"logging":{}}`

// guess stands for what the server says once somebody has signed in.
func (c *Conn) guess() session.Ready {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.guessed = true
	return session.Ready{Capabilities: []byte(everything), ServerInfo: c.unknown()}
}

// lists are the results of methods that list, by what they list.
var lists = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

// Empty is the result of a list that the server was guessed to have and has not;
// nil if it is not that which failed.
func (c *Conn) Empty(method string, err error) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	var failed *parley.Error
	if !c.guessed || lists[method] == "" || !errors.As(err, &failed) || string(message.Get(failed.Response, "code")) != fmt.Sprint(message.NoMethod) {
		return nil
	}
	return fmt.Appendf(nil, `{%q:[]}`, lists[method])
}
