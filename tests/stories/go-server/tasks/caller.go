package tasks

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// caller is who sends a request.
type caller struct {
	owner        string
	capabilities *mcp.ClientCapabilities
	made         *Task // by the tool that is called
}

func (c *caller) declares() bool {
	if c.capabilities == nil {
		return false
	}
	_, ok := c.capabilities.Extensions[Extension].(map[string]any)
	return ok
}

type callerKey struct{}

// callerFrom is nil outside of the four methods.
func callerFrom(ctx context.Context) *caller {
	c, _ := ctx.Value(callerKey{}).(*caller)
	return c
}

// middleware says who calls, and answers a call whose tool made a task with it.
func (t *Tasks) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/call", "tasks/get", "tasks/update", "tasks/cancel":
		default:
			return next(ctx, method, req)
		}
		principal, err := gosdk.TokenPrincipal(ctx, req)
		if err != nil {
			t.o.Logger.Error("a user cannot be told from others", "cause", err)
			return nil, internal("The server cannot tell who calls")
		}
		c := &caller{owner: "nobody"}
		if principal != nil {
			c.owner = "user " + *principal
		}
		if r, ok := req.(interface {
			ClientCapabilities() *mcp.ClientCapabilities
		}); ok {
			c.capabilities = r.ClientCapabilities()
		}
		res, err := next(context.WithValue(ctx, callerKey{}, c), method, req)
		switch {
		case c.made == nil:
			return res, err
		case err != nil:
			c.made.stop() // nobody will know of it
			return nil, err
		}
		return c.made.seed(), nil
	}
}

func internal(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
}

func undeclared() error {
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "This needs a client that declares the extension " + Extension,
		Data:    []byte(`{"requiredCapabilities":{"extensions":{"` + Extension + `":{}}}}`),
	}
}
