package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/cache"
)

// hinting is a server whose results may be used again for an hour: lists by
// anybody, resources by who has asked. A resource says what authorization it was
// read with.
type hinting struct {
	url   string
	mu    sync.Mutex
	asked []string // methods
}

func newHinting(t *testing.T) *hinting {
	h := &hinting{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.Number
			Method string
			Params struct{ URI string }
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		h.mu.Lock()
		h.asked = append(h.asked, q.Method)
		h.mu.Unlock()
		result := `"tools":[{"name":"greet","inputSchema":{"type":"object"}}],"cacheScope":"public"`
		if q.Method == "resources/read" {
			result = fmt.Sprintf(`"contents":[{"uri":%q,"text":%q}],"cacheScope":"private"`, q.Params.URI, r.Header.Get("Authorization"))
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete",%s,"ttlMs":3600000}}`, q.ID, result)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

// since returns what was asked since it was called last.
func (h *hinting) since() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

func (h *hinting) want(t *testing.T, what string, methods ...string) {
	t.Helper()
	if got := h.since(); !slices.Equal(got, methods) {
		t.Errorf("%s: the server was asked %v, want %v", what, got, methods)
	}
}

func listTools(t *testing.T, s *parley.Session) {
	t.Helper()
	for tool, err := range s.Tools(t.Context()) {
		if err != nil || tool.Name != "greet" {
			t.Fatalf("got %v, %v", tool, err)
		}
	}
}

// readText reads a resource and returns its text.
func readText(t *testing.T, s *parley.Session) string {
	t.Helper()
	got, err := s.ReadResource(t.Context(), parley.ResourceRead{URI: "file:///a"})
	if err != nil || len(got.Contents) != 1 {
		t.Fatalf("got %v, %v", got, err)
	}
	return got.Contents[0].Text
}

func TestCacheInMemory(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server := newHinting(t)
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{})
		listTools(t, s)
		listTools(t, s)
		server.want(t, "twice", "tools/list")
		readText(t, s)
		readText(t, s)
		server.want(t, "a resource", "resources/read")
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/list"})
		if err != nil || !out.Cached {
			t.Errorf("got %+v, %v, want it from what was kept", out, err)
		}
		saves := 0
		out, err = s.Call(t.Context(), parley.Request{Method: "tools/list", Save: func(context.Context, []byte) error { saves++; return nil }})
		if err != nil || !out.Cached || saves == 0 {
			t.Errorf("with save: got %+v, %v after %d saves", out, err, saves)
		}
		server.want(t, "kept")
		out, err = s.Call(t.Context(), parley.Request{Method: "tools/list", Options: engine.Options{Fresh: true}})
		if err != nil || out.Cached {
			t.Errorf("fresh: got %+v, %v", out, err)
		}
		server.want(t, "fresh", "tools/list")

		s = newSession(t, e, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{Cache: cache.Options{Off: true}})
		listTools(t, s)
		listTools(t, s)
		server.want(t, "off", "tools/list", "tools/list")
	})
}

// Another token may be another account's.
func TestCacheBelongsToTheAuthorization(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server := newHinting(t)
		var token atomic.Value
		token.Store("Bearer a")
		authorization := func(context.Context) (string, error) {
			if token.Load() == "" {
				return "", errors.New("nobody is signed in")
			}
			return token.Load().(string), nil
		}
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.url, Authorization: authorization}, parley.SessionOptions{})
		for _, now := range []string{"Bearer a", "Bearer b", "Bearer a"} {
			token.Store(now)
			for range 2 {
				if got := readText(t, s); got != now {
					t.Errorf("got what was said to %q, want %q", got, now)
				}
			}
			server.want(t, now, "resources/read")
		}
		token.Store("")
		if _, err := s.ReadResource(t.Context(), parley.ResourceRead{URI: "file:///a"}); err == nil {
			t.Error("a private result was used where there is no authorization")
		}
	})
}

// What is public goes to other sessions of the same store and server, what is
// private to none.
func TestCacheShared(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server, other := newHinting(t), newHinting(t)
		var store cache.Memory
		open := func(server *hinting) *parley.Session {
			return newSession(t, e, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{Cache: cache.Options{Store: &store, Server: server.url}})
		}
		s := open(server)
		listTools(t, s)
		readText(t, s)
		listTools(t, s)
		readText(t, s)
		closeAll(t, s)
		server.want(t, "the first", "tools/list", "resources/read")
		s = open(server)
		listTools(t, s)
		readText(t, s)
		server.want(t, "the second", "resources/read")
		listTools(t, open(other))
		other.want(t, "another server", "tools/list")
	})
}

func TestCacheNeedsAName(t *testing.T) {
	for _, opts := range []cache.Options{{Store: &cache.Memory{}}, {Store: &cache.Memory{}, Server: string(make([]byte, 2049))}} {
		if s, err := parley.NewSession(parley.Native{}, &parley.StreamableHTTP{}, parley.SessionOptions{Cache: opts}); err == nil {
			s.Close()
			t.Errorf("%d bytes: accepted", len(opts.Server))
		}
	}
}

// A cursor of a page that was kept may be one that the server does not know any
// more. The loop gets the new list, and nothing twice.
func TestCacheCursorRefused(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		tool := func(name string) string { return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name) }
		page := func(ttl int, cursor string, names ...string) string {
			tools := ""
			for _, name := range names {
				tools += "," + tool(name)
			}
			if cursor != "" {
				cursor = fmt.Sprintf(`"nextCursor":%q,`, cursor)
			}
			return fmt.Sprintf(`"result":{"tools":[%s],%s"ttlMs":%d,"cacheScope":"public"}`, tools[1:], cursor, ttl)
		}
		answers := []string{page(3600000, "old", "a", "b"), page(0, "", "c"), `"error":{"code":-32602,"message":"no such cursor"}`, page(0, "new", "b", "d"), page(0, "", "e")}
		asked := []string{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				ID     json.Number
				Params struct{ Cursor string }
			}
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
				t.Error(err)
			}
			asked = append(asked, q.Params.Cursor)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, answers[0])
			answers = answers[1:]
		}))
		defer server.Close()
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{})
		names := func() (names []string) {
			for tool, err := range s.Tools(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, tool.Name)
			}
			return names
		}
		if got, want := names(), []string{"a", "b", "c"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if got, want := names(), []string{"a", "b", "d", "e"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if want := []string{"", "old", "old", "", "new"}; !slices.Equal(asked, want) {
			t.Errorf("asked for %q, want %q", asked, want)
		}
	})
}

// oddStore is a store that does not do what it should.
type oddStore struct {
	cache.Memory
	get func(context.Context) ([]byte, error)
}

func (o *oddStore) Get(ctx context.Context, _ string) ([]byte, error) { return o.get(ctx) }

func (o *oddStore) Set(context.Context, string, []byte, time.Time) error { panic("set") }

// Whatever becomes of a lookup, the server is asked.
func TestCacheStoreFails(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for name, get := range map[string]func(context.Context) ([]byte, error){
			"fails":   func(context.Context) ([]byte, error) { return []byte("{}"), io.ErrUnexpectedEOF },
			"panics":  func(context.Context) ([]byte, error) { panic("get") },
			"garbage": func(context.Context) ([]byte, error) { return []byte("\xff{"), nil },
			"empty":   func(context.Context) ([]byte, error) { return []byte{}, nil },
			"hangs":   func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() },
		} {
			server := newHinting(t)
			s := newSession(t, e, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{Cache: cache.Options{Store: &oddStore{get: get}, Server: "s"}})
			listTools(t, s)
			server.want(t, name, "tools/list")
			closeAll(t, s)
		}
	})
}

// A call that is given up while the store looks is over at once, and so is a
// session that is closed.
func TestCacheLookupCanceled(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server := newHinting(t)
		looking := make(chan struct{}, 10)
		ended := make(chan struct{}, 10)
		store := &oddStore{get: func(ctx context.Context) ([]byte, error) {
			looking <- struct{}{}
			<-ctx.Done()
			ended <- struct{}{}
			return nil, ctx.Err()
		}}
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.url}, parley.SessionOptions{Cache: cache.Options{Store: store, Server: "s"}})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-looking
			cancel()
		}()
		_, err := s.Call(ctx, parley.Request{Method: "tools/list"})
		wantErr(t, "canceled", err, fault.Canceled)
		<-ended
		go func() {
			<-looking
			s.Close()
		}()
		_, err = s.Call(t.Context(), parley.Request{Method: "tools/list"})
		wantErr(t, "closed", err, parley.ErrSessionClosed)
		<-ended
		server.want(t, "given up")
	})
}
