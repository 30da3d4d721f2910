package main

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// refuses is why the SDK's Elicit takes no answer to a form, which it says once it has asked; "" if it does.
func refuses(forms []drawn) (all []string, err error) {
	ctx := context.Background()
	s := mcp.NewServer(&mcp.Implementation{Name: "forms", Version: "1.0.0"}, nil)
	c := mcp.NewClient(&mcp.Implementation{Name: "forms", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	})
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, f := range forms {
			why := ""
			_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Please fill in", RequestedSchema: f.schema})
			if err != nil && strings.Contains(err.Error(), "elicit schema") {
				why = err.Error()
			}
			all = append(all, why)
		}
		return said("done"), nil
	})
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, here, nil); err != nil {
		return nil, err
	}
	session, err := c.Connect(ctx, there, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		return nil, err
	}
	defer session.Close()
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "ask"})
	return all, err
}
