package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

const completing = `{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"topic","value":"te"}`

// TestPassedOn has a client of 2025 complete an argument and go through a list at
// a modern server. Pings and log levels are the bridge's own there.
func TestPassedOn(t *testing.T) {
	seen := make(chan message.Message, 8)
	c := begin(t, listen(t, scripted(t, func(m message.Message, _ http.ResponseWriter, _ *http.Request) string {
		seen <- m
		if m.Method == "completion/complete" {
			return `{"resultType":"complete","completion":{"values":["tea"],"hasMore":true}}`
		}
		return `{"resultType":"complete","tools":[],"nextCursor":"c2","ttlMs":0,"cacheScope":"private"}`
	})), "{}")
	for _, tt := range []struct{ request, want, method, sent string }{
		{completing + "}}", `"completion":{"values":["tea"],"hasMore":true}`, "completion/complete", `"argument":{"name":"topic","value":"te"}`},
		{`{"jsonrpc":"2.0","id":6,"method":"logging/setLevel","params":{"level":"warning"}}`, `"result":{}`, "", ""},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"c1"}}`, `"nextCursor":"c2"`, "tools/list", `"cursor":"c1"`},
		{`{"jsonrpc":"2.0","id":8,"method":"ping"}`, `"result":{}`, "", ""},
	} {
		if _, text := c.text("POST", tt.request); !strings.Contains(text, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.request, text, tt.want)
		}
		if tt.method == "" {
			continue
		}
		m := <-seen
		for m.Method != tt.method || !strings.Contains(string(m.Params), tt.sent) { // the bridge lists tools and listens for itself, too
			m = <-seen
		}
	}
}

// TestPassedBack has a client of MCP 2026-07-28 complete an argument and go
// through a list at a server of 2025, on the official Go SDK.
func TestPassedBack(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{
		SupportedProtocolVersions: []string{"2025-11-25", "2025-06-18"}, PageSize: 1,
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "a"}}}, nil
		},
	})
	mcp.AddTool(server, &mcp.Tool{Name: "first"}, nothing)
	mcp.AddTool(server, &mcp.Tool{Name: "second"}, nothing)
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(srv.Close)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	c := &client{t, listen(t, srv.URL), map[string]string{"MCP-Protocol-Version": "2026-07-28"}}
	post := func(method, request string) string {
		c.headers["Mcp-Method"] = method
		_, text := c.text("POST", request+meta)
		return text
	}
	if got := post("completion/complete", completing+","); !strings.Contains(got, `"values":["tea"]`) {
		t.Errorf("completed: got %s", got)
	}
	const list = `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{`
	first := post("tools/list", list)
	_, rest, ok := strings.Cut(first, `"nextCursor":"`)
	cursor, _, _ := strings.Cut(rest, `"`)
	if !ok || !strings.Contains(first, `"name":"first"`) {
		t.Fatalf("the first page: got %s", first)
	}
	if got := post("tools/list", list+`"cursor":"`+cursor+`",`); !strings.Contains(got, `"name":"second"`) {
		t.Errorf("the second page: got %s", got)
	}
}
