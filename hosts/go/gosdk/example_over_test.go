package gosdk_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// A host that has the SDK's client, and a server of 2025-11-25, which asks by
// requests of its own.
func ExampleOver() {
	ctx := context.Background()
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1.0"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}})
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who are you?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}},
		}})
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("Hello ", res.Content["name"])}}}, nil, nil
	})
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, theirs, nil); err != nil {
		fmt.Println(err)
		return
	}

	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1.0"}, &mcp.ClientOptions{Capabilities: gosdk.Capabilities(engine.Can{Form: true})})
	shared := gosdk.Over(client)
	connection, err := client.Connect(ctx, ours, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer connection.Close()

	s, err := parley.NewSession(parley.Native{}, shared.Carry(connection), parley.SessionOptions{Askers: parley.Askers{
		Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return parley.Accept(map[string]string{"name": "Ada"})
		},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	res, err := s.CallTool(ctx, parley.ToolCall{Name: "greet"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Content[0].Text)
	// Output:
	// Hello Ada
}
