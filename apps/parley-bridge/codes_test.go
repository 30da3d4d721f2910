package main_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestCodes has errors of 2025 that are called otherwise since, from a server on
// the official Go SDK.
func TestCodes(t *testing.T) {
	url := mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", Message: "?", URL: "https://example.com/", ElicitationID: "e"}})
	tests := map[string]struct {
		err    error
		status int
		want   string
	}{
		"a page is required": {url, 400, `"code":-32021,"message":"parley-bridge: the server wants a page to be opened (elicitation in url mode)","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}`},
		"no such resource":   {&jsonrpc.Error{Code: -32002, Message: "gone", Data: json.RawMessage(`{"uri":"x"}`)}, 400, `"code":-32602,"message":"gone","data":{"uri":"x"}`},
		"any other":          {&jsonrpc.Error{Code: -31999, Message: "mine"}, 200, `"code":-31999,"message":"mine"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
			server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
					if method == "tools/call" {
						return nil, tt.err
					}
					return next(ctx, method, r)
				}
			})
			mcp.AddTool(server, &mcp.Tool{Name: "t"}, nothing)
			srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
			t.Cleanup(srv.Close)
			c := &client{t, listen(t, srv.URL), map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
			status, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{},
				"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`)
			if status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("got %d %s, want %d %s", status, text, tt.status, tt.want)
			}
		})
	}
}
