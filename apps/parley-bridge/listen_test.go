package main_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// TestSubscriptions has changes at a modern server reach a client of 2025, which
// subscribes to a resource and gets the rest unasked.
func TestSubscriptions(t *testing.T) {
	url := listen(t, scripted(t, func(m message.Message, w http.ResponseWriter, r *http.Request) string {
		if m.Method != "subscriptions/listen" {
			return `{"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		wanted := message.Get(m.Params, "notifications")
		send := func(method, params string) {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":%q,\"params\":{%s\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}}}\n\n", method, params, m.ID)
			w.(http.Flusher).Flush()
		}
		send("notifications/subscriptions/acknowledged", `"notifications":`+string(wanted)+`,`)
		if uris := message.Get(wanted, "resourceSubscriptions"); uris != nil {
			send("notifications/resources/updated", `"uri":`+strings.Trim(string(uris), "[]")+`,`)
		} else if message.IsTrue(wanted, "toolsListChanged") {
			send("notifications/tools/list_changed", "")
		}
		<-r.Context().Done()
		return ""
	}))
	c := begin(t, url, "{}")
	next := events(c.do("GET", ""))
	if got := next().data; message.Text([]byte(got), "method") != "notifications/tools/list_changed" {
		t.Errorf("got %s, want tools/list_changed", got)
	}
	if _, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"test://a"}}`); !strings.Contains(text, `"result":{}`) {
		t.Errorf("subscribing: got %s, want a result", text)
	}
	if got := next().data; message.Text([]byte(got), "params", "uri") != "test://a" {
		t.Errorf("got %s, want resources/updated", got)
	}
}

// TestSubscriptionBreaks has a client told that its lists may be stale: the
// stream of changes broke off, and nobody says what came in between.
func TestSubscriptionBreaks(t *testing.T) {
	var streams atomic.Int32
	url := listen(t, scripted(t, func(m message.Message, w http.ResponseWriter, r *http.Request) string {
		if m.Method != "subscriptions/listen" {
			return `{"resultType":"complete","ttlMs":0,"cacheScope":"private"}`
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":%s}}\n\n", message.Get(m.Params, "notifications"))
		w.(http.Flusher).Flush()
		if streams.Add(1) > 1 {
			<-r.Context().Done()
		}
		return ""
	}))
	next := events(begin(t, url, "{}").do("GET", ""))
	if got, want := next().data, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestListen has changes at a server of 2025, on the official Go SDK, reach a
// client of MCP 2026-07-28 that listens for them.
func TestListen(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			var server *mcp.Server
			subscribed := make(chan string, 4)
			server = mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{
				SupportedProtocolVersions: []string{version},
				SubscribeHandler:          func(_ context.Context, r *mcp.SubscribeRequest) error { subscribed <- "+" + r.Params.URI; return nil },
				UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error {
					subscribed <- "-" + r.Params.URI
					return nil
				},
			})
			server.AddResource(&mcp.Resource{Name: "a", URI: "test://a"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{}, nil
			})
			mcp.AddTool(server, &mcp.Tool{Name: "first"}, nothing)
			srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
			t.Cleanup(srv.Close)
			c := &client{t, listen(t, srv.URL), map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}}
			stream := c.do("POST", `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{
				"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["test://a"]},
				"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
			next := events(stream)
			expect := func(method string, more ...string) {
				t.Helper()
				got := next().data
				for _, want := range append(more, `"method":"`+method+`"`, `"io.modelcontextprotocol/subscriptionId":7`) {
					if !strings.Contains(got, want) {
						t.Errorf("got %s, want %s", got, want)
					}
				}
			}
			expect("notifications/subscriptions/acknowledged", `"toolsListChanged":true`, `"resourceSubscriptions":["test://a"]`)
			mcp.AddTool(server, &mcp.Tool{Name: "second"}, nothing)
			expect("notifications/tools/list_changed")
			if err := server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "test://a"}); err != nil {
				t.Fatal(err)
			}
			expect("notifications/resources/updated", `"uri":"test://a"`)
			stream.Body.Close()
			for _, want := range []string{"+test://a", "-test://a"} {
				if got := <-subscribed; got != want {
					t.Errorf("subscriptions: got %s, want %s", got, want)
				}
			}
		})
	}
}

func nothing(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, struct{}, error) {
	return nil, struct{}{}, nil
}
