package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// pageServer is a server of one revision, whose tool "work" is a task for clients
// of the page's form as well.
func pageServer(version string, work gosdk.Work) (*gosdk.Tasks, *mcp.Server) {
	now := time.Now() // it stands still
	tasks := gosdk.NewTasks(gosdk.TaskOptions{Poll: 100 * time.Millisecond, Page: true, Now: func() time.Time { return now }})
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
	tasks.Add(s)
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: object()}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, tasks.Start(ctx, work)
	})
	return tasks, s
}

// pagePlaces serve such a server.
var pagePlaces = map[string]func(t *testing.T, tasks *gosdk.Tasks, s *mcp.Server, version string) parley.Transport{
	"http": func(t *testing.T, tasks *gosdk.Tasks, s *mcp.Server, version string) parley.Transport {
		h := httptest.NewServer(tasks.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
			&mcp.StreamableHTTPOptions{Stateless: version == "2026-07-28"})))
		t.Cleanup(h.Close)
		return &parley.StreamableHTTP{URL: h.URL}
	},
	"in memory": func(t *testing.T, tasks *gosdk.Tasks, s *mcp.Server, _ string) parley.Transport {
		ours, theirs := mcp.NewInMemoryTransports()
		running, err := s.Connect(t.Context(), tasks.Transport(theirs), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { running.Close() })
		return &SDKTransport{Transport: ours}
	},
}

// TestPageTasks has Parley's client see tasks through in the form of SEP-2322's
// page, at every revision and over either kind of transport.
func TestPageTasks(t *testing.T) {
	tests := map[string]struct {
		work   gosdk.Work
		want   string // in the result, or in the error with the code
		code   fault.Code
		stages string
	}{
		"asks twice": {func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
			first, err := t.Elicit(ctx, form("first", "name"))
			if err != nil {
				return nil, err
			}
			second, err := t.Elicit(ctx, form("second", "name"))
			if err != nil {
				return nil, err
			}
			return result("Hello %v and %v", first.Content["name"], second.Content["name"]), nil
		}, "Hello ada and ada", 0, "input_required,"},
		"an error": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) { return nil, errors.New("secret") }, "It failed inside the server", fault.Task, ""},
		"a result that is an error": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
			r := result("no such region")
			r.IsError = true
			return r, nil
		}, `"isError":true`, 0, ""},
	}
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		for place, serve := range pagePlaces {
			for name, tt := range tests {
				t.Run(version+"/"+place+"/"+name, func(t *testing.T) {
					t.Parallel()
					tasks, server := pageServer(version, tt.work)
					var stages strings.Builder
					s, err := parley.NewSession(parley.Native{}, serve(t, tasks, server, version), parley.SessionOptions{
						Dialect: engine.DialectApproved, Versions: []string{version},
						Askers: parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
							return parley.Accept(map[string]string{"name": "ada"})
						}},
					})
					if err != nil {
						t.Fatal(err)
					}
					defer s.Close()
					out, err := s.Call(t.Context(), parley.Request{
						Method: "tools/call", Params: []byte(`{"name":"work","arguments":{},"task":{"ttl":60000}}`),
						Watchers: parley.Watchers{OnTask: func(task engine.Task) { fmt.Fprint(&stages, task.Status, ",") }},
					})
					var failed *parley.Error
					switch {
					case tt.code == 0 && (err != nil || !strings.Contains(string(out.Result), tt.want)):
						t.Errorf("got %s, %v, want %s", out.Result, err, tt.want)
					case tt.code == 0:
						var about struct {
							Meta map[string]map[string]string `json:"_meta"`
						}
						if err := json.Unmarshal(out.Result, &about); err != nil || about.Meta["io.modelcontextprotocol/related-task"]["taskId"] == "" {
							t.Errorf("the result does not name its task: %s", out.Result)
						}
					case !errors.As(err, &failed) || !errors.Is(err, tt.code) || !strings.Contains(string(failed.Response), tt.want):
						t.Errorf("got %s, %v, want %v", out.Result, err, tt.want)
					}
					if !strings.Contains(stages.String(), "working,"+tt.stages) {
						t.Errorf("got the stages %s, want working,%s", &stages, tt.stages)
					}
				})
			}
		}
	}
}

// TestPageWire is what a client of the page's form and one of the extension see
// of one server.
func TestPageWire(t *testing.T) {
	tasks, server := pageServer("2026-07-28", greet)
	h := httptest.NewServer(tasks.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})))
	defer h.Close()
	page, other := &taskClient{t, h.URL, "ada", unable}, &taskClient{t, h.URL, "ada", able}
	raw := (*taskClient).raw
	made := raw(page, "tools/call", "work", `"name":"work","arguments":{"a":"<é\u0041>"},"task":{"ttl":5}`)
	var task struct {
		TaskID, Status    string
		TTL, PollInterval int64
		TTLMs             *int64
	}
	if err := json.Unmarshal(made["task"], &task); err != nil || task.TaskID == "" || task.Status != "working" || task.TTL != 3_600_000 || task.PollInterval != 100 || task.TTLMs != nil {
		t.Fatalf("made: got %s", made)
	}
	id := fmt.Sprintf(`"taskId":%q`, task.TaskID)
	related := fmt.Sprintf(`{"io.modelcontextprotocol/related-task":{%s}}`, id)
	asks := raw(page, "tasks/result", "", id) // blocks until it asks
	if string(asks["resultType"]) != `"input_required"` || !strings.Contains(string(asks["inputRequests"]), "name-0") || !strings.Contains(string(asks["_meta"]), task.TaskID) {
		t.Errorf("asking: got %s", asks)
	}
	if got := raw(page, "tasks/get", "", id); string(got["status"]) != `"input_required"` || got["inputRequests"] != nil || string(got["ttl"]) != "86400000" {
		t.Errorf("tasks/get: got %s", got)
	}
	for name, tt := range map[string]struct {
		client         *taskClient
		method, params string
		want           string
	}{
		"tasks/get with the extension":    {other, "tasks/get", id, "-32602"},
		"tasks/result with the extension": {other, "tasks/result", id, "-32601"},
		"another user":                    {&taskClient{t, h.URL, "eve", unable}, "tasks/result", `"taskId":"x"`, "-32602"},
		"without forms":                   {&taskClient{t, h.URL, "ada", `{}`}, "tasks/result", id, "-32021"},
		"no task asked for":               {page, "tools/call", `"name":"work"`, "-32021"},
		"a task that is no object":        {page, "tools/call", `"name":"work","task":true`, "-32021"},
	} {
		about := task.TaskID
		if tt.client == page {
			about = "work"
		}
		if got := raw(tt.client, tt.method, about, tt.params); string(got["code"]) != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
	answer := func(key, name string) map[string]json.RawMessage {
		return raw(page, "tasks/input_response", "", fmt.Sprintf(`"inputResponses":{%q:{"action":"accept","content":{"name":%q}}},"_meta":%s`, key, name, related))
	}
	for _, key := range []string{"name-0", "name-1"} {
		raw(page, "tasks/result", "", id)
		if ack := answer(key, "Ada"); !strings.Contains(string(ack["_meta"]), task.TaskID) {
			t.Errorf("answered: got %s", ack)
		}
	}
	if got := raw(page, "tasks/result", "", id); !strings.Contains(string(got["content"]), "Hello Ada and Ada") || !strings.Contains(string(got["_meta"]), task.TaskID) {
		t.Errorf("the result: got %s", got)
	}
	if got := answer("name-1", "Eve"); string(got["code"]) != "-32602" {
		t.Errorf("answered when it is over: got %s", got)
	}
	if got := raw(page, "tasks/cancel", "", id); string(got["code"]) != "-32602" {
		t.Errorf("canceled when it is over: got %s", got)
	}
	going := raw(page, "tools/call", "work", `"name":"work","task":{}`)
	json.Unmarshal(going["task"], &task)
	raw(page, "tasks/result", "", fmt.Sprintf(`"taskId":%q`, task.TaskID)) // blocks until it asks
	if got := raw(page, "tasks/cancel", "", fmt.Sprintf(`"taskId":%q`, task.TaskID)); string(got["taskId"]) != strconv.Quote(task.TaskID) || string(got["ttl"]) != "86400000" {
		t.Errorf("canceled: got %s", got)
	}
	if got := raw(other, "tools/call", "work", `"name":"work","task":{"ttl":5}`); string(got["resultType"]) != `"task"` || got["task"] != nil {
		t.Errorf("with the extension, task means nothing: got %s", got)
	}
}

// TestPageCancel has a call that is given up stop its task.
func TestPageCancel(t *testing.T) {
	working, stopped := make(chan struct{}), make(chan struct{})
	tasks, server := pageServer("2025-11-25", func(ctx context.Context, _ *gosdk.Task) (*mcp.CallToolResult, error) {
		defer close(stopped)
		close(working)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s, err := parley.NewSession(parley.Native{}, pagePlaces["http"](t, tasks, server, "2025-11-25"), parley.SessionOptions{Dialect: engine.DialectApproved, Versions: []string{"2025-11-25"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	_, err = s.Call(ctx, parley.Request{
		Method: "tools/call", Params: []byte(`{"name":"work","task":{}}`),
		Watchers: parley.Watchers{OnTask: func(engine.Task) {
			<-working
			stop()
		}},
	})
	if !errors.Is(err, fault.Canceled) {
		t.Fatalf("got %v, want a call that was canceled", err)
	}
	<-stopped // by tasks/cancel
	if _, err := s.Call(t.Context(), parley.Request{Method: "tasks/cancel", Params: []byte(`{"taskId":"x"}`)}); err == nil || !strings.Contains(err.Error(), "-32602") {
		t.Errorf("a task that is not known: got %v", err)
	}
}
