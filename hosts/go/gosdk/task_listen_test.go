package gosdk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// TestTaskNotified has Parley's client told of a task by the subscription it has
// anyway: each poll that it makes follows a notification, since its server asks it
// to poll once an hour, and the client does so once a minute. (Over stdio it opens
// no second stream for tasks, and polls.)
func TestTaskNotified(t *testing.T) {
	listened := make(chan struct{})
	tasks := gosdk.NewTasks(gosdk.TaskOptions{Poll: time.Hour})
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{HasTools: true, SupportedProtocolVersions: []string{"2026-07-28"}})
	tasks.Add(s)
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: object()}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, tasks.Start(ctx, func(ctx context.Context, task *gosdk.Task) (*mcp.CallToolResult, error) {
			<-listened
			res, err := task.Elicit(ctx, form("who", "name"))
			if err != nil {
				return nil, err
			}
			return result("Hello %v", res.Content["name"]), nil
		})
	})
	subscribed := make(chan session.Subscribed, 16)
	client, err := parley.NewSession(parley.Native{}, pagePlaces["http"](t, tasks, s, "2026-07-28"), parley.SessionOptions{
		Versions: []string{"2026-07-28"},
		Askers: parley.Askers{Tasks: true, Elicit: func(context.Context, parley.Question) ([]byte, error) {
			return parley.Accept(map[string]string{"name": "ada"})
		}},
		Watchers: parley.SessionWatchers{
			OnSubscribed: func(a session.Subscribed) { subscribed <- a },
			OnNotification: func(method string, params []byte) {
				var about struct{ TaskID, Status string }
				if json.Unmarshal(params, &about) == nil && method == "notifications/tasks" {
					if about.Status == "working" { // it listens: the work goes on, and the client hears of that
						select {
						case <-listened:
						default:
							close(listened)
						}
					}
				}
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Subscribe(session.Filter{ToolsListChanged: true}); err != nil {
		t.Fatal(err)
	}
	if a := <-subscribed; !a.ToolsListChanged {
		t.Fatalf("got %+v, want the tools", a)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second) // before a client polls by itself
	defer cancel()
	var stages []string
	out, err := client.Call(ctx, parley.Request{Method: "tools/call", Params: []byte(`{"name":"work","arguments":{}}`),
		Watchers: parley.Watchers{OnTask: func(task engine.Task) { stages = append(stages, task.Status) }}})
	if err != nil || !strings.Contains(string(out.Result), "Hello ada") {
		t.Fatalf("got %s, %v, want Hello ada; stages %v", out.Result, err, stages)
	}
}

// TestTaskListenerOverTransport is the same over a transport of the SDK's, message
// by message.
func TestTaskListenerOverTransport(t *testing.T) {
	tasks, s := pageServer("2026-07-28", greet)
	ours, theirs := mcp.NewInMemoryTransports()
	running, err := s.Connect(t.Context(), tasks.Transport(theirs), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	conn, err := ours.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	send := func(body string) {
		t.Helper()
		m, err := jsonrpc.DecodeMessage([]byte(strings.Replace(body, "META", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`+able+`}`, 1)))
		if err == nil {
			err = conn.Write(t.Context(), m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// until reads until a message has a text.
	until := func(want string) string {
		t.Helper()
		for {
			m, err := conn.Read(t.Context())
			if err != nil {
				t.Fatalf("waiting for %s: %v", want, err)
			}
			body, err := jsonrpc.EncodeMessage(m)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(body), want) {
				return string(body)
			}
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work",META}}`)
	_, rest, _ := strings.Cut(until(`"resultType":"task"`), `"taskId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	send(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"taskIds":["` + id + `"]},META}}`)
	if got := until("notifications/subscriptions/acknowledged"); !strings.Contains(got, `"taskIds":["`+id+`"]`) {
		t.Errorf("acknowledged: got %s", got)
	}
	until(`"status":"input_required"`)
	send(`{"jsonrpc":"2.0","id":3,"method":"tasks/cancel","params":{"taskId":"` + id + `",META}}`)
	if got := until(`"status":"cancelled"`); !strings.Contains(got, `"method":"notifications/tasks"`) || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":2`) {
		t.Errorf("told: got %s", got)
	}
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,META}}`)
}

// TestTaskListeners is what a stream is told of, and who is not.
func TestTaskListeners(t *testing.T) {
	tasks := gosdk.NewTasks(gosdk.TaskOptions{})
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}})
	tasks.Add(s)
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: object()}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, tasks.Start(ctx, greet)
	})
	h := httptest.NewServer(bearers(tasks.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))))
	defer h.Close()
	ada := &taskClient{t, h.URL, "ada", able}
	id := ada.start().TaskID
	for name, tt := range map[string]struct {
		user, capabilities string
		first              string // of what is granted
		told               bool
	}{
		"the one whose it is": {"ada", able, fmt.Sprintf(`"taskIds":[%q]`, id), true},
		"somebody else":       {"eve", able, `"notifications":{}`, false},
		"without tasks":       {"ada", unable, `"notifications":{}`, false},
		"without forms":       {"ada", `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, fmt.Sprintf(`"taskIds":[%q]`, id), false},
	} {
		t.Run(name, func(t *testing.T) {
			ada.until(id, "input_required")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"l1","method":"subscriptions/listen","params":{"notifications":{"taskIds":[%q,"made-up"]},"_meta":{`+
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}}}`, id, tt.capabilities)
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			for name, value := range map[string]string{
				"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + tt.user,
				"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
			} {
				req.Header.Set(name, value)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			lines := bufio.NewScanner(res.Body)
			next := func() string {
				for lines.Scan() {
					if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
						return data
					}
				}
				return ""
			}
			if got := next(); !strings.Contains(got, "notifications/subscriptions/acknowledged") || !strings.Contains(got, tt.first) || strings.Contains(got, "made-up") {
				t.Errorf("acknowledged: got %s, want %s", got, tt.first)
			}
			if !tt.told {
				return // nothing comes, and that it does not cannot be waited for
			}
			got := next()
			for _, want := range []string{`"method":"notifications/tasks"`, `"taskId":"` + id, `"status":"input_required"`, `"inputRequests":{"name-0"`, `"io.modelcontextprotocol/subscriptionId":"l1"`} {
				if !strings.Contains(got, want) {
					t.Errorf("told: got %s, want %s", got, want)
				}
			}
			if strings.Contains(got, "resultType") {
				t.Errorf("a notification is no result: %s", got)
			}
		})
	}
}
