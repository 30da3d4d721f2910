package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// optedIn is a server of the C# SDK's own version within initialize, which asks
// by a result of the proposal SEP-2322 in that SDK's spelling.
func optedIn(t *testing.T, version string) (url string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if r.Method != http.MethodPost || json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `{"tools":[]}`
		switch {
		case m.Method == "initialize" && message.Text(m.Params, "protocolVersion") == version:
			w.Header().Set("Mcp-Session-Id", "s")
			result = `{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case r.Header.Get("MCP-Protocol-Version") != version:
			http.Error(w, "not a version of this server", http.StatusBadRequest)
			return
		case m.Method == "tools/call" && message.Get(m.Params, "inputResponses") == nil:
			result = `{"result_type":"incomplete","requestState":"st","inputRequests":{"q":{"method":"elicitation/create",
				"params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}}}`
		case m.Method == "tools/call":
			result = fmt.Sprintf(`{"content":[],"was":%s,"of":%s}`, message.Get(m.Params, "inputResponses", "q", "action"), message.Get(m.Params, "requestState"))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// TestDialect has clients of both eras use a server of a proposal, which only
// the flags tell.
func TestDialect(t *testing.T) {
	url := listen(t, "--dialect", "SEP-2322", "--protocol-version", "2026-06-XX", "--protocol-version", "2025-11-25", optedIn(t, "2026-06-XX"))
	const done = `"was":"decline","of":"st"`

	c := begin(t, url, `{"elicitation":{}}`)
	next := events(c.do("POST", call))
	question := next().data
	if got := message.Text([]byte(question), "params", "message"); got != "Sure?" {
		t.Fatalf("2025: got %s, want the question", question)
	}
	c.text("POST", `{"jsonrpc":"2.0","id":`+string(message.Get([]byte(question), "id"))+`,"result":{"action":"decline"}}`)
	if got := next().data; !strings.Contains(got, done) {
		t.Errorf("2025: got %s, want %s", got, done)
	}

	c = &client{t: t, url: url, headers: map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "t"}}
	ask := func(more string) string {
		_, text := c.text("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t",`+more+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`)
		return text
	}
	text := ask("")
	state := string(message.Get([]byte(text), "result", "requestState"))
	if state == "" || !strings.Contains(text, "Sure?") {
		t.Fatalf("2026: got %s, want the question", text)
	}
	if text := ask(`"requestState":` + state + `,"inputResponses":{"q1":{"action":"decline"}},`); !strings.Contains(text, done) {
		t.Errorf("2026: got %s, want %s", text, done)
	}
}
