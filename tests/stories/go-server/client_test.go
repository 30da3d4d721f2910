package main_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// invalidState is the error object of every state that is refused.
const invalidState = `{"code":-32602,"message":"Invalid or expired requestState","data":{"reason":"invalid_request_state"}}`

// clock is a time of day that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_800_000_000, 0)} }

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

func (c *clock) advance(d time.Duration) { c.set(c.time().Add(d)) }

// client posts one leg at a time.
type client struct {
	t     *testing.T
	url   string
	token string // of a user, "" for none
}

// request is a method and what repeats on every leg of it.
type request struct {
	method, name, params string // params without braces and _meta
}

func tool(name, arguments string) request {
	return request{"tools/call", name, fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)}
}

// response is an HTTP response and the JSON-RPC message in it.
type response struct {
	status int
	media  string
	body   string
	Result struct {
		RequestState string                  `json:"requestState"`
		Content      []struct{ Text string } `json:"content"`
		Contents     []struct{ Text string } `json:"contents"`
		Messages     []struct {
			Content struct{ Text string } `json:"content"`
		} `json:"messages"`
	} `json:"result"`
}

// state is the requestState, "" if there is none.
func (r response) state() string { return r.Result.RequestState }

// text is that of a final result.
func (r response) text() string {
	switch {
	case len(r.Result.Content) > 0:
		return r.Result.Content[0].Text
	case len(r.Result.Contents) > 0:
		return r.Result.Contents[0].Text
	case len(r.Result.Messages) > 0:
		return r.Result.Messages[0].Content.Text
	}
	return ""
}

// post sends one leg. answers are JSON; empty leaves a member out.
func (c *client) post(r request, answers, state string) response {
	return c.postAs(1, r, answers, state)
}

// postAs sends one leg under an id. It may be called from any goroutine.
func (c *client) postAs(id int, r request, answers, state string) (out response) {
	params := r.params
	if answers != "" {
		params += `,"inputResponses":` + answers
	}
	if state != "" {
		params += fmt.Sprintf(`,"requestState":%q`, state)
	}
	res, err := c.send(id, r, params)
	if err != nil {
		c.t.Error(err)
		return out
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Error(err)
	}
	out.status, out.media = res.StatusCode, res.Header.Get("Content-Type")
	if out.media == "text/event-stream" {
		_, text, _ = bytes.Cut(text, []byte("data: "))
	}
	out.body = strings.TrimSpace(string(text))
	if err := json.Unmarshal([]byte(out.body), &out); err != nil {
		c.t.Errorf("response %d %s is no JSON-RPC message: %v\n%s", out.status, out.media, err, out.body)
	}
	return out
}

// status is the HTTP status of a first leg.
func (c *client) status(r request) int {
	res, err := c.send(1, r, r.params)
	if err != nil {
		c.t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func (c *client) send(id int, r request, params string) (*http.Response, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"sampling":{},"roots":{}}}}}`, id, r.method, params)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", r.method)
	req.Header.Set("Mcp-Name", r.name)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return http.DefaultClient.Do(req)
}

// keyOf is the id, in hexadecimal, of the key a state was minted with.
func keyOf(state string) string {
	if len(state) < 8 {
		return ""
	}
	raw, _ := base64.RawURLEncoding.DecodeString(state[:8])
	return fmt.Sprintf("%x", raw[1:5])
}
