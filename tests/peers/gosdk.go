package main

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// goSDK names the official SDK's client, whose own loop plays the call.
var goSDK = nameOf("github.com/modelcontextprotocol/go-sdk")

var errNoContent = errors.New("the result has no content")

func goSDKClient(peer *hosttest.Peer) (client, func() error, error) {
	ctx := context.Background()
	sdk := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "octocat"}}, nil
		},
	})
	session, err := sdk.Connect(ctx, &sdkConnection{peer: peer, answers: make(chan []byte, 1)}, nil)
	if err != nil {
		return client{}, nil, err
	}
	params := &mcp.CallToolParams{Name: "get_weather", Arguments: map[string]any{"location": "New York"}}
	return once(goSDK, "", func() error {
		result, err := session.CallTool(ctx, params)
		if err == nil && len(result.Content) == 0 {
			err = errNoContent
		}
		return err
	}), session.Close, nil
}

// sdkConnection is a transport of the SDK's, and its connection, to a peer.
type sdkConnection struct {
	peer    *hosttest.Peer
	answers chan []byte
}

func (c *sdkConnection) Connect(context.Context) (mcp.Connection, error) { return c, nil }

func (c *sdkConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case text, ok := <-c.answers:
		if !ok {
			return nil, mcp.ErrConnectionClosed
		}
		return jsonrpc.DecodeMessage(text)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *sdkConnection) Write(_ context.Context, message jsonrpc.Message) error {
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return nil
	}
	text, err := jsonrpc.EncodeMessage(message)
	if err == nil {
		c.answers <- c.peer.Answer(text)
	}
	return err
}

func (c *sdkConnection) Close() error {
	defer func() { recover() }() // Close may be called more than once
	close(c.answers)
	return nil
}

func (c *sdkConnection) SessionID() string { return "" }

// nameOf is the name and version of a module that this program is made of.
func nameOf(module string) string {
	name := module[strings.LastIndexByte(module, '/')+1:]
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return name + " " + strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return name
}
