package conformance_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/tests/conformance/server"
)

// connect returns a session of the SDK's client, without its automatic loop,
// with a server that has the fixtures and nothing else.
func connect(t *testing.T, declared *mcp.ClientCapabilities, middleware ...mcp.Middleware) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1"}, nil)
	server.AddReceivingMiddleware(middleware...)
	conformance.Register(server)
	return dial(t, declared, mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
}

func dial(t *testing.T, declared *mcp.ClientCapabilities, handler http.Handler) *mcp.ClientSession {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities:   declared,
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// everything is what the suite's own client declares.
func everything() *mcp.ClientCapabilities {
	return &mcp.ClientCapabilities{
		Elicitation: &mcp.ElicitationCapabilities{},
		Sampling:    &mcp.SamplingCapabilities{},
		RootsV2:     &mcp.RootCapabilities{},
	}
}

// call makes one leg of tools/call, or of prompts/get for the prompt. It
// returns the text of a result, or "? " and the questions' keys, and the state.
func call(t *testing.T, session *mcp.ClientSession, fixture string, answers mcp.InputResponseMap, state string) (out, next string, err error) {
	t.Helper()
	name := "test_input_required_result_" + fixture
	if fixture == "prompt" {
		res, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, InputResponses: answers, RequestState: state})
		switch {
		case err != nil:
			return "", "", err
		case res.NeedsInput():
			return asks(res.InputRequests), res.RequestState, nil
		}
		return res.Messages[0].Content.(*mcp.TextContent).Text, "", nil
	}
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, InputResponses: answers, RequestState: state})
	switch {
	case err != nil:
		return "", "", err
	case res.NeedsInput():
		return asks(res.InputRequests), res.RequestState, nil
	}
	return res.Content[0].(*mcp.TextContent).Text, "", nil
}

func asks(questions mcp.InputRequestMap) string {
	return "? " + strings.Join(slices.Sorted(maps.Keys(questions)), " ")
}

func accept(property string, value any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{property: value}}
}

func says(text string) *mcp.CreateMessageWithToolsResult {
	return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "m", Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func lists(roots ...*mcp.Root) *mcp.ListRootsResult { return &mcp.ListRootsResult{Roots: roots} }
