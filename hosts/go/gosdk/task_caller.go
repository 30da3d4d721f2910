package gosdk

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// taskCaller is who sends a request.
type taskCaller struct {
	principal    string
	capabilities *mcp.ClientCapabilities
	early        bool  // of an earlier revision
	page         bool  // the call asks for a task by its params
	made         *Task // by the tool that is called
	seed         *taskState
}

// declares reports whether the extension is declared, which needs the revision
// it extends.
func (c *taskCaller) declares() bool {
	if c.capabilities == nil || c.early {
		return false
	}
	_, ok := c.capabilities.Extensions[TasksExtension].(map[string]any)
	return ok
}

type taskCallerKey struct{}

// taskCallerFrom is nil outside of tools/call and the methods of tasks.
func taskCallerFrom(ctx context.Context) *taskCaller {
	c, _ := ctx.Value(taskCallerKey{}).(*taskCaller)
	return c
}

// middleware says who calls, and answers a call whose tool made a task with it.
func (t *Tasks) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/call", "tasks/get", "tasks/update", "tasks/cancel", "tasks/result", "tasks/input_response":
		case "subscriptions/listen":
			if listenerKey(req) == "" {
				return next(ctx, method, req)
			}
		default:
			return next(ctx, method, req)
		}
		principal, err := t.o.Principal(ctx, req)
		if err != nil {
			t.o.Logger.Error("a user cannot be told from others", "cause", err)
			return nil, internalError("The server cannot tell who calls")
		}
		c := &taskCaller{principal: noPrincipal}
		if principal != nil {
			c.principal = "user " + *principal
		}
		c.early = legacy(req)
		if r, ok := req.(declarer); ok {
			c.capabilities = r.ClientCapabilities()
		}
		switch {
		case method == "tools/call":
			c.page = t.o.Page && !c.declares() && asksForTask(req)
		case method == "subscriptions/listen":
			ctx = context.WithValue(ctx, taskCallerKey{}, c)
			return t.heard(ctx, req, func() (mcp.Result, error) { return next(ctx, method, req) })
		case !t.o.Page || c.declares():
			if err := checkTaskName(req); err != nil {
				return nil, err
			}
		}
		res, err := next(context.WithValue(ctx, taskCallerKey{}, c), method, req)
		switch {
		case c.made == nil:
			return res, err
		case err != nil:
			c.made.stop(nil) // nobody will know of it
			return nil, err
		}
		if c.page {
			c.seed.ResultType = ""
			return &pageCreated{ResultType: "complete", Task: c.seed}, nil
		}
		c.seed.ResultType = "task"
		return c.seed, nil
	}
}

// checkTaskName holds the header field Mcp-Name against the task's id: the SDK
// knows only the standard methods. One that is missing passes. A client must send
// it, but a server must refuse only what is wrong, and FastMCP's client sends none.
//
// Source: ext-tasks 2026-07-28, Streamable HTTP: Routing Headers; MCP 2026-07-28,
// Streamable HTTP: Standard Request Headers, Server Validation.
func checkTaskName(req mcp.Request) error {
	extra, params := req.GetExtra(), req.GetParams()
	if extra == nil || len(extra.Header.Values("Mcp-Name")) == 0 {
		return nil
	}
	id := ""
	if p, ok := params.(*taskParams); ok && p != nil {
		id = p.TaskID
	}
	if taskName(extra.Header) != id {
		return &jsonrpc.Error{Code: mcp.CodeHeaderMismatch, Message: "The header field Mcp-Name does not name the task"}
	}
	return nil
}

func taskName(h http.Header) string {
	name := h.Get("Mcp-Name")
	if coded, ok := strings.CutPrefix(name, "=?base64?"); ok {
		if text, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(coded, "?=")); err == nil {
			return string(text)
		}
	}
	return name
}
