package main_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// scripted is a server of MCP 2026-07-28 that answers as it is told, so that
// every byte is known. answer returns a result, or writes to w itself.
func scripted(t *testing.T, answer func(m message.Message, w http.ResponseWriter, r *http.Request) (result string)) (url string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages, err := message.Parse(body)
		if err != nil {
			t.Errorf("the bridge sent %s: %v", body, err)
			return
		}
		m := messages[0]
		w.Header().Set("Content-Type", "application/json")
		result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"ttlMs":0,"cacheScope":"private",
			"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"logging":{}},"instructions":"Be kind."}`
		if m.Method != "server/discover" {
			result = answer(m, w, r)
		}
		if result != "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// client is one over HTTP that sends what it likes.
type client struct {
	t       *testing.T
	url     string
	headers map[string]string
}

// do makes a request; headers are "Name: value" and come on top of the client's.
func (c *client) do(method, body string, headers ...string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	return res
}

// text is what a request is answered with.
func (c *client) text(method, body string, headers ...string) (status int, text string) {
	c.t.Helper()
	res := c.do(method, body, headers...)
	b, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// begin opens a session of 2025-11-25.
func begin(t *testing.T, url, capabilities string) *client {
	t.Helper()
	c := &client{t, url, map[string]string{}}
	res := c.do("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
		"clientInfo":{"name":"t","version":"1"},"capabilities":`+capabilities+`}}`)
	c.headers["Mcp-Session-Id"], c.headers["MCP-Protocol-Version"] = res.Header.Get("Mcp-Session-Id"), "2025-11-25"
	if c.headers["Mcp-Session-Id"] == "" {
		body, _ := io.ReadAll(res.Body)
		t.Fatalf("initialize: got no session, %d %s", res.StatusCode, body)
	}
	c.do("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

// event is a server-sent event.
type event struct{ id, data string }

const ended = "the stream ended"

// events reads those of a response that carry a message.
func events(res *http.Response) (next func() event) {
	lines := bufio.NewReader(res.Body)
	return func() (e event) {
		for {
			line, err := lines.ReadString('\n')
			name, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
			switch {
			case err != nil:
				return event{data: ended}
			case name == "id":
				e.id = value
			case name == "data":
				e.data = value
			case name == "" && e.data != "":
				return e
			case name == "":
				e = event{}
			}
		}
	}
}
