package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// typedSession answers every request with the next result, and notes its params.
func typedSession(t *testing.T, results ...string) (*parley.Session, *[]string) {
	t.Helper()
	var sent []string
	s := newRequests(t, parley.Native{}, func(_ context.Context, r parley.Outbound) ([]byte, error) {
		sent = append(sent, r.Method+" "+string(r.Params))
		result := results[min(len(sent), len(results))-1]
		return []byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`), nil
	}, hosttest.Callbacks{Askers: parley.Askers{Elicit: decline}})
	return s, &sent
}

func TestTypedCalls(t *testing.T) {
	s, sent := typedSession(t, `{"resultType":"complete","content":[{"type":"text","text":"Hi"}],"x":1}`,
		`{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}`,
		`{"resultType":"complete","contents":[{"uri":"file:///a","text":"Hi"}]}`)
	tool, err := s.CallTool(t.Context(), parley.ToolCall{Name: `a "tool"`, Arguments: json.RawMessage(` {"n": 1.0} `)})
	if err != nil || len(tool.Content) != 1 || tool.Content[0].Text != "Hi" || !strings.HasSuffix(string(tool.Raw), `"x":1}`) {
		t.Errorf("tool: got %+v, %v", tool, err)
	}
	prompt, err := s.GetPrompt(t.Context(), parley.PromptGet{Name: "p", Arguments: map[string]string{"who": "Ada"}})
	if err != nil || len(prompt.Messages) != 1 || prompt.Messages[0].Content.Text != "Hi" {
		t.Errorf("prompt: got %+v, %v", prompt, err)
	}
	resource, err := s.ReadResource(t.Context(), parley.ResourceRead{URI: "file:///a"})
	if err != nil || len(resource.Contents) != 1 || resource.Contents[0].Text != "Hi" {
		t.Errorf("resource: got %+v, %v", resource, err)
	}
	for i, want := range []string{
		`tools/call {"name":"a \"tool\"","arguments":{"n": 1.0}`, `prompts/get {"name":"p","arguments":{"who":"Ada"}`, `resources/read {"uri":"file:///a"`,
	} {
		if got := (*sent)[i]; !strings.HasPrefix(got, want) {
			t.Errorf("sent: got %s, want %s", got, want)
		}
	}
}

// A task is asked for beside the arguments; that there are tasks the engine sees to.
func TestTypedTask(t *testing.T) {
	s, sent := typedSession(t, done)
	for _, call := range []parley.ToolCall{
		{Name: "t", Task: &schema.TaskMetadata{}},
		{Name: "t", Arguments: struct{}{}, Task: &schema.TaskMetadata{TTL: 90 * time.Second}},
	} {
		if _, err := s.CallTool(t.Context(), call); err != nil {
			t.Error(err)
		}
	}
	for i, want := range []string{`tools/call {"name":"t","task":{}`, `tools/call {"name":"t","arguments":{},"task":{"ttl":90000}`} {
		if got := (*sent)[i]; !strings.HasPrefix(got, want) {
			t.Errorf("sent: got %s, want %s", got, want)
		}
	}
}

// What a typed call is given wrong is told before anything is sent.
func TestTypedMisuse(t *testing.T) {
	s, sent := typedSession(t, done)
	for name, call := range map[string]parley.ToolCall{
		"a method":        {Name: "t", Request: parley.Request{Method: "tools/call"}},
		"params":          {Name: "t", Request: parley.Request{Params: []byte(`{}`)}},
		"no object":       {Name: "t", Arguments: []int{1}},
		"bytes":           {Name: "t", Arguments: []byte(`{}`)},
		"no JSON":         {Name: "t", Arguments: json.RawMessage(`{},"name":"u"`)},
		"what is no JSON": {Name: "t", Arguments: func() {}},
	} {
		var misuse *engine.Error
		if _, err := s.CallTool(t.Context(), call); !errors.As(err, &misuse) || misuse.Code != fault.Options {
			t.Errorf("%s: got %v, want ErrOptions", name, err)
		}
	}
	if len(*sent) > 0 {
		t.Errorf("sent %q", *sent)
	}
}

// A typed call that is parked has its snapshot in the error, and goes on as any
// other.
func TestTypedParked(t *testing.T) {
	s, _ := typedSession(t, oneAsk, `{"resultType":"complete","content":[{"type":"text","text":"Hi"}]}`)
	park := &parley.Askers{Elicit: fails(parley.ErrPark)}
	res, err := s.CallTool(t.Context(), parley.ToolCall{Name: "t", Request: parley.Request{Askers: park}})
	var failed *parley.Error
	if res != nil || !errors.Is(err, parley.ErrPark) || !errors.As(err, &failed) || failed.Snapshot == nil || !failed.Resumable {
		t.Fatalf("got %v, %v, want ErrPark with a snapshot", res, err)
	}
	if got := err.Error(); got != "parley: the call is parked" {
		t.Errorf("got %q", got)
	}
	out, err := s.Resume(t.Context(), parley.Resumption{Snapshot: failed.Snapshot})
	if err != nil || !strings.Contains(string(out.Result), `"Hi"`) {
		t.Errorf("resumed: got %s, %v", out.Result, err)
	}
}

// A result that cannot be read is kept: the tool has run.
func TestTypedUnreadable(t *testing.T) {
	const result = `{"resultType":"complete","content":[{"text":"Hi"}]}`
	s, _ := typedSession(t, result)
	res, err := s.CallTool(t.Context(), parley.ToolCall{Name: "t"})
	if !errors.Is(err, fault.Malformed) || !strings.Contains(err.Error(), "tools/call: content[0].type is not a string") {
		t.Errorf("got %v", err)
	}
	if res == nil || string(res.Raw) != result || res.Content != nil {
		t.Errorf("got %+v, want the text alone", res)
	}
}

// An error has what the server said, on one line and without what a terminal
// would obey.
func TestErrorSays(t *testing.T) {
	err := &parley.Error{Code: fault.RPC, Detail: "JSON-RPC error -32602", Response: json.RawMessage(`{"code":-32602,"message":"unknown tool \"x\"\u001b[31m\n` + strings.Repeat("y", 400) + `"}`)}
	got := err.Error()
	if !strings.HasPrefix(got, "parley: error from the server: JSON-RPC error -32602: the server says “unknown tool \"x\"\\x1b[31m\\nyyy") || strings.Contains(got, strings.Repeat("y", 300)) {
		t.Errorf("got %s", got)
	}
}
