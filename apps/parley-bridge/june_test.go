package main_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

const inJune = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p",
	"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{}}}`

// june has a bridge before a server of 2025-06-18, on the official Go SDK, and a
// client of MCP 2026-07-28.
func june(t *testing.T, tool mcp.ToolHandler) *client {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-06-18"}})
	server.AddTool(&mcp.Tool{Name: "survey", InputSchema: json.RawMessage(`{"type":"object"}`)}, tool)
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(srv.Close)
	return &client{t, listen(t, srv.URL), map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "survey"}}
}

// TestJune has a server of 2025-06-18 ask by requests of its own, for everything
// there was then, and a client answer in rounds.
func TestJune(t *testing.T) {
	c := june(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: 1})
		form, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
		if err != nil {
			return nil, err
		}
		said, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 9, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "?"}}}})
		if err != nil {
			return nil, err
		}
		roots, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, err
		}
		text := form.Content["name"].(string) + ", " + said.Content.(*mcp.TextContent).Text + ", " + roots.Roots[0].URI
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
	answers := map[string]string{
		"elicitation/create":     `{"action":"accept","content":{"name":"Ada"}}`,
		"sampling/createMessage": `{"role":"assistant","content":{"type":"text","text":"Hm"},"model":"m"}`,
		"roots/list":             `{"roots":[{"uri":"file:///a"}]}`,
	}
	more, asked, told := "", "", false
	for range 4 {
		_, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"survey",`+more+inJune+`}}`)
		told = told || strings.Contains(text, `"notifications/progress"`)
		if strings.Contains(text, "Ada, Hm, file:///a") {
			if want := "elicitation/create sampling/createMessage roots/list "; asked != want || !told {
				t.Errorf("it asked %s, want %s; told of progress: %v", asked, want, told)
			}
			return
		}
		i := strings.LastIndex(text, `{"jsonrpc"`)
		if i < 0 {
			t.Fatalf("got %s", text)
		}
		answer, _, _ := strings.Cut(text[i:], "\n")
		result := message.Get([]byte(answer), "result")
		var requests map[string]struct{ Method string }
		if err := json.Unmarshal(message.Get(result, "inputRequests"), &requests); err != nil || len(requests) != 1 {
			t.Fatalf("got %s, %v, want one question", text, err)
		}
		for key, r := range requests {
			asked += r.Method + " "
			more = `"inputResponses":{"` + key + `":` + answers[r.Method] + `},"requestState":` + string(message.Get(result, "requestState")) + ","
		}
	}
	t.Errorf("it asked %s, and has no result", asked)
}

// TestJuneCancel has a client give a call up.
func TestJuneCancel(t *testing.T) {
	began, stopped := make(chan struct{}), make(chan struct{})
	c := june(t, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", c.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"survey",`+inJune+`}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	go func() {
		<-began
		cancel()
	}()
	if res, err := http.DefaultClient.Do(req); err == nil {
		events(res)()
		res.Body.Close()
	}
	<-stopped
}
