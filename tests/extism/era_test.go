package extism_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// eraServer is a server of an earlier era, on the official Go SDK, over
// Streamable HTTP: it asks in mid-stream, while tools/call is open.
type eraServer struct {
	*httptest.Server
	greeted atomic.Int32
	slow    atomic.Int32 // calls of the tool slow
	stopped chan struct{}
	deleted atomic.Int32
}

func newEraServer(t *testing.T, version string) *eraServer {
	s := &eraServer{stopped: make(chan struct{}, 10)}
	server := mcp.NewServer(&mcp.Implementation{Name: "earlier", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	tool := func(name string, f func(ctx context.Context, req *mcp.CallToolRequest) (string, error)) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, err := f(ctx, req)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	}
	elicit := func(ctx context.Context, ss *mcp.ServerSession, message string) (string, error) {
		result, err := ss.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: map[string]any{
			"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
		}})
		if err != nil {
			return "", err
		}
		name, _ := result.Content["name"].(string)
		return result.Action + " " + name, nil
	}
	tool("ask", func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		return elicit(ctx, req.Session, "Who?")
	})
	tool("everything", func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		said, err := elicit(ctx, req.Session, "Who?")
		if err != nil {
			return "", err
		}
		sampled, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Where to?"}}}})
		if err != nil {
			return "", err
		}
		roots, err := req.Session.ListRoots(ctx, nil)
		if err != nil {
			return "", err
		}
		return said + ", " + sampled.Content.(*mcp.TextContent).Text + " " + roots.Roots[0].Name, nil
	})
	tool("slow", func(ctx context.Context, req *mcp.CallToolRequest) (string, error) {
		s.slow.Add(1)
		req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: 1})
		<-ctx.Done()
		s.stopped <- struct{}{}
		return "", ctx.Err()
	})
	streamable := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "initialize" {
				s.greeted.Add(1)
			}
			return next(ctx, method, req)
		}
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			s.deleted.Add(1)
		}
		streamable.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func callTool(name string, options ...any) []byte {
	return object("now", now(), "method", "tools/call", "params", `{"name":"`+name+`","arguments":{}}`, "options", json.RawMessage(object(options...)))
}

var eraCan = map[string]bool{"form": true, "sampling": true, "roots": true}

// TestEarlierEra makes calls to servers that ask by requests of their own, in
// mid-stream. What the session agreed on stays for the next call.
func TestEarlierEra(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			each(t, nil, func(t *testing.T, h host) {
				server := newEraServer(t, version)
				p := &person{t: t, network: newNetwork(t, server.URL)}
				if got := string(h.call(t, "session", object("can", eraCan, "clientInfo", `{"name":"test","version":"1"}`), nil)); got != "{}" {
					t.Fatalf("session: got %s", got)
				}
				compare(t, h.call(t, "call", callTool("ask"), p.answer), `{"type":"done","result":"{\"content\":[{\"type\":\"text\",\"text\":\"accept zoe\"}]}"}`)
				compare(t, h.call(t, "call", callTool("everything"), p.answer), `{"type":"done","result":"{\"content\":[{\"type\":\"text\",\"text\":\"accept zoe, Museums. trips\"}]}"}`)
				if got := strings.Join(p.asked, " "); got != "elicit elicit sample list_roots" {
					t.Errorf("it asked %s", got)
				}
				if n := server.greeted.Load(); n != 1 || !slices.Contains(p.news, "ready "+version) {
					t.Errorf("the server was greeted %d times, want once; the news were %v", n, p.news)
				}
				if got := string(h.call(t, "close", object("now", now()), p.answer)); got != "{}" || server.deleted.Load() != 1 {
					t.Errorf("close: got %s, and %d DELETE", got, server.deleted.Load())
				}
			})
		})
	}
}

// instead is a host that answers one callback in its own way.
func instead(p *person, callback string, answer func(text []byte) []byte) func(string, []byte) []byte {
	return func(name string, text []byte) []byte {
		if name == callback {
			if said := answer(text); said != nil {
				return said
			}
		}
		return p.answer(name, text)
	}
}

// TestEarlierEraFails has calls at a live server end in other ways.
func TestEarlierEraFails(t *testing.T) {
	each(t, nil, func(t *testing.T, h host) {
		// started says that the tool has begun, of which the host is told.
		started := func(text []byte) bool { return strings.Contains(string(text), `"type":"progress"`) }
		t.Run("cancel", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h, "can", eraCan)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			outcome := h.call(t, "call", callTool("slow"), instead(p, "receive", func(text []byte) []byte {
				if started(text) {
					return object("now", now(), "type", "cancel")
				}
				return nil
			}))
			compare(t, outcome, `{"type":"failed","code":14,"resumable":true}`)
			<-server.stopped // it was told
			compare(t, h.call(t, "call", callTool("ask"), p.answer), `{"type":"done"}`)
		})
		t.Run("no answer in time", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h, "can", eraCan)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			outcome := h.call(t, "call", callTool("slow", "legTimeout", 300), p.answer)
			compare(t, outcome, `{"type":"failed","code":12,"resumable":true,"detail":"no answer within 300 ms (legTimeout)"}`)
			<-server.stopped
		})
		t.Run("dies midway", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h, "can", eraCan)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			var once sync.Once
			outcome := h.call(t, "call", callTool("slow"), instead(p, "receive", func(text []byte) []byte {
				if started(text) {
					once.Do(server.CloseClientConnections)
				}
				return nil
			}))
			compare(t, outcome, `{"type":"failed","code":16,"resumable":true}`)
			snapshot := members(t, outcome)["snapshot"]
			compare(t, h.call(t, "resume", object("now", now(), "snapshot", snapshot), p.answer), `{"type":"failed","code":16}`)
			if n := server.slow.Load(); n != 1 {
				t.Errorf("the tool was called %d times, want once", n)
			}
			again := h.call(t, "resume", object("now", now(), "snapshot", snapshot, "resend", true), instead(p, "receive", func(text []byte) []byte {
				if server.slow.Load() == 2 {
					return object("now", now(), "type", "cancel")
				}
				return nil
			}))
			compare(t, again, `{"type":"failed","code":14}`)
		})
		t.Run("dies while it asks", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h, "can", eraCan)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			outcome := h.call(t, "call", callTool("ask"), instead(p, "elicit", func([]byte) []byte {
				server.CloseClientConnections()
				server.Listener.Close()
				return nil
			}))
			compare(t, outcome, `{"type":"failed","code":16,"resumable":true}`)
		})
		t.Run("is not there", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h, "can", eraCan)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			compare(t, h.call(t, "call", callTool("ask"), p.answer), `{"type":"done"}`)
			server.Listener.Close()
			server.CloseClientConnections()
			p.network.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // one that is closed already would leave a doubt
			outcome := h.call(t, "call", callTool("ask"), p.answer)
			compare(t, outcome, `{"type":"failed","code":11,"resumable":true}`)
		})
		t.Run("is asked what it did not agree to", func(t *testing.T) {
			server := newEraServer(t, "2025-11-25")
			begin(t, h)
			p := &person{t: t, network: newNetwork(t, server.URL)}
			outcome := h.call(t, "call", callTool("ask"), p.answer)
			if len(p.asked) != 0 || strings.Contains(string(outcome), "accept") {
				t.Errorf("it asked %v, and the outcome is %s", p.asked, outcome)
			}
		})
	})
}
