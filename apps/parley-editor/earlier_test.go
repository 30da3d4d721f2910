package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// earlierServer asks by a request of its own while the call waits, as servers
// before 2026-07-28 do.
func earlierServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "earlier", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-11-25"}})
	s.AddTool(&mcp.Tool{Name: "greet", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := r.Session.Elicit(ctx, &mcp.ElicitParams{
			Message:         "What is your name?",
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
		})
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s %v", a.Action, a.Content["name"])}}}, nil
	})
	return s
}

// TestEarlier answers a server of an earlier protocol version, over both
// transports: its calls cannot be parked while it asks, and it asks again.
func TestEarlier(t *testing.T) {
	if os.Getenv("PARLEY_TEST_SERVE") != "" { // as a server that is a command
		fmt.Fprintln(os.Stderr, "serving\x1b[2J")
		earlierServer().Run(context.Background(), &mcp.StdioTransport{})
		os.Exit(0)
	}
	s := earlierServer()
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(web.Close)
	t.Setenv("PARLEY_TEST_SERVE", "1") // for the command, which inherits it
	for name, server := range map[string]string{
		"http":  fmt.Sprintf(`{"url":%q}`, web.URL),
		"stdio": fmt.Sprintf(`{"command":[%q,"-test.run=^TestEarlier$"],"label":"a command"}`, os.Args[0]),
	} {
		t.Run(name, func(t *testing.T) {
			flags := kept(t)
			e := begin(t, flags...)
			call := func() (<-chan reply, ask) {
				_, back := e.request("call", fmt.Sprintf(`{"server":%s,"tool":"greet"}`, server))
				return back, e.ask("ask/elicit")
			}
			back, a := call()
			if a.Message != "What is your name?" {
				t.Errorf("question: got %+v", a)
			}
			e.answer(a, "park", "")
			if again := e.ask("ask/elicit"); again.Ask != a.Ask || !strings.Contains(again.Problem, "cannot be parked") {
				t.Errorf("parked: got %+v, want the question again", again)
			}
			e.answer(a, "accept", `,"values":[{"text":"Ada"}]`)
			if o := e.end(back); o.Text != "accept Ada\n" {
				t.Errorf("outcome: got %+v", o)
			}
			back, a = call()
			e.answer(a, "stop", "")
			if o := e.end(back); o.Status != "stopped" || o.Kept {
				t.Errorf("stopped: got %+v", o)
			}
			if list := e.parked(); len(list) > 0 {
				t.Errorf("list: got %+v", list)
			}
			if name == "stdio" {
				e.notified("server/log", "serving␛[2J")
				return
			}
			call()
			e.in.Close()
			e.gone()
			e = begin(t, flags...)
			if list := e.parked(); len(list) != 1 || !list[0].InDoubt {
				t.Errorf("list: got %+v, want the call in doubt", list)
			}
		})
	}
}
