package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// earlier is a server of an earlier era, on the official Go SDK: it asks by
// requests of its own, while tools/call is open.
type earlier struct {
	mu    sync.Mutex
	heard []string // HTTP methods and protocol versions
}

func (e *earlier) start(t *testing.T, version string) (url string) {
	server := mcp.NewServer(&mcp.Implementation{Name: "earlier", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	server.AddTool(&mcp.Tool{Name: "plan", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		form, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who travels?", RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
		}})
		if err != nil {
			return nil, err
		}
		if form.Action != "accept" {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: form.Action}}}, nil
		}
		sampled, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "What is worth seeing?"}},
		}})
		if err != nil {
			return nil, err
		}
		roots, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, err
		}
		text := form.Content["name"].(string) + " sees " + sampled.Content.(*mcp.TextContent).Text + " at " + roots.Roots[0].URI
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.heard = append(e.heard, strings.TrimSpace(r.Method+" "+r.Header.Get("Mcp-Protocol-Version")))
		e.mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front.URL
}

// take is what was heard since it was called last.
func (e *earlier) take() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	heard := strings.Join(e.heard, ", ")
	e.heard = nil
	return heard
}

// Each program answers a server of an earlier era, which asks in mid-stream, and
// ends its session.
func TestEarlierEras(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2025-06-18"} {
		var server earlier
		url := server.start(t, version)
		for name, start := range programs(t) {
			t.Run(version+" "+name, func(t *testing.T) {
				p := start(t)
				server.take()
				shown, ok := p.run(t, "zoe\nMuseums.\n\n", url, "plan")
				for _, want := range []string{"Who travels?", "user: What is worth seeing?", "folders", "zoe sees Museums. at file:///"} {
					if !ok || !strings.Contains(shown, want) {
						t.Errorf("it ended well: %v, and showed\n%s\nwithout %q", ok, shown, want)
					}
				}
				if heard := server.take(); !strings.Contains(heard, "POST "+version) || !strings.Contains(heard, "DELETE "+version) {
					t.Errorf("the server heard %s", heard)
				}
				if shown, ok := p.run(t, "/decline\n", url, "plan"); !ok || !strings.Contains(shown, "\ndecline") {
					t.Errorf("declining: it ended well %v, and showed\n%s", ok, shown)
				}
				if shown, ok := p.run(t, "/stop\n", url, "plan"); ok || !strings.Contains(shown, "the caller gave up") {
					t.Errorf("stopping: it ended well %v, and showed\n%s", ok, shown)
				}
				// Nobody is there: the server waits for the answer, so it cannot be parked.
				if shown, ok := p.run(t, "", url, "plan"); ok || !strings.Contains(shown, "cannot be parked now") || !strings.Contains(shown, "the caller gave up") {
					t.Errorf("with nobody there it ended well %v, and showed\n%s", ok, shown)
				}
			})
		}
	}
}

// A server that is killed in the middle of a call: it may have done something,
// and each program says so.
func TestKilled(t *testing.T) {
	for name, start := range programs(t) {
		t.Run(name, func(t *testing.T) {
			p := start(t)
			called := 0
			var front *httptest.Server
			front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				called++
				w.Header().Set("Content-Type", "text/event-stream")
				w.Write([]byte(": here\n\n"))
				http.NewResponseController(w).Flush()
				go front.CloseClientConnections()
				<-r.Context().Done()
			}))
			t.Cleanup(front.Close)
			shown, ok := p.run(t, "", front.URL, "t")
			if ok || !strings.Contains(shown, "it cannot be told whether the tool has run") || !strings.Contains(shown, "Kept in parked.json") {
				t.Errorf("it ended well: %v, and showed\n%s", ok, shown)
			}
			if called != 1 {
				t.Errorf("it called %d times, want once", called)
			}
			front.Close()
			if shown, ok := p.run(t, "", front.URL, "t"); ok || !strings.Contains(shown, "it was not carried out") {
				t.Errorf("a server that is not there: it ended well %v, and showed\n%s", ok, shown)
			}
		})
	}
}
