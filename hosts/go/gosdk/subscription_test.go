package gosdk_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// TestSubscribe subscribes at a server of the official SDK, in each of its eras
// and over each of its transports. Nothing else is done in the session, so
// whatever comes the subscription brought about.
func TestSubscribe(t *testing.T) {
	for name, tt := range map[string]struct {
		version string
		stdio   bool
	}{
		"2026-07-28 http":  {version: "2026-07-28"},
		"2026-07-28 stdio": {version: "2026-07-28", stdio: true},
		"2025-11-25 http":  {version: "2025-11-25"},
		"2025-11-25 stdio": {version: "2025-11-25", stdio: true},
		"either":           {},
	} {
		t.Run(name, func(t *testing.T) {
			taken := make(chan string, 8)
			server := mcp.NewServer(&mcp.Implementation{Name: "watched", Version: "1"}, &mcp.ServerOptions{
				SubscribeHandler:   func(_ context.Context, r *mcp.SubscribeRequest) error { taken <- "+" + r.Params.URI; return nil },
				UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error { taken <- "-" + r.Params.URI; return nil },
			})
			add := func(name string) {
				mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
					return &mcp.CallToolResult{}, nil, nil
				})
			}
			add("first")
			server.AddResource(&mcp.Resource{URI: "file:///a", Name: "a"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{}, nil
			})
			var transport parley.Transport
			var web *httptest.Server
			if tt.stdio {
				transport = parley.InProcess(func(conn io.ReadWriteCloser) { server.Run(t.Context(), &mcp.IOTransport{Reader: conn, Writer: conn}) })
			} else {
				web = served(t, server, tt.version)
				transport = &parley.StreamableHTTP{URL: web.URL}
			}
			told := make(chan any, 64)
			opts := parley.SessionOptions{Watchers: parley.SessionWatchers{
				OnSubscribed: func(a session.Subscribed) { told <- a },
				OnChanged:    func(a session.Changed) { told <- a },
			}}
			if tt.version != "" {
				opts.Versions = []string{tt.version}
			}
			s, err := parley.NewSession(parley.Native{}, transport, opts)
			if err != nil {
				t.Fatal(err)
			}
			want := func(what string, want any) {
				t.Helper()
				if got := <-told; !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: got %#v, want %#v", what, got, want)
				}
			}
			takes := func(want string) {
				t.Helper()
				if got := <-taken; got != want {
					t.Fatalf("the server: got %s, want %s", got, want)
				}
			}
			subscribe := func(f session.Filter) {
				t.Helper()
				if err := s.Subscribe(f); err != nil {
					t.Fatal(err)
				}
			}
			both := session.Filter{ToolsListChanged: true, ResourceSubscriptions: []string{"file:///a"}}
			subscribe(both)
			takes("+file:///a")
			want("both", session.Subscribed{Filter: both})
			add("second")
			want("another tool", session.Changed{Filter: session.Filter{ToolsListChanged: true}})
			if err := server.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "file:///a"}); err != nil {
				t.Fatal(err)
			}
			want("a resource", session.Changed{Filter: session.Filter{ResourceSubscriptions: []string{"file:///a"}}})

			if web != nil && tt.version == "2026-07-28" { // all it had is gone
				web.CloseClientConnections()
				broke := (<-told).(session.Subscribed)
				if broke.Reason == "" || broke.Over || broke.ToolsListChanged {
					t.Errorf("after a break: got %#v", broke)
				}
				want("opened again", session.Subscribed{Filter: both})
				want("what was missed", session.Changed{Filter: both, Missed: true})
				add("third")
				want("a tool after a break", session.Changed{Filter: session.Filter{ToolsListChanged: true}})
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := s.Subscribe(both); err != parley.ErrSessionClosed {
				t.Errorf("after Close: got %v, want %v", err, parley.ErrSessionClosed)
			}
		})
	}
}

// A change of the filter loses the resource and keeps the list, in either era.
func TestSubscribeChanged(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		for _, stdio := range []bool{false, true} {
			name := version + " http"
			if stdio {
				name = version + " stdio"
			}
			t.Run(name, func(t *testing.T) {
				taken := make(chan string, 8)
				server := mcp.NewServer(&mcp.Implementation{Name: "watched", Version: "1"}, &mcp.ServerOptions{
					HasTools:           true,
					SubscribeHandler:   func(_ context.Context, r *mcp.SubscribeRequest) error { taken <- "+" + r.Params.URI; return nil },
					UnsubscribeHandler: func(_ context.Context, r *mcp.UnsubscribeRequest) error { taken <- "-" + r.Params.URI; return nil },
				})
				server.AddResource(&mcp.Resource{URI: "file:///a", Name: "a"}, nil)
				var transport parley.Transport
				if stdio {
					transport = parley.InProcess(func(conn io.ReadWriteCloser) { server.Run(t.Context(), &mcp.IOTransport{Reader: conn, Writer: conn}) })
				} else {
					transport = &parley.StreamableHTTP{URL: served(t, server, version).URL}
				}
				told := make(chan session.Subscribed, 8)
				changed := make(chan session.Changed, 64)
				s, err := parley.NewSession(parley.Native{}, transport, parley.SessionOptions{Versions: []string{version}, Watchers: parley.SessionWatchers{
					OnSubscribed: func(a session.Subscribed) { told <- a },
					OnChanged:    func(a session.Changed) { changed <- a },
				}})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				for i, step := range []struct {
					filter session.Filter
					taken  string
				}{
					{session.Filter{ToolsListChanged: true, ResourceSubscriptions: []string{"file:///a"}}, "+file:///a"},
					{session.Filter{ToolsListChanged: true}, "-file:///a"},
				} {
					if err := s.Subscribe(step.filter); err != nil {
						t.Fatal(err)
					}
					if got := <-taken; got != step.taken {
						t.Errorf("%d: got %s, want %s", i, got, step.taken)
					}
					if got := <-told; !reflect.DeepEqual(got, session.Subscribed{Filter: step.filter}) {
						t.Errorf("%d: got %#v", i, got)
					}
				}
				mcp.AddTool(server, &mcp.Tool{Name: "another"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
					return nil, nil, nil
				})
				for got := range changed { // over stdio something may have been missed
					if !got.Missed {
						if !got.ToolsListChanged {
							t.Errorf("got %#v", got)
						}
						break
					}
				}
			})
		}
	}
}

// served serves over HTTP; at the SDK's newest version it keeps no sessions.
func served(t *testing.T, server *mcp.Server, version string) *httptest.Server {
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: version == "2026-07-28"}))
	t.Cleanup(web.Close)
	return web
}
