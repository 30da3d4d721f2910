package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/tests/interop"
)

// Parley's clients by name: the Go host on each make of its engine, and the
// program in parley-js.
const (
	parleyGo   = "parley-go"
	parleyWasm = "parley-wasm"
	parleyJS   = "parley-js"

	// Over the clients of SDKs.
	overTS       = "over-ts"
	overTSLegacy = "over-ts-legacy" // speaks the legacy era only
	overGo       = "over-gosdk"
)

var sandbox = sync.OnceValues(func() (*parley.Runtime, error) {
	return parley.NewRuntime(parley.RuntimeOptions{})
})

// playParley plays calls with Parley's Go client, one after another.
func playParley(t *testing.T, client string, at target, era interop.Era, cases []interop.Case) []interop.Outcome {
	t.Helper()
	if client != overGo {
		return dial(t, client, at.transport(), era).playAll(t, cases)
	}
	outcomes := dial(t, client, overGoSDK(t, at), era).playAll(t, cases)
	for i := range outcomes {
		outcomes[i].Progress = nil // see casesOf
	}
	return outcomes
}

func (at target) transport() parley.Transport {
	if at.url != "" {
		return &parley.StreamableHTTP{URL: at.url}
	}
	return &parley.Stdio{Command: func() *exec.Cmd { return exec.Command(at.command[0], at.command[1:]...) }}
}

// parleyClient is a session. It is not told of which era its server is; only
// the person has to know who says that a page was visited.
type parleyClient struct {
	*parley.Session
	era   interop.Era
	tasks bool

	mu       sync.Mutex
	ready    session.Ready
	warnings []string
	logged   chan string
}

func dial(t *testing.T, client string, transport parley.Transport, era interop.Era) *parleyClient {
	t.Helper()
	var e parley.Engine = parley.Native{}
	if client == parleyWasm {
		runtime, err := sandbox()
		if err != nil {
			t.Fatal(err)
		}
		e = runtime
	}
	c, err := open(e, transport, era)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing the session: %v", err)
		}
		for _, text := range c.warnings {
			t.Errorf("warning: %s", text)
		}
	})
	return c
}

func open(e parley.Engine, transport parley.Transport, era interop.Era) (c *parleyClient, err error) {
	over, _ := transport.(*overClient) // which carries no tasks, and is told the logs itself
	c = &parleyClient{era: era, tasks: over == nil, logged: make(chan string, 100)}
	if over != nil {
		over.logged = c.logged
	}
	c.Session, err = parley.NewSession(e, transport, parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "interop-parley", Version: "1"},
		Askers:     c.callbacks(interop.Case{}.Person()).Askers, // what an earlier server is told can be asked; each call has a person of its own
		LogLevel:   "info",
		// A server that is slow to start is not one of the earlier era.
		ProbeTimeout: interop.Patience,
		Watchers: parley.SessionWatchers{
			OnReady: func(ready session.Ready) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.ready = ready
			},
			OnNotification: func(method string, params []byte) {
				var message struct{ Data any }
				if method == "notifications/message" && json.Unmarshal(params, &message) == nil {
					c.logged <- fmt.Sprint(message.Data)
				}
			},
			OnWarning: func(text string) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.warnings = append(c.warnings, text)
			},
		},
	})
	return c, err
}

func (c *parleyClient) version() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ready.Version
}

func (c *parleyClient) isModern() bool { return c.version() >= "2026-07-28" }

func (c *parleyClient) playAll(t *testing.T, cases []interop.Case) []interop.Outcome {
	t.Helper()
	outcomes := make([]interop.Outcome, len(cases))
	for i, one := range cases {
		outcomes[i] = c.play(t.Context(), one)
	}
	if c.isModern() != (c.era == interop.Modern) {
		t.Errorf("the client and the server speak %s", c.version())
	}
	return outcomes
}

// play plays one call.
func (c *parleyClient) play(parent context.Context, one interop.Case) (got interop.Outcome) {
	ctx, cancel := context.WithTimeout(parent, interop.Patience)
	defer cancel()
	person := one.Person()
	cb := c.callbacks(person)
	cb.OnProgress = func(_ int, params []byte) {
		var p struct{ Progress float64 }
		if json.Unmarshal(params, &p) == nil {
			got.Progress = append(got.Progress, p.Progress)
		}
		if one.Cancel {
			cancel()
		}
	}
	out, err := c.call(ctx, one, cb)
	switch {
	case one.Cancel && errors.Is(err, fault.Canceled):
		got.Cancelled = true
	case err != nil:
		got.Error = explained(err)
	case out.Parked:
		got.Snapshot = string(out.Snapshot)
	default:
		got.Text = textOf(out.Result)
	}
	got.Asked = person.Asked()
	got.Logs = receive(c.logged, len(one.Logs))
	if then := one.Then; then != nil {
		for begun := time.Now(); got.Then != then.Text && time.Since(begun) < interop.Patience; time.Sleep(20 * time.Millisecond) {
			got.Then = c.say(parent, interop.Case{Tool: then.Tool, Arguments: then.Arguments})
		}
	}
	return got
}

// say is what a call without questions comes to.
func (c *parleyClient) say(ctx context.Context, one interop.Case) string {
	out, err := c.call(ctx, one, hosttest.Callbacks{})
	if err != nil {
		return explained(err)
	}
	return textOf(out.Result)
}

// mine are the labels of every call here: who opens a snapshot has to know
// them.
var mine = engine.Expect{Peer: "interop", Principal: "ada"}

// call makes a call, or goes on with one.
func (c *parleyClient) call(ctx context.Context, one interop.Case, cb hosttest.Callbacks) (parley.Outcome, error) {
	if one.Snapshot != "" {
		return c.Resume(ctx, cb.Resumption(parley.Resumption{Snapshot: []byte(one.Snapshot), Expect: mine}))
	}
	method, params := request(one)
	return c.Call(ctx, cb.Request(method, params, engine.Options{Peer: mine.Peer, Principal: mine.Principal}))
}

func request(one interop.Case) (method string, params []byte) {
	of := struct {
		Name      string          `json:"name,omitempty"`
		URI       string          `json:"uri,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Task      json.RawMessage `json:"task,omitempty"`
	}{one.Tool + one.Prompt, one.Resource, one.Arguments, one.Task}
	params, err := json.Marshal(of)
	if err != nil {
		panic(err) // the table is part of the program
	}
	switch {
	case one.Tool != "":
		return "tools/call", params
	case one.Prompt != "":
		return "prompts/get", params
	}
	return "resources/read", params
}

// explained is an error with what the server said, which its own text leaves
// out.
func explained(err error) string {
	var failed *parley.Error
	if errors.As(err, &failed) && failed.Response != nil {
		return fmt.Sprintf("%v: %s", err, failed.Response)
	}
	return err.Error()
}

// textOf is the text that a result comes to.
func textOf(result []byte) string {
	type block struct{ Text string }
	var res struct {
		Content  []block
		Messages []struct{ Content block }
		Contents []block
	}
	switch err := json.Unmarshal(result, &res); {
	case err != nil:
		return err.Error()
	case len(res.Content) == 1:
		return res.Content[0].Text
	case len(res.Messages) == 1:
		return res.Messages[0].Content.Text
	case len(res.Contents) == 1:
		return res.Contents[0].Text
	}
	return string(result)
}

// callbacks have a person answer.
func (c *parleyClient) callbacks(p *interop.Person) hosttest.Callbacks {
	elicit := func(ctx context.Context, q parley.Question) ([]byte, error) {
		if q.Repeat && c.era == interop.Legacy { // asks whether the page was visited: the server will say so
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(interop.Patience):
				return nil, errors.New("the server does not say that the page was visited")
			}
		}
		var params struct{ Message, URL string }
		if err := json.Unmarshal(q.Params, &params); err != nil {
			return nil, err
		}
		answer, err := p.Elicit(ctx, params.Message, params.URL)
		switch {
		case err != nil:
			return nil, err
		case answer.Action == "park":
			return nil, parley.ErrPark
		}
		return json.Marshal(struct {
			Action  string          `json:"action"`
			Content json.RawMessage `json:"content,omitempty"`
		}{answer.Action, answer.Content})
	}
	return hosttest.Callbacks{
		Askers: parley.Askers{
			Tasks:     c.tasks,
			Elicit:    elicit,
			ElicitURL: elicit,
			Sample: func(_ context.Context, q parley.Question) ([]byte, error) {
				var params struct {
					Messages []struct{ Content json.RawMessage }
				}
				if err := json.Unmarshal(q.Params, &params); err != nil {
					return nil, err
				}
				var content struct{ Text string }
				if len(params.Messages) != 1 || json.Unmarshal(params.Messages[0].Content, &content) != nil {
					return nil, fmt.Errorf("not one message with one text: %s", q.Params)
				}
				return fmt.Appendf(nil, `{"role":"assistant","model":"none","content":{"type":"text","text":%q}}`, p.Sample(content.Text)), nil
			},
			ListRoots: func(context.Context, parley.Question) ([]byte, error) {
				return fmt.Appendf(nil, `{"roots":[{"uri":%q}]}`, p.ListRoots()), nil
			},
		},
	}
}
