package gosdk_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// hinting is a server on the Go SDK that lets lists be used again by anybody and
// resources by who has read them, for an hour. It counts what it is asked.
type hinting struct {
	*mcp.Server
	mu    sync.Mutex
	asked map[string]int
}

func newHinting() *hinting {
	h := &hinting{asked: map[string]int{}}
	h.Server = mcp.NewServer(&mcp.Implementation{Name: "hinting", Version: "1"}, &mcp.ServerOptions{
		PageSize: 2,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs = 3_600_000
		},
	})
	h.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			h.mu.Lock()
			h.asked[method]++
			h.mu.Unlock()
			return next(ctx, method, req)
		}
	})
	for _, name := range []string{"a", "b", "c"} {
		h.addTool(name)
	}
	h.AddResource(&mcp.Resource{URI: "file:///a", Name: "a"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Cacheable: mcp.Cacheable{CacheScope: "private"}, Contents: []*mcp.ResourceContents{{URI: "file:///a", Text: "x"}}}, nil
	})
	return h
}

func (h *hinting) addTool(name string) {
	h.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return said("%s", name), nil
	})
}

// want checks how often the server was asked so far.
func (h *hinting) want(t *testing.T, method string, times int) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if got := h.asked[method]; got != times {
		t.Errorf("%s: the server was asked %d times, want %d", method, got, times)
	}
}

// hinted runs a test with both makes of the engine, over HTTP and as over
// stdio.
func hinted(t *testing.T, test func(t *testing.T, e parley.Engine, server *hinting, transport parley.Transport)) {
	engines(t, func(t *testing.T, e parley.Engine) {
		t.Run("http", func(t *testing.T) {
			h := newHinting()
			listener := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return h.Server }, &mcp.StreamableHTTPOptions{Stateless: true}))
			t.Cleanup(listener.Close)
			test(t, e, h, &parley.StreamableHTTP{URL: listener.URL})
		})
		t.Run("lines", func(t *testing.T) {
			h := newHinting()
			test(t, e, h, parley.InProcess(func(conn io.ReadWriteCloser) {
				h.Run(context.Background(), &mcp.IOTransport{Reader: conn, Writer: conn})
			}))
		})
	})
}

func toolNames(t *testing.T, s *parley.Session) string {
	t.Helper()
	var names []string
	for tool, err := range s.Tools(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// A list of two pages and a resource are asked for once, until the server says
// that the list has changed.
func TestCached(t *testing.T) {
	hinted(t, func(t *testing.T, e parley.Engine, h *hinting, transport parley.Transport) {
		subscribed, changed := make(chan session.Subscribed, 10), make(chan session.Changed, 10)
		s := newSession(t, e, transport, parley.SessionOptions{Watchers: parley.SessionWatchers{
			OnSubscribed: func(told session.Subscribed) { subscribed <- told },
			OnChanged:    func(told session.Changed) { changed <- told },
		}})
		for range 3 {
			if got := toolNames(t, s); got != "a b c" {
				t.Fatalf("got %s", got)
			}
			if _, err := s.ReadResource(t.Context(), parley.ResourceRead{URI: "file:///a"}); err != nil {
				t.Fatal(err)
			}
		}
		h.want(t, "tools/list", 2)
		h.want(t, "resources/read", 1)

		if err := s.Subscribe(session.Filter{ToolsListChanged: true}); err != nil {
			t.Fatal(err)
		}
		if told := <-subscribed; !told.ToolsListChanged {
			t.Fatalf("got %+v", told)
		}
		h.addTool("d")
		if told := <-changed; !told.ToolsListChanged {
			t.Fatalf("got %+v", told)
		}
		for range 2 {
			if got := toolNames(t, s); got != "a b c d" {
				t.Errorf("after the change: got %s", got)
			}
		}
		h.want(t, "tools/list", 4)
		h.want(t, "resources/read", 1)
	})
}

// A server of the SDK that says nothing of time is asked each time.
func TestNotCachedWithoutTime(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, parley.InProcess(newPeer(false).serve), parley.SessionOptions{})
		for range 2 {
			out, err := s.Call(t.Context(), parley.Request{Method: "tools/list"})
			if err != nil || out.Cached {
				t.Errorf("got %v, %v", out.Cached, err)
			}
		}
	})
}
