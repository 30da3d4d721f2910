package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// client is a session with the suite's server.
type client struct {
	session *parley.Session
	ready   chan session.Ready
	given   given

	// meanwhile is done once, while a question is open.
	meanwhile func(ctx context.Context) error
}

// given is the MCP_CONFORMANCE_CONTEXT: calls of http-custom-headers, and what
// scenarios of auth/… sign in with.
type given struct {
	credentials
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
}

type tool struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// request makes one call and prints it.
func (c *client) request(ctx context.Context, method string, params any, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	fmt.Printf("%s %s\n", method, text)
	out, err := c.session.Call(ctx, parley.Request{Method: method, Params: text})
	if err != nil {
		if e := new(parley.Error); errors.As(err, &e) && e.Response != nil {
			return fmt.Errorf("%s: %w: %s", method, err, e.Response)
		}
		if e := new(oauth.Error); errors.As(err, &e) {
			return fmt.Errorf("%s: %w: %s", method, err, e.Text)
		}
		return fmt.Errorf("%s: %w", method, err)
	}
	if out.Parked {
		return fmt.Errorf("%s: parked, which nothing asked for", method)
	}
	return json.Unmarshal(out.Result, result)
}

// list reads all pages of a list, whose items are the member of that name.
func list[T any](ctx context.Context, c *client, method, member string) ([]T, error) {
	var all []T
	params := map[string]any{}
	for {
		var page map[string]json.RawMessage
		if err := c.request(ctx, method, params, &page); err != nil {
			return nil, err
		}
		var items []T
		if err := json.Unmarshal(page[member], &items); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		all = append(all, items...)
		if page["nextCursor"] == nil {
			return all, nil
		}
		params["cursor"] = page["nextCursor"]
	}
}

func (c *client) tools(ctx context.Context) ([]tool, error) {
	return list[tool](ctx, c, "tools/list", "tools")
}

func (c *client) callTool(ctx context.Context, name string, arguments any) error {
	var result struct {
		IsError bool            `json:"isError"`
		Content json.RawMessage `json:"content"`
	}
	err := c.request(ctx, "tools/call", map[string]any{"name": name, "arguments": arguments}, &result)
	if err == nil && result.IsError {
		err = fmt.Errorf("the tool %s failed: %s", name, result.Content)
	}
	return err
}

// learn keeps what the server says of itself.
func (c *client) learn(ready session.Ready) {
	fmt.Println("the server speaks", ready.Version)
	select {
	case c.ready <- ready:
	default: // it has been said, and the rest is for whoever reads the lines
	}
}

// offers are the server's capabilities. Before the first answer nothing is
// known of them.
func (c *client) offers() (map[string]json.RawMessage, error) {
	ready := <-c.ready
	var offered map[string]json.RawMessage
	if ready.Capabilities == nil {
		return nil, nil
	}
	err := json.Unmarshal(ready.Capabilities, &offered)
	return offered, err
}
