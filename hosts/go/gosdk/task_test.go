package gosdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

const (
	able   = `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	unable = `{"elicitation":{"form":{}}}`

	nameless = "-" // for no field Mcp-Name

	unknown    = "-32602 There is no such task, or not any more"
	undeclared = `-32021 This needs a client that declares the extension io.modelcontextprotocol/tasks {"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
)

// server is a server whose tool "work" is a task. Users are by bearer token.
func taskServer(t *testing.T, work gosdk.Work, options func(*gosdk.TaskOptions)) *taskClient {
	t.Helper()
	o := gosdk.TaskOptions{Poll: 100 * time.Millisecond}
	options(&o)
	long := gosdk.NewTasks(o)
	s := mcp.NewServer(&mcp.Implementation{Name: "test"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}})
	long.Add(s)
	mcp.AddTool(s, &mcp.Tool{Name: "work"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, long.Start(ctx, work)
	})
	h := httptest.NewServer(bearers(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})))
	t.Cleanup(h.Close)
	return &taskClient{t, h.URL, "ada", able}
}

// bearers takes any bearer token for the name of a user.
func bearers(next http.Handler) http.Handler {
	return auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(next)
}

type taskClient struct {
	t                       *testing.T
	url, user, capabilities string
}

type taskSeen struct {
	ResultType, TaskID, Status, StatusMessage string
	CreatedAt, LastUpdatedAt                  time.Time
	TTLMs, PollIntervalMs                     int64
	InputRequests                             json.RawMessage
	Result                                    struct{ Content []struct{ Text string } }
	Error                                     *taskFailure
}

type taskFailure struct {
	Code    int
	Message string
	Data    json.RawMessage
}

func (f *taskFailure) String() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s %s", f.Code, f.Message, f.Data))
}

// post sends a request, whose params are without braces, and returns the result
// or the error in words.
func (c *taskClient) post(method, name, params string) (got taskSeen, failed string) {
	c.t.Helper()
	var message struct {
		Result taskSeen
		Error  *taskFailure
	}
	text := c.send(method, name, params)
	if err := json.Unmarshal(text, &message); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
	if message.Error != nil {
		return taskSeen{}, message.Error.String()
	}
	return message.Result, ""
}

// raw is the members of the result or of the error.
func (c *taskClient) raw(method, name, params string) map[string]json.RawMessage {
	c.t.Helper()
	var message struct{ Result, Error map[string]json.RawMessage }
	text := c.send(method, name, params)
	if err := json.Unmarshal(text, &message); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
	if message.Error != nil {
		return message.Error
	}
	return message.Result
}

func (c *taskClient) send(method, name, params string) []byte {
	c.t.Helper()
	meta := `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + c.capabilities
	if before, own, ok := strings.Cut(params, `"_meta":{`); ok {
		params = before + `"_meta":{` + meta + "," + own
	} else {
		params += `,"_meta":{` + meta + "}"
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, params)
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer " + c.user,
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
	} {
		if value != nameless {
			req.Header.Set(name, value)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	if _, data, ok := bytes.Cut(text, []byte("data: ")); ok { // of a stream with one event
		return data
	}
	return text
}

func (c *taskClient) call() (taskSeen, string) {
	c.t.Helper()
	return c.post("tools/call", "work", `"name":"work"`)
}

// start makes a task.
func (c *taskClient) start() taskSeen {
	c.t.Helper()
	made, failed := c.call()
	if failed != "" || made.ResultType != "task" || made.TaskID == "" {
		c.t.Fatalf("no task: %+v %s", made, failed)
	}
	return made
}

func (c *taskClient) about(method, id string) (taskSeen, string) {
	c.t.Helper()
	return c.post(method, id, fmt.Sprintf(`"taskId":%q`, id))
}

// until polls until the task has a status.
func (c *taskClient) until(id, status string) taskSeen {
	c.t.Helper()
	for limit := time.Now().Add(3 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
		got, failed := c.about("tasks/get", id)
		if failed == "" && got.Status == status {
			return got
		}
		if failed != "" || time.Now().After(limit) {
			c.t.Fatalf("the task is not %s: %+v %s", status, got, failed)
		}
	}
}

// greet asks twice and says what it was told.
func greet(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
	t.Say("Nearly there")
	var names [2]any
	for i := range names {
		key := fmt.Sprintf("name-%d", i)
		res, err := t.All(ctx, mcp.InputRequestMap{key: who()})
		if err != nil {
			return nil, err
		}
		names[i] = res[key].(*mcp.ElicitResult).Content["name"]
	}
	if _, err := t.All(ctx, mcp.InputRequestMap{"name-0": who()}); err == nil {
		return nil, errors.New("a key was used twice")
	}
	return result("Hello %s and %s", names[0], names[1]), nil
}

func who() *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
}

func TestTaskLifecycle(t *testing.T) {
	c := taskServer(t, greet, func(*gosdk.TaskOptions) {})
	made := c.start()
	if made.TTLMs != 3_600_000 || made.PollIntervalMs != 100 || made.CreatedAt.IsZero() || made.LastUpdatedAt.IsZero() {
		t.Errorf("made: got %+v", made)
	}
	asking := c.until(made.TaskID, "input_required")
	want := `{"name-0":{"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}`
	if asking.ResultType != "complete" || asking.StatusMessage != "Nearly there" || string(asking.InputRequests) != want {
		t.Errorf("asking: got %+v, want the question %s", asking, want)
	}
	update := func(key, name string) {
		t.Helper()
		params := fmt.Sprintf(`"taskId":%q,"inputResponses":{%q:{"action":"accept","content":{"name":%q}}}`, made.TaskID, key, name)
		if ack, failed := c.post("tasks/update", made.TaskID, params); failed != "" || !reflect.DeepEqual(ack, taskSeen{ResultType: "complete"}) {
			t.Fatalf("update: got %+v, %s", ack, failed)
		}
	}
	update("name-1", "Mallory") // not asked yet
	update("name-0", "Ada")
	for {
		if got := c.until(made.TaskID, "input_required"); strings.Contains(string(got.InputRequests), "name-1") {
			break
		}
	}
	update("name-0", "Mallory") // answered
	update("name-1", "Grace")
	over := c.until(made.TaskID, "completed")
	if got, want := over.Result.Content[0].Text, "Hello Ada and Grace"; got != want || over.InputRequests != nil {
		t.Errorf("completed: got %q and questions %s, want %q and none", got, over.InputRequests, want)
	}
	if _, failed := c.about("tasks/cancel", made.TaskID); failed != "" {
		t.Errorf("canceled when it was over: %s", failed)
	}
	c.until(made.TaskID, "completed")
}

func TestTaskEndings(t *testing.T) {
	tests := map[string]struct {
		work   gosdk.Work
		cancel bool
		status string
		want   string
	}{
		"canceled": {greet, true, "cancelled", ""},
		"done all the same": {func(ctx context.Context, _ *gosdk.Task) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			return result("too late to stop"), nil
		}, true, "completed", ""},
		"an error for the client": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
			return nil, fmt.Errorf("wrapped: %w", &jsonrpc.Error{Code: -32000, Message: "no such region"})
		}, false, "failed", "-32000 no such region"},
		"an error for the log": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) {
			return nil, errors.New("the password is wrong")
		}, false, "failed", "-32603 It failed inside the server"},
		"a panic": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) { panic("oops") },
			false, "failed", "-32603 It failed inside the server"},
		"no content": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) { return &mcp.CallToolResult{}, nil },
			false, "completed", ""},
		"nothing": {func(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) { return nil, nil },
			false, "failed", "-32603 It failed inside the server"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := taskServer(t, tt.work, func(*gosdk.TaskOptions) {})
			id := c.start().TaskID
			if tt.cancel {
				if ack, failed := c.about("tasks/cancel", id); failed != "" || !reflect.DeepEqual(ack, taskSeen{ResultType: "complete"}) {
					t.Fatalf("cancel: got %+v, %s", ack, failed)
				}
			}
			got := c.until(id, tt.status)
			failed := ""
			if got.Error != nil {
				failed = got.Error.String()
			}
			if failed != tt.want {
				t.Errorf("error: got %q, want %q", failed, tt.want)
			}
			if tt.status == "completed" && got.Result.Content == nil {
				t.Error("the result has no content, not even an empty list")
			}
		})
	}
}

// Nobody but the user whose call made a task gets to know that there is one, and
// no client that did not declare the extension.
func TestTaskStrangers(t *testing.T) {
	ada := taskServer(t, greet, func(*gosdk.TaskOptions) {})
	id := ada.start().TaskID
	mallory, old := *ada, *ada
	mallory.user, old.capabilities = "mallory", unable
	again := ada.start().TaskID
	if again == id {
		t.Error("two tasks have one id")
	}
	tests := map[string]struct {
		client *taskClient
		id     string
		want   string
	}{
		"another user":      {&mallory, id, unknown},
		"a made-up id":      {ada, "task-1", unknown},
		"an id with a flaw": {ada, id[:len(id)-2] + "zz", unknown},
		"no id":             {ada, "", unknown},
		"undeclared":        {&old, id, undeclared},
	}
	for name, tt := range tests {
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			if _, failed := tt.client.about(method, tt.id); failed != tt.want {
				t.Errorf("%s, %s: got %q, want %q", name, method, failed, tt.want)
			}
		}
	}
	if _, failed := old.call(); failed != undeclared {
		t.Errorf("call: got %q, want %q", failed, undeclared)
	}
	if _, failed := ada.about("tasks/result", id); !strings.HasPrefix(failed, "-32601") {
		t.Errorf("tasks/result: got %q, want -32601", failed)
	}
	blind := *ada
	blind.capabilities = `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	ada.until(id, "input_required")
	if _, failed := blind.about("tasks/get", id); !strings.HasPrefix(failed, "-32021") || !strings.Contains(failed, "elicitation") {
		t.Errorf("a question for a client without forms: got %q, want -32021", failed)
	}
}

// TestTooManyTasks fills a store: one user has a quarter of it.
func TestTooManyTasks(t *testing.T) {
	const full = "-32603 There are too many tasks already: try again later"
	c := taskServer(t, greet, func(*gosdk.TaskOptions) {})
	for _, user := range []string{"ada", "bob", "eve", "sam"} {
		c.user = user
		for range 250 {
			c.start()
		}
		if _, failed := c.call(); failed != full {
			t.Errorf("%s: got %q", user, failed)
		}
	}
	c.user = "tom"
	if _, failed := c.call(); failed != full {
		t.Errorf("a full store: got %q", failed)
	}
}

// The log says how a task ended, and neither which nor what was answered.
func TestTaskLog(t *testing.T) {
	var log bytes.Buffer
	ended := make(chan struct{})
	c := taskServer(t, greet, func(o *gosdk.TaskOptions) {
		o.Logger = slog.New(slog.NewTextHandler(taskLog(func(p []byte) (int, error) {
			defer close(ended)
			return log.Write(p)
		}), nil))
	})
	id := c.start().TaskID
	for _, key := range []string{"name-0", "name-1"} {
		for {
			if got := c.until(id, "input_required"); strings.Contains(string(got.InputRequests), key) {
				break
			}
		}
		c.post("tasks/update", id, fmt.Sprintf(`"taskId":%q,"inputResponses":{%q:{"action":"accept","content":{"name":"secret"}}}`, id, key))
	}
	<-ended
	if got := log.String(); !strings.Contains(got, "status=completed") || strings.Contains(got, id) || strings.Contains(got, "secret") || strings.Contains(got, "ada") {
		t.Errorf("log: got %s", got)
	}
	if strings.Contains(id, "ada") || len(id) < 26 {
		t.Errorf("the id %q can be read or guessed", id)
	}
}

type taskLog func([]byte) (int, error)

func (w taskLog) Write(p []byte) (int, error) { return w(p) }
