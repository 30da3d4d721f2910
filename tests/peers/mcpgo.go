package main

import (
	"context"
	"encoding/json"

	mcpgo "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

func mcpGoClient(peer *hosttest.Peer) (client, func() error, error) {
	ctx := context.Background()
	c := mcpgo.NewClient(mcpGoConnection{peer}, mcpgo.WithElicitationHandler(octocat{}))
	if err := c.Start(ctx); err != nil {
		return client{}, nil, err
	}
	var begin mcp.InitializeRequest
	begin.Params.ProtocolVersion = "2026-07-28"
	begin.Params.ClientInfo = mcp.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, begin); err != nil {
		return client{}, nil, err
	}
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = "get_weather", map[string]any{"location": "New York"}
	return once(nameOf("github.com/mark3labs/mcp-go"), goSDK, func() error {
		result, err := c.CallTool(ctx, request)
		if err == nil && len(result.Content) == 0 {
			err = errNoContent
		}
		return err
	}), c.Close, nil
}

// octocat answers the questions of mcp-go.
type octocat struct{}

func (octocat) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	var result mcp.ElicitationResult
	result.Action, result.Content = mcp.ElicitationResponseActionAccept, map[string]any{"name": "octocat"}
	return &result, nil
}

// mcpGoConnection is a transport of mcp-go's to a peer.
type mcpGoConnection struct{ peer *hosttest.Peer }

func (c mcpGoConnection) SendRequest(_ context.Context, request transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	var response transport.JSONRPCResponse
	if err := json.Unmarshal(c.peer.Answer(text), &response); err != nil {
		return nil, err
	}
	return &response, nil
}

func (mcpGoConnection) Start(context.Context) error                                       { return nil }
func (mcpGoConnection) SendNotification(context.Context, mcp.JSONRPCNotification) error   { return nil }
func (mcpGoConnection) SetNotificationHandler(func(notification mcp.JSONRPCNotification)) {}
func (mcpGoConnection) Close() error                                                      { return nil }
func (mcpGoConnection) GetSessionId() string                                              { return "" }
