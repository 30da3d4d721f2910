package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// A tool that asks what it costs, becomes a task, and asks in the middle of it.
// The client sees one call.
func ExampleTasks() {
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Extensions: map[string]any{gosdk.TasksExtension: struct{}{}}},
	})
	server.AddReceivingMiddleware(gosdk.Guard(processGuard(), gosdk.Options{}))
	tasks := gosdk.NewTasks(gosdk.TaskOptions{})
	tasks.Add(server)

	yes := func(res *mcp.ElicitResult) bool { return res.Action == "accept" && res.Content["ok"] == true }
	mcp.AddTool(server, &mcp.Tool{Name: "provision"}, gosdk.AskingFor(
		func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			if err := tasks.Require(ctx); err != nil {
				return nil, nil, err // the client has no tasks
			}
			price, err := ask.Elicit(ctx, agreement("A machine costs 12 EUR a month. All right?"))
			if err != nil {
				return nil, nil, err // gosdk.ErrPending, in the first round
			}
			if !yes(price) {
				return say("Nothing was provisioned."), nil, nil
			}
			return nil, nil, tasks.Start(ctx, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
				t.Say("Installing the system")
				start, err := t.Elicit(ctx, agreement("It is installed. Start it at once?"))
				if err != nil {
					return nil, err
				}
				return say(fmt.Sprintf("A machine; started: %v.", yes(start))), nil
			})
		}))

	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	defer srv.Close()
	client, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{URL: srv.URL}, parley.SessionOptions{
		Askers: parley.Askers{
			Tasks: true,
			Elicit: func(_ context.Context, q parley.Question) ([]byte, error) {
				var question struct{ Message string }
				if err := json.Unmarshal(q.Params, &question); err != nil {
					return nil, err
				}
				fmt.Println(question.Message)
				return parley.Accept(map[string]bool{"ok": true})
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	res, err := client.CallTool(context.Background(), parley.ToolCall{Name: "provision"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].Text)
	// Output:
	// A machine costs 12 EUR a month. All right?
	// It is installed. Start it at once?
	// A machine; started: true.
}

func agreement(message string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)}
}
