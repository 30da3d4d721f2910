package modern_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/modern"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

// TestHeld has calls of every end: answered, waiting, left by their clients, refused.
// What waits is counted, and once the service has ended nothing is held.
func TestHeld(t *testing.T) {
	upper := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages, err := message.Parse(body)
		if err != nil {
			t.Error(err)
			return
		}
		result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private","capabilities":{"tools":{}},"content":[],"tools":[]}`
		if messages[0].Method == "tools/call" && message.Get(messages[0].Params, "inputResponses") == nil {
			result = `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"roots/list"}}}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, messages[0].ID, result)
	}))
	defer upper.Close()
	bound := &memory.Bound{Bytes: serve.Share{All: 1 << 20, Each: 1 << 20}}
	log, share := slog.New(slog.DiscardHandler), serve.Share{All: 3, Each: 3}
	service, err := modern.New(modern.Options{
		Server: &upstream.Server{Server: server.Server{URL: upper.URL, Label: "test"}, Engine: parley.Native{}, Timeout: time.Hour, Log: log},
		Log:    log, Hold: time.Hour, Held: share, Conns: share, Idle: time.Hour, Memory: bound,
	})
	if err != nil {
		t.Fatal(err)
	}
	post := func(ctx context.Context, method, more string) []byte {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"t",` + more +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`
		messages, err := message.Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		messages[0].Held = bound.Lease("", len(body))
		defer messages[0].Held.Drop()
		r := httptest.NewRequestWithContext(ctx, "POST", "/mcp", nil)
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		r.Header.Set("Mcp-Name", "t")
		w := httptest.NewRecorder()
		service.Post(w, r, messages[0], "")
		return w.Body.Bytes()
	}
	long := `"arguments":{"a":"` + strings.Repeat("A", 100<<10) + `"},`
	var states []string
	for range 3 {
		text := post(t.Context(), "tools/call", long)
		states = append(states, string(message.Get(text, "result", "requestState")))
		if states[len(states)-1] == "" {
			t.Fatalf("got %s, want a question", text)
		}
	}
	if held := bound.Held(); held < 300<<10 || held > 320<<10 {
		t.Errorf("%d bytes are held of three calls that wait, want about 300 KiB", held)
	}
	if text := post(t.Context(), "tools/call", ""); message.Get(text, "error") == nil {
		t.Errorf("one too many: got %s", text)
	}
	if text := post(t.Context(), "tools/call", long+`"requestState":`+states[0]+`,"inputResponses":{"q1":{"roots":[]}},`); message.Get(text, "result", "content") == nil {
		t.Errorf("an answer: got %s", text)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	post(gone, "tools/call", long)
	post(t.Context(), "tools/list", "")
	post(t.Context(), "tools/call", `"requestState":"none",`)
	service.Close()
	for late := time.Now().Add(2 * time.Minute); bound.Held() != 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("at the end %d bytes are held", bound.Held())
		}
	}
}
