package stories_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

const everything = `{"elicitation":{"form":{}},"sampling":{},"roots":{}}`

// client posts requests one leg at a time, as the specification prescribes.
type client struct {
	t            *testing.T
	url          string
	capabilities string
	id           int
}

func newClient(t *testing.T, o stories.Options) *client {
	t.Helper()
	srv := httptest.NewServer(stories.Handler(o))
	t.Cleanup(srv.Close)
	return &client{t: t, url: srv.URL, capabilities: everything}
}

// request is a method and what repeats on every leg of it.
type request struct {
	method, name, params string // params without braces and _meta
}

func tool(name, arguments string) request {
	return request{"tools/call", name, fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)}
}

func prompt(name, arguments string) request {
	return request{"prompts/get", name, fmt.Sprintf(`"name":%q,"arguments":%s`, name, arguments)}
}

func resource(uri string) request {
	return request{"resources/read", uri, fmt.Sprintf(`"uri":%q`, uri)}
}

// response is an HTTP response and the JSON-RPC message in it.
type response struct {
	status int
	media  string
	body   string // the message as received
	Result struct {
		ResultType    string                     `json:"resultType"`
		InputRequests map[string]json.RawMessage `json:"inputRequests"`
		RequestState  *string                    `json:"requestState"`
		IsError       bool                       `json:"isError"`
		Content       []struct{ Text string }    `json:"content"`
		Contents      []struct{ Text string }    `json:"contents"`
		Messages      []struct {
			Content struct{ Text string } `json:"content"`
		} `json:"messages"`
	} `json:"result"`
	Error *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// post sends one leg. answers and state are JSON; empty leaves the member out.
func (c *client) post(r request, answers, state string) response {
	c.t.Helper()
	params := r.params
	if answers != "" {
		params += `,"inputResponses":` + answers
	}
	if state != "" {
		params += `,"requestState":` + state
	}
	c.id++
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":%s}}}`, c.id, r.method, params, c.capabilities)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", r.method)
	req.Header.Set("Mcp-Name", r.name)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	out := response{status: res.StatusCode, media: res.Header.Get("Content-Type")}
	if out.media == "text/event-stream" {
		_, text, _ = bytes.Cut(text, []byte("data: "))
	}
	out.body = strings.TrimSpace(string(text))
	if err := json.Unmarshal([]byte(out.body), &out); err != nil {
		c.t.Fatalf("response %d %s is no JSON-RPC message: %v\n%s", out.status, out.media, err, out.body)
	}
	return out
}

// asks returns the keys of the questions, sorted, or "-" for none.
func (r response) asks() string {
	if len(r.Result.InputRequests) == 0 {
		return "-"
	}
	return strings.Join(slices.Sorted(maps.Keys(r.Result.InputRequests)), " ")
}

// echo returns the requestState as the next leg has to send it, "" if there is none.
func (r response) echo() string {
	if r.Result.RequestState == nil {
		return ""
	}
	text, _ := json.Marshal(*r.Result.RequestState)
	return string(text)
}

// end returns the result of the last leg in one line.
func (r response) end() string {
	switch res := r.Result; {
	case r.Error != nil:
		return fmt.Sprintf("%d %s %s", r.Error.Code, r.Error.Message, r.Error.Data)
	case res.ResultType != "complete":
		return res.ResultType + " " + r.asks()
	case res.IsError:
		return "error: " + res.Content[0].Text
	case len(res.Messages) > 0:
		return res.Messages[0].Content.Text
	case len(res.Contents) > 0:
		return res.Contents[0].Text
	default:
		return res.Content[0].Text
	}
}
