package gosdk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/gosdk"
)

// running is a server whose tool "run" is work that need not be a task.
func running(s *mcp.Server, work gosdk.Work) {
	tasks := gosdk.NewTasks(gosdk.TaskOptions{})
	tasks.Add(s)
	s.AddTool(&mcp.Tool{Name: "run", InputSchema: object()}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return tasks.Run(ctx, req, work)
	})
}

func quick(context.Context, *gosdk.Task) (*mcp.CallToolResult, error) { return result("done"), nil }

func askingWork(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
	t.Say("About to ask")
	res, err := t.Elicit(ctx, form("ada", "a"))
	if err != nil {
		return nil, err
	}
	return result("%v", res.Content["a"]), nil
}

// asksThrice asks for two things one after the other, and then for two at once.
func asksThrice(runs, effects *int) gosdk.Work {
	return func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
		*runs++
		t.Say("About to ask")
		first, err := t.Elicit(ctx, form("ada", "a"))
		if err != nil {
			return nil, err
		}
		second, err := t.Elicit(ctx, form("decline", "a"))
		if err != nil {
			return nil, fmt.Errorf("the second: %w", err)
		}
		both, err := t.All(ctx, mcp.InputRequestMap{"one": form("bob", "a"), "two": form("eve", "a")})
		if err != nil {
			return nil, err
		}
		*effects++
		return result("%v %s %v %v", first.Content["a"], second.Action,
			both["one"].(*mcp.ElicitResult).Content["a"], both["two"].(*mcp.ElicitResult).Content["a"]), nil
	}
}

// TestRunWithoutTasks does the work while the call waits, for clients that have
// no tasks.
func TestRunWithoutTasks(t *testing.T) {
	guarded := func(t *testing.T, work gosdk.Work) *mcp.ClientSession {
		server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) { running(s, work) })
		return legs(t, serve(t, server), everything())
	}
	t.Run("quick", func(t *testing.T) {
		if got, _ := call(t, guarded(t, quick), "run", nil, nil, ""); got != "done" {
			t.Errorf("got %s, want done", got)
		}
	})
	answer := func(a string) *mcp.ElicitResult { return accept(map[string]any{"a": a}) }
	t.Run("rounds", func(t *testing.T) {
		runs, effects := 0, 0
		session, state := guarded(t, asksThrice(&runs, &effects)), ""
		for i, round := range []struct {
			answers mcp.InputResponseMap
			want    string
		}{
			{nil, "? elicitation-1"},
			{mcp.InputResponseMap{"elicitation-1": accept(map[string]any{"a": 7})}, "? elicitation-1"}, // not what was asked for
			{mcp.InputResponseMap{"elicitation-1": answer("ADA")}, "? elicitation-2"},
			{mcp.InputResponseMap{"elicitation-2": &mcp.ElicitResult{Action: "decline"}}, "? one two"},
			{mcp.InputResponseMap{"one": answer("BOB")}, "? two"},
			{mcp.InputResponseMap{"two": answer("EVE")}, "ADA decline BOB EVE"},
		} {
			var got string
			if got, state = call(t, session, "run", nil, round.answers, state); got != round.want {
				t.Fatalf("round %d: got %s, want %s", i, got, round.want)
			}
		}
		if runs != 6 || effects != 1 {
			t.Errorf("ran %d times with %d effects, want 6 and 1", runs, effects)
		}
	})
	t.Run("an earlier revision", func(t *testing.T) {
		runs, effects := 0, 0
		server := legacyServer(nil, gosdk.Options{})
		running(server, asksThrice(&runs, &effects))
		if got, _ := call(t, legacyClient(t, server), "run", nil, nil, ""); got != "ADA decline BOB EVE" {
			t.Errorf("got %s", got)
		}
		if runs != 1 || effects != 1 {
			t.Errorf("ran %d times with %d effects, want 1 and 1", runs, effects)
		}
	})
	t.Run("without a Guard", func(t *testing.T) {
		server := newServer(nil, gosdk.Options{}, func(s *mcp.Server) { running(s, askingWork) })
		if got, _ := call(t, legs(t, serve(t, server), everything()), "run", nil, nil, ""); !strings.Contains(got, "add the middleware gosdk.Guard") {
			t.Errorf("got %s, want what to do", got)
		}
	})
	t.Run("undeclared", func(t *testing.T) {
		session := legs(t, serve(t, newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) {
			running(s, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
				_, err := t.ListRoots(ctx)
				return result("%v", err), nil
			})
		})), &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}})
		if got, _ := call(t, session, "run", nil, nil, ""); !strings.Contains(got, "roots capability") {
			t.Errorf("got %s, want that the work is told", got)
		}
	})
	t.Run("a key twice", func(t *testing.T) {
		session := guarded(t, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
			for range 2 {
				if _, err := t.All(ctx, mcp.InputRequestMap{"one": form("bob", "a")}); err != nil {
					return nil, err
				}
			}
			return result("done"), nil
		})
		_, state := call(t, session, "run", nil, nil, "")
		if got, _ := call(t, session, "run", nil, mcp.InputResponseMap{"one": answer("BOB")}, state); !strings.Contains(got, "was used before") {
			t.Errorf("got %s, want that the key is used", got)
		}
	})
}

// TestRunAfterAsking has a handler ask before its work does: in rounds the work
// goes on with the handler's record, and a client that has tasks gets one then.
func TestRunAfterAsking(t *testing.T) {
	tasks := gosdk.NewTasks(gosdk.TaskOptions{})
	for name, add := range map[string]func(*mcp.Server, *mcp.Tool){
		"Asking": func(s *mcp.Server, tool *mcp.Tool) {
			s.AddTool(tool, gosdk.Asking(func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if _, err := ask.Elicit(ctx, form("first", "a")); err != nil {
					return nil, err
				}
				return tasks.Run(ctx, req, askingWork)
			}))
		},
		"AskingFor": func(s *mcp.Server, tool *mcp.Tool) {
			mcp.AddTool(s, tool, gosdk.AskingFor(func(ctx context.Context, ask *gosdk.Ask, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
				if _, err := ask.Elicit(ctx, form("first", "a")); err != nil {
					return nil, nil, err
				}
				res, err := tasks.Run(ctx, req, askingWork)
				return res, nil, err
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(newGuard(t, newClock(), codec.GuardOptions{}), gosdk.Options{}, func(s *mcp.Server) {
				tasks.Add(s)
				add(s, &mcp.Tool{Name: "run", InputSchema: object()})
			})
			session, state, got := legs(t, serve(t, server), everything()), "", ""
			for i, want := range []string{"? elicitation-1", "? elicitation-2", "x"} {
				answers := mcp.InputResponseMap{fmt.Sprint("elicitation-", i): accept(map[string]any{"a": "x"})}
				if got, state = call(t, session, "run", nil, answers, state); got != want {
					t.Fatalf("round %d: got %s, want %s", i, got, want)
				}
			}
		})
	}
}

// TestTaskQuestions asks several at once, from goroutines too, and takes the
// answers one by one.
func TestTaskQuestions(t *testing.T) {
	c := taskServer(t, func(ctx context.Context, t *gosdk.Task) (*mcp.CallToolResult, error) {
		var got [2]*mcp.ElicitResult
		var failed [2]error
		var both sync.WaitGroup
		for i, key := range []string{"one", "two"} {
			both.Go(func() {
				answers, err := t.All(ctx, mcp.InputRequestMap{key: form(key, "a")})
				got[i], _ = answers[key].(*mcp.ElicitResult)
				failed[i] = err
			})
		}
		both.Wait()
		if failed[0] != nil || !errors.Is(failed[1], gosdk.ErrUnusable) {
			return nil, fmt.Errorf("got errors %v", failed)
		}
		_, err := t.All(ctx, mcp.InputRequestMap{"model": &mcp.CreateMessageParams{MaxTokens: 1}})
		return result("%v, %v", got[0].Content["a"], err), nil
	}, func(*gosdk.TaskOptions) {})
	id := c.start().TaskID
	for {
		if got := c.until(id, "input_required"); strings.Contains(string(got.InputRequests), `"one"`) && strings.Contains(string(got.InputRequests), `"two"`) {
			break
		}
	}
	c.post("tasks/update", id, fmt.Sprintf(`"taskId":%q,"inputResponses":{"two":{"action":"accept","content":{"a":7}},"other":{"ignored":true}}`, id))
	if got := c.until(id, "input_required"); strings.Contains(string(got.InputRequests), `"two"`) {
		t.Errorf("an answered question is open: %s", got.InputRequests)
	}
	c.post("tasks/update", id, fmt.Sprintf(`"taskId":%q,"inputResponses":{"one":{"action":"accept","content":{"a":"x"}}}`, id))
	over := c.until(id, "completed")
	if got, want := over.Result.Content[0].Text, "x, "; !strings.HasPrefix(got, want) || !strings.Contains(got, "sampling capability") {
		t.Errorf("got %q, want %q and that sampling is not declared", got, want)
	}
}

// TestTaskName holds Mcp-Name against the id. FastMCP's client sends none.
func TestTaskName(t *testing.T) {
	c := taskServer(t, greet, func(*gosdk.TaskOptions) {})
	id := c.start().TaskID
	for _, name := range []string{"another", ""} {
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			if _, failed := c.post(method, name, fmt.Sprintf(`"taskId":%q`, id)); !strings.HasPrefix(failed, "-32020") {
				t.Errorf("%s as %q: got %q, want -32020", method, name, failed)
			}
		}
	}
	c.until(id, "input_required")
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		if _, failed := c.about(method, id); failed != "" {
			t.Errorf("%s: got %q", method, failed)
		}
		if _, failed := c.post(method, nameless, fmt.Sprintf(`"taskId":%q`, id)); failed != "" {
			t.Errorf("%s without a name: got %q", method, failed)
		}
	}
	if _, failed := c.post("tasks/get", "=?base64?w6Q=?=", `"taskId":"ä"`); failed != unknown {
		t.Errorf("a coded name: got %q, want %q", failed, unknown)
	}
}

// TestSharedStore has two instances of a server with one store: either tells how
// a task stands, and takes an answer to it.
func TestSharedStore(t *testing.T) {
	store := gosdk.NewTaskMemory(1)
	shared := func(o *gosdk.TaskOptions) { o.Store = store }
	one, two := taskServer(t, greet, shared), taskServer(t, greet, shared)
	id := one.start().TaskID
	two.until(id, "input_required")
	if _, failed := two.call(); !strings.HasPrefix(failed, "-32603 There are too many tasks") {
		t.Errorf("a second task: got %q", failed)
	}
	if _, failed := two.about("tasks/cancel", id); failed != "" {
		t.Fatal(failed)
	}
	one.until(id, "cancelled")
}

func TestTaskMemory(t *testing.T) {
	ctx, t0 := t.Context(), time.Unix(1_800_000_000, 0)
	m := gosdk.NewTaskMemory(2)
	create := func(id string, at time.Time) error {
		return m.Create(ctx, &gosdk.TaskRecord{ID: id, Principal: "nobody", Created: at, Expires: at.Add(time.Minute)})
	}
	if err := errors.Join(create("a", t0), create("b", t0.Add(time.Second))); err != nil {
		t.Fatal(err)
	}
	if err := create("c", t0.Add(time.Minute)); !errors.Is(err, gosdk.ErrTooManyTasks) {
		t.Errorf("full: got %v", err)
	}
	if err := create("c", t0.Add(time.Minute+time.Second/2)); err != nil {
		t.Errorf("with one expired: got %v", err)
	}
	if _, err := m.Load(ctx, "a"); !errors.Is(err, gosdk.ErrNoTask) {
		t.Errorf("expired: got %v", err)
	}
	told := make(chan *gosdk.TaskRecord)
	go func() {
		r, _ := m.Wait(ctx, "b", 1)
		told <- r
	}()
	if err := m.Change(ctx, "b", func(r *gosdk.TaskRecord) { r.Message = "changed" }); err != nil {
		t.Fatal(err)
	}
	r := <-told
	if r == nil || r.Message != "changed" || r.Version != 2 {
		t.Fatalf("waited for: got %+v", r)
	}
	r.Message = "not kept"
	if r, err := m.Load(ctx, "b"); err != nil || r.Message != "changed" {
		t.Errorf("a record that was returned is the store's: %+v, %v", r, err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := m.Wait(over, "b", 2); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait past its context: got %v", err)
	}
	if err := m.Change(ctx, "x", func(*gosdk.TaskRecord) {}); !errors.Is(err, gosdk.ErrNoTask) {
		t.Errorf("Change of nothing: got %v", err)
	}
}
