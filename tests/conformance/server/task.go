package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// RegisterTasks adds what the tasks scenarios of the suite call: tools that go
// on as tasks of gosdk, and greet, which does not.
func RegisterTasks(server *mcp.Server, tasks *gosdk.Tasks) {
	f := taskFixtures{tasks}
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets, at once."},
		func(_ context.Context, _ *mcp.CallToolRequest, in greetArgs) (*mcp.CallToolResult, any, error) {
			return said("Hello, %s!", in.Name), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "slow_compute", Description: "Takes some seconds: as a task, where the client has them."}, f.slow)
	mcp.AddTool(server, &mcp.Tool{Name: "failing_job", Description: "Is a task whose result is a tool's error."}, started(f, failing))
	mcp.AddTool(server, &mcp.Tool{Name: "protocol_error_job", Description: "Is a task that ends with a JSON-RPC error."}, started(f, breaking))
	mcp.AddTool(server, &mcp.Tool{Name: "confirm_delete", Description: "Is a task that asks once."}, f.confirmDelete)
	mcp.AddTool(server, &mcp.Tool{Name: "multi_input", Description: "Is a task that asks twice at once."}, started(f, askTwice))
	mcp.AddTool(server, &mcp.Tool{Name: "test_tool_with_task", Description: "Asks for a name in a round, then becomes a task."}, gosdk.AskingFor(f.asksFirst))
}

type taskFixtures struct{ tasks *gosdk.Tasks }

type greetArgs struct {
	Name string `json:"name"`
}

type slowArgs struct {
	Seconds float64 `json:"seconds"`
	Label   string  `json:"label,omitempty"`
}

func (f taskFixtures) slow(ctx context.Context, req *mcp.CallToolRequest, in slowArgs) (*mcp.CallToolResult, any, error) {
	res, err := f.tasks.Run(ctx, req, func(ctx context.Context, _ *gosdk.Task) (*mcp.CallToolResult, error) {
		select {
		case <-time.After(time.Duration(in.Seconds * float64(time.Second))):
			return said("Computed %s.", in.Label), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	return res, nil, err
}

// started is a tool that is nothing but a task.
func started(f taskFixtures, work gosdk.Work) mcp.ToolHandlerFor[struct{}, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, f.tasks.Start(ctx, work)
	}
}

func failing(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
	res := said("The job failed.")
	res.IsError = true
	return res, nil
}

func breaking(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
	return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "The job broke"}
}

type deleteArgs struct {
	Filename string `json:"filename"`
}

func (f taskFixtures) confirmDelete(ctx context.Context, _ *mcp.CallToolRequest, in deleteArgs) (*mcp.CallToolResult, any, error) {
	return nil, nil, f.tasks.Start(ctx, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
		res, err := t.Elicit(ctx, form("Delete "+in.Filename+"?", "confirm", "boolean").(*mcp.ElicitParams))
		switch {
		case err != nil:
			return nil, err
		case res.Content["confirm"] != true:
			return said("%s was not deleted.", in.Filename), nil
		}
		return said("%s was deleted.", in.Filename), nil
	})
}

func askTwice(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
	answers, err := t.All(ctx, mcp.InputRequestMap{
		"user_name": form("What is your name?", "name", "string"),
		"confirm":   form("Go on?", "confirm", "boolean"),
	})
	if err != nil {
		return nil, err
	}
	return said("%v: %v", answers["user_name"].(*mcp.ElicitResult).Content["name"], answers["confirm"].(*mcp.ElicitResult).Content["confirm"]), nil
}

func (f taskFixtures) asksFirst(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	if err := f.tasks.Require(ctx); err != nil {
		return nil, nil, err
	}
	answers, err := ask.All(ctx, mcp.InputRequestMap{"user_name": form("What is your name?", "name", "string")})
	if err != nil {
		return nil, nil, err
	}
	name, ok := answers["user_name"].(*mcp.ElicitResult).Content["name"].(string)
	if !ok {
		return nil, nil, errors.New("without a name there is nothing to do")
	}
	return nil, nil, f.tasks.Start(ctx, func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
		return said("Done for %s.", name), nil
	})
}

func said(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}
