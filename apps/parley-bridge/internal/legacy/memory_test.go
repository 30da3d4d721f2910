package legacy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/legacy"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

const mib = 1 << 20

// clients reach sessions over HTTP, at a server of 2026-07-28.
type clients struct {
	t        *testing.T
	sessions *legacy.Sessions
	bound    *memory.Bound
	url      string
}

// newClients has a server answer calls of tools: answer returns the result.
func newClients(t *testing.T, bound *memory.Bound, answer func(m message.Message) string) *clients {
	t.Helper()
	upper := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages, err := message.Parse(body)
		if err != nil {
			t.Error(err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private","capabilities":{"tools":{}}}`
		if messages[0].Method == "tools/call" {
			result = answer(messages[0])
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":`, messages[0].ID)
		io.WriteString(w, result)
		io.WriteString(w, "}")
	}))
	t.Cleanup(upper.Close)
	log := slog.New(slog.DiscardHandler)
	above := &upstream.Server{Server: server.Server{URL: upper.URL, Label: "test"}, Engine: parley.Native{}, Timeout: time.Hour, Log: log}
	c := &clients{t: t, bound: bound, sessions: &legacy.Sessions{
		Options: legacy.Options{Server: above, Log: log, Heartbeat: time.Hour, Memory: bound}, Share: serve.Share{All: 100, Each: 100}, Idle: time.Hour,
	}}
	lower := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet:
			c.sessions.Get(w, r, "")
		case http.MethodDelete:
			c.sessions.Delete(w, r, "")
		default:
			body, _ := io.ReadAll(r.Body)
			messages, err := message.Parse(body)
			if err != nil {
				t.Error(err)
				return
			}
			held := bound.Lease("", len(body))
			defer held.Drop()
			for i := range messages {
				messages[i].Held = held
			}
			c.sessions.Post(w, r, messages, "")
		}
	}))
	t.Cleanup(lower.Close)
	t.Cleanup(c.sessions.Close)
	c.url = lower.URL
	return c
}

// do sends a request; its response's body ends with ctx.
func (c *clients) do(ctx context.Context, method, body string, headers ...string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	return res
}

// begin begins a session.
func (c *clients) begin(capabilities string) (session string) {
	c.t.Helper()
	res := c.do(c.t.Context(), "POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`}}`)
	io.Copy(io.Discard, res.Body)
	if session = res.Header.Get("Mcp-Session-Id"); session == "" {
		c.t.Fatalf("got no session, %d", res.StatusCode)
	}
	return session
}

// next is the next message on a stream and its event's id, "" at its end.
func next(lines *bufio.Reader) (id, data string) {
	for {
		line, err := lines.ReadString('\n')
		name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch {
		case err != nil:
			return "", ""
		case name == "id":
			id = value
		case name == "data" && value != "":
			return id, value
		}
	}
}

// heap is what is reachable, in bytes.
func heap() int {
	http.DefaultClient.CloseIdleConnections()
	var stats runtime.MemStats
	for range 3 { // pools are emptied by the second
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

// until waits until something is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for late := time.Now().Add(2 * time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("never: %s", what)
		}
	}
}

// TestHangUp has 25 sessions make four calls each and hang up before the long results
// come: together they are bounded, the heap is what is counted, and a question that was
// open all the while is answered. Once the sessions end nothing is held.
func TestHangUp(t *testing.T) {
	const sessions, calls, size, most = 25, 4, 4 * mib, 48 * mib
	bound := &memory.Bound{Bytes: serve.Share{All: most, Each: most}}
	var called sync.WaitGroup
	called.Add(sessions * calls)
	var one sync.Mutex // so that one result at a time arrives
	one.Lock()
	result := `{"resultType":"complete","content":[{"type":"text","text":"` + strings.Repeat("A", size) + `"}]}`
	c := newClients(t, bound, func(m message.Message) string {
		switch answers := message.Get(m.Params, "inputResponses"); {
		case message.Text(m.Params, "name") == "ask" && answers == nil:
			return `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"` + strings.Repeat("?", 1000) + `","requestedSchema":{"type":"object","properties":{}}}}}}`
		case answers != nil:
			return `{"resultType":"complete","content":[],"was":` + string(message.Get(answers, "q", "action")) + `}`
		}
		called.Done()
		one.Lock()
		defer one.Unlock()
		return result
	})
	ctx, hangUp := context.WithCancel(t.Context())
	asked := c.begin(`{"elicitation":{}}`)
	asking := bufio.NewReader(c.do(ctx, "POST", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"ask"}}`, "Mcp-Session-Id", asked).Body)
	if _, text := next(asking); message.Text([]byte(text), "method") != "elicitation/create" {
		t.Fatalf("got %s, want a question", text)
	}
	var all []string
	for i := range sessions {
		all = append(all, c.begin("{}"))
		for j := range calls {
			c.do(ctx, "POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","method":"tools/call","params":{"name":"long"}}`, i, j), "Mcp-Session-Id", all[i])
		}
	}
	called.Wait()
	hangUp()
	before, counted := heap(), bound.Held()
	one.Unlock()
	until(t, "all calls but the one that asks have ended", func() bool { _, n := c.sessions.Running(); return n == 1 })
	after, held := heap(), bound.Held()
	t.Logf("counted %d bytes, then %d; the heap %d, then %d", counted, held, before, after)
	if held > most || held < most-2*size {
		t.Errorf("%d bytes are held, want nearly %d", held, most)
	}
	if grown := after - before; grown < held*9/10 || grown > held*11/10+4*mib {
		t.Errorf("the heap has grown by %d bytes, want about the %d that are counted", grown, held)
	}

	// The newest results are kept, and what became of the oldest is told.
	last := 0
	for _, session := range all {
		for stream := 1; stream <= calls; stream++ {
			res := c.do(t.Context(), "GET", "", "Mcp-Session-Id", session, "Last-Event-ID", fmt.Sprintf("%d-0", stream))
			_, text := next(bufio.NewReader(res.Body))
			switch {
			case len(text) > size:
				last++
			case message.Get([]byte(text), "id") == nil || !strings.Contains(text, "look before you ask again"):
				t.Fatalf("got %d %.200s", res.StatusCode, text)
			}
			res.Body.Close()
		}
	}
	if last < most/size-2 {
		t.Errorf("got %d results whole, want as many as there is room for", last)
	}

	// The question is there, and its answer reaches the server.
	again := bufio.NewReader(c.do(t.Context(), "GET", "", "Mcp-Session-Id", asked, "Last-Event-ID", "1-0").Body)
	_, question := next(again)
	if message.Text([]byte(question), "method") != "elicitation/create" {
		t.Fatalf("got %s, want that the question stayed", question)
	}
	res := c.do(t.Context(), "POST", `{"jsonrpc":"2.0","id":`+string(message.Get([]byte(question), "id"))+`,"result":{"action":"decline"}}`, "Mcp-Session-Id", asked)
	if res.StatusCode != http.StatusAccepted {
		t.Errorf("the answer: got %d, want 202", res.StatusCode)
	}
	if _, text := next(again); !strings.Contains(text, `"was":"decline"`) {
		t.Errorf("got %s, want the result", text)
	}

	for _, session := range append(all, asked) {
		c.do(t.Context(), "DELETE", "", "Mcp-Session-Id", session)
	}
	until(t, "nothing is held", func() bool { return bound.Held() == 0 })
	if end := heap(); end > before+4*mib {
		t.Errorf("at the end the heap is %d bytes, %d before", end, before)
	}
}
