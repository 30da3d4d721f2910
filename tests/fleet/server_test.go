package fleet_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// newServer starts an MCP server that asks twice before it does anything, lets
// each state open once, and writes down what it does.
func newServer(t *testing.T, j journal, marks codec.ReplayStore) *httptest.Server {
	t.Helper()
	guard, err := seal.NewGuard("", codec.GuardOptions{Audience: "fleet", Replay: marks, SingleUse: []string{"move"}})
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "fleet", Version: "0"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}})
	server.AddReceivingMiddleware(gosdk.Guard(guard, gosdk.Options{}))
	type arguments struct {
		ID string `json:"id"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "move"}, gosdk.AskingFor(func(ctx context.Context, ask *gosdk.Ask, _ *mcp.CallToolRequest, in arguments) (*mcp.CallToolResult, any, error) {
		for _, question := range []string{"first", "second"} {
			_, _, err := gosdk.Form[struct {
				OK bool `json:"ok"`
			}](ctx, ask, &mcp.ElicitParams{Message: question, RequestedSchema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)})
			if err != nil {
				return nil, nil, err
			}
		}
		if err := j.write("effect", in.ID); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "moved"}}}, nil, nil
	}))
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var request struct {
			Params struct{ Arguments arguments }
		}
		if json.Unmarshal(body, &request) == nil && request.Params.Arguments.ID != "" {
			if err := j.write("received", request.Params.Arguments.ID, r.URL.Query().Get("by")); err != nil {
				t.Error(err)
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}
