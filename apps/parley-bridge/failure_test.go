package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// TestStatuses has a server that answers a tool call with an HTTP status and
// nothing else: the client is told whether the tool may have run, and what can
// be done.
func TestStatuses(t *testing.T) {
	tests := map[int]string{
		401: "parley-bridge: somebody has to sign in to the server, and this client cannot open pages (elicitation in url mode): run  parley login SERVER",
		429: "parley-bridge: the server answered with HTTP status 429 Too Many Requests (the server has had too many requests: wait a while, then try again)",
		502: "parley-bridge: the server answered with HTTP status 502 Bad Gateway (a proxy in front of the server gets no answer from it) (the tool may have run or not: see whether it has before calling it again)",
	}
	for status, want := range tests {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			url := scripted(t, func(m message.Message, w http.ResponseWriter, _ *http.Request) string {
				if m.Method == "tools/list" {
					return `{"resultType":"complete","tools":[]}`
				}
				w.WriteHeader(status)
				return ""
			})
			c := &client{t, listen(t, url), map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
			_, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{},
				"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
			want := strings.ReplaceAll(want, "SERVER", url)
			if !strings.Contains(text, `"message":"`+want+`"`) {
				t.Errorf("got %s, want %s", text, want)
			}
		})
	}
}
