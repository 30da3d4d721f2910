package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// TestAgainstTheOfficialSDK calls a server on the official Go SDK over real
// HTTP: tools, a prompt and a resource, all three kinds of question, several
// rounds, waits, and both forms of HTTP answer.
func TestAgainstTheOfficialSDK(t *testing.T) {
	answers := map[string]string{
		"units":       `{"action":"accept","content":{"units":"imperial"}}`,
		"resolution":  `{"action":"accept","content":{"resolution":"Duplicate"}}`,
		"duplicate":   `{"action":"accept","content":{"original_id":4242,"comment":"same crash"}}`,
		"confirm":     `{"action":"accept","content":{"confirm":true,"disks":2,"tags":["dev"]}}`,
		"preferences": `{"action":"accept","content":{"start":"2026-12-01","days":3,"pace":"busy"}}`,
		"review":      `{"action":"accept","content":{"language":"Go","focus":"security"}}`,
		"quarter":     `{"action":"accept","content":{"quarter":"Q3"}}`,
	}
	tests := map[string]struct {
		method, params string
		want           string // is part of the result
		legs           int
	}{
		"form":            {"tools/call", `{"name":"get_weather","arguments":{"location":"Oslo"}}`, "°F", 2},
		"two rounds":      {"tools/call", `{"name":"update_work_item","arguments":{"id":4711,"state":"Resolved"}}`, "4242", 3},
		"no round":        {"tools/call", `{"name":"update_work_item","arguments":{"id":4711,"state":"Active"}}`, "4711", 1},
		"typed form":      {"tools/call", `{"name":"provision_vm","arguments":{"size":"small"}}`, "small", 2},
		"sampling":        {"tools/call", `{"name":"summarise","arguments":{"text":"long"}}`, "a model said this", 2},
		"roots":           {"tools/call", `{"name":"list_files","arguments":{}}`, "file:///srv/project", 2},
		"three kinds":     {"tools/call", `{"name":"plan_trip","arguments":{"destination":"Rome"}}`, "Rome", 2},
		"waits":           {"tools/call", `{"name":"busy_report","arguments":{"waits":4}}`, `"content"`, 5},
		"prompt":          {"prompts/get", `{"name":"code_review","arguments":{"code":"x := 1"}}`, "security", 2},
		"resource":        {"resources/read", `{"uri":"parley://report/quarterly"}`, "Q3", 2},
		"unrelated, flat": {"tools/list", `{}`, "get_weather", 1},
	}
	for form, asJSON := range map[string]bool{"sse": false, "json": true} {
		t.Run(form, func(t *testing.T) {
			server := httptest.NewServer(stories.Handler(stories.Options{JSON: asJSON, Logger: slog.New(slog.DiscardHandler)}))
			t.Cleanup(server.Close)
			client := &parley.HTTP{URL: server.URL, Client: server.Client(), ClientInfo: parley.Implementation{Name: "parley-test", Version: "0"}}
			engines(t, func(t *testing.T, e parley.Engine) {
				for name, tt := range tests {
					t.Run(name, func(t *testing.T) {
						legs := 0
						out, err := parley.Call(t.Context(), e, tt.method, []byte(tt.params), engine.Options{}, parley.Callbacks{
							Send: func(ctx context.Context, r parley.Request) ([]byte, error) {
								legs = r.Leg
								return client.Send(ctx, r)
							},
							Elicit: func(_ context.Context, a parley.Question) ([]byte, error) {
								answer, ok := answers[a.Key]
								if !ok {
									return nil, fmt.Errorf("unexpected question %q", a.Key)
								}
								return []byte(answer), nil
							},
							Sample: func(context.Context, parley.Question) ([]byte, error) {
								return []byte(`{"role":"assistant","content":{"type":"text","text":"a model said this"},"model":"m"}`), nil
							},
							ListRoots: func(context.Context, parley.Question) ([]byte, error) {
								return []byte(`{"roots":[{"uri":"file:///srv/project","name":"project"}]}`), nil
							},
						})
						if err != nil {
							t.Fatal(err)
						}
						if !strings.Contains(string(out.Result), tt.want) {
							t.Errorf("result: got %s, want it to contain %q", out.Result, tt.want)
						}
						if legs != tt.legs {
							t.Errorf("legs: got %d, want %d", legs, tt.legs)
						}
					})
				}
			})
		})
	}
}

// The server must see the same question answered for its arguments only: a
// state moved to another call is refused with -32602, which is not resumable.
func TestForgedStateIsNotResumable(t *testing.T) {
	server := httptest.NewServer(stories.Handler(stories.Options{Logger: slog.New(slog.DiscardHandler)}))
	defer server.Close()
	client := &parley.HTTP{URL: server.URL, ClientInfo: parley.Implementation{Name: "parley-test", Version: "0"}}
	_, err := parley.Call(t.Context(), parley.Native{}, "tools/call",
		[]byte(`{"name":"get_weather","arguments":{"location":"Oslo"},"requestState":"forged"}`),
		engine.Options{}, parley.Callbacks{Send: client.Send, Elicit: decline})
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.Code != engine.ErrState || failed.Resumable {
		t.Fatalf("got %v", err)
	}
}

// TestHTTPAnswers holds the transport against answers that are odd but
// allowed, and against those that are not.
func TestHTTPAnswers(t *testing.T) {
	const ok = `{"jsonrpc":"2.0","id":1,"result":{}}`
	note := "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress\":1}}\n\n"
	tests := map[string]struct {
		status int
		kind   string
		body   string
		want   string // the body, or part of the error
		notes  int
	}{
		"json":                      {200, "application/json", ok, ok, 0},
		"json with charset":         {200, "application/json; charset=utf-8", ok, ok, 0},
		"stream":                    {200, "text/event-stream", "data: " + ok + "\n\n", ok, 0},
		"stream with progress":      {200, "text/event-stream; charset=utf-8", note + ": comment\n\n" + note + "data: " + ok + "\n\n", ok, 2},
		"stream, two data lines":    {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{}}\r\n\r\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\n\"result\":{}}", 0},
		"stream, other event":       {200, "text/event-stream", "event: ping\ndata: x\n\ndata: " + ok + "\n\n", ok, 0},
		"stream cut short":          {200, "text/event-stream", note, "ended before the response", 1},
		"stream of nonsense":        {200, "text/event-stream", "data: nonsense\n\n", "no JSON-RPC message", 0},
		"stream, other id":          {200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n", "ended before the response", 0},
		"stream too long":           {200, "text/event-stream", "data: " + strings.Repeat("x", 5000) + "\n\n", "", 0},
		"error with 400":            {400, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`, 0},
		"error without id with 403": {403, "application/json", `{"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"x"}}`, 0},
		"401":                       {401, "text/plain", "no", "HTTP status 401", 0},
		"404 page":                  {404, "text/html", "<html>", "is this the server's MCP endpoint?", 0},
		"502 with a stream":         {502, "text/event-stream", "data: x\n\n", "HTTP status 502", 0},
		"nonsense":                  {200, "application/json", "nonsense", "no JSON-RPC response", 0},
		"other id":                  {200, "application/json", `{"jsonrpc":"2.0","id":9,"result":{}}`, "not the response to this request", 0},
		"too long":                  {200, "application/json", strings.Repeat(" ", 5000) + ok, "longer than 4096 bytes", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			}))
			defer server.Close()
			notes := 0
			client := &parley.HTTP{URL: server.URL, MaxResponse: 4096, OnNotification: func(method string, params []byte) {
				notes++
				if method != "notifications/progress" || string(params) != `{"progress":1}` {
					t.Errorf("notification: got %s %s", method, params)
				}
			}}
			got, err := client.Send(t.Context(), parley.Request{Leg: 1, Method: "tools/call"})
			if err != nil {
				if tt.want == ok || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got error %v, want %q", err, tt.want)
				}
			} else if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if notes != tt.notes {
				t.Errorf("notifications: got %d, want %d", notes, tt.notes)
			}
		})
	}
}

func TestHTTPRedirects(t *testing.T) {
	checkRedirects(t, func(t *testing.T, url string, client *http.Client) int {
		_, err := (&parley.HTTP{URL: url, Client: client}).Send(t.Context(), parley.Request{Leg: 1, Method: "tools/call"})
		if err == nil {
			t.Fatal("got no error")
		}
		var status *parley.StatusError
		if errors.As(err, &status) {
			return status.Code
		}
		return http.StatusAccepted // which is no JSON-RPC response
	})
}

// Where nothing listens, nothing was sent: a tool call is not in doubt.
func TestHTTPUnsent(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	client := &parley.HTTP{URL: server.URL}
	_, err := parley.Call(t.Context(), parley.Native{}, "tools/call", nil, engine.Options{}, parley.Callbacks{Send: client.Send})
	if !errors.Is(err, engine.ErrLost) || !errors.Is(err, parley.ErrUnsent) {
		t.Errorf("got %v, want ErrLost because of ErrUnsent", err)
	}
}

// Progress of the request gives its leg time, and goes to the host.
func TestHTTPProgress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			ID     int
			Params struct {
				Meta struct {
					Token json.RawMessage `json:"progressToken"`
				} `json:"_meta"`
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Params.Meta.Token) == 0 {
			t.Errorf("no progressToken: %+v, %v", body, err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for n := range 6 {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}\n\n", body.Params.Meta.Token, n)
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n", body.ID)
	}))
	defer server.Close()
	seen := 0
	client := &parley.HTTP{URL: server.URL}
	_, err := parley.Call(t.Context(), parley.Native{}, "tools/call", nil, engine.Options{LegTimeout: 400 * time.Millisecond}, parley.Callbacks{
		Send:       client.Send,
		OnProgress: func(int, []byte) { seen++ },
	})
	if err != nil || seen != 6 {
		t.Errorf("got %v after %d notifications, want a result after 6", err, seen)
	}
}

func TestHTTPRequest(t *testing.T) {
	var ids []float64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "=?base64?Z3LDtsOfZQ==?=",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
		var body struct {
			ID     float64
			Params struct {
				Meta struct {
					Info parley.Implementation `json:"io.modelcontextprotocol/clientInfo"`
				} `json:"_meta"`
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		if body.Params.Meta.Info.Name != "host" {
			t.Errorf("clientInfo: got %+v", body.Params.Meta.Info)
		}
		ids = append(ids, body.ID)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%v,"result":{}}`, body.ID)
	}))
	defer server.Close()
	client := &parley.HTTP{URL: server.URL, ClientInfo: parley.Implementation{Name: "host", Version: "1"}}
	for leg := range 2 {
		if _, err := client.Send(t.Context(), parley.Request{Leg: leg + 1, Method: "tools/call", Params: []byte(`{"name":"größe"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	// A retry is a request of its own: mrtr, Client Requirements 3.
	if len(ids) != 2 || ids[0] == ids[1] {
		t.Errorf("ids: got %v, want two that differ", ids)
	}
}
