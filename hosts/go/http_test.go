package parley_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

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
	hosttest.Patiently(t, 50*time.Millisecond, func(unit time.Duration) error {
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
				time.Sleep(unit)
			}
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n\n", body.ID)
		}))
		defer server.Close()
		seen := 0
		client := &parley.HTTP{URL: server.URL}
		_, err := parley.Call(t.Context(), parley.Native{}, "tools/call", nil, engine.Options{LegTimeout: 4 * unit}, parley.Callbacks{
			Send:       client.Send,
			OnProgress: func(int, []byte) { seen++ },
		})
		if err != nil || seen != 6 {
			return fmt.Errorf("got %v after %d notifications, want a result after 6", err, seen)
		}
		return nil
	})
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
