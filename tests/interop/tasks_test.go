package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/tests/interop"
)

const askName = "What is your name?"

// builder is a server with a tool that goes on as a task, and what the call of
// it comes to.
type builder struct {
	interop.Server
	kind string // what it asks for before there is a task, "" for nothing
	task string // the params that ask for a task, "" where the server decides
}

// builders are the servers whose SDK has tasks: those of the extension, and
// those of 2025-11-25.
var builders = []builder{
	{interop.Server{Name: "rust", Era: interop.Modern}, "fruit", ""},
	{interop.Server{Name: "ts-legacy", Era: interop.Legacy}, "", `{"ttl":600000}`},
}

// build is the call, with another id each time.
func (b builder) build(name ...interop.Answer) interop.Case {
	id := fmt.Sprintf("%016x", rand.Uint64())
	one := interop.Case{
		Name: "build", Tool: "build", Arguments: fmt.Appendf(nil, `{"id":%q}`, id), Task: json.RawMessage(b.task),
		Answers: map[string][]interop.Answer{askName: name}, Asked: []string{askName}, Text: "built for Ada",
		Then: &interop.Then{Tool: "outcome", Arguments: fmt.Appendf(nil, `{"id":%q}`, id), Text: "finished"},
	}
	if b.kind != "" {
		one.Answers[askKind], one.Asked, one.Text = []interop.Answer{kind}, []string{askKind, askName}, "built a "+b.kind+" for Ada"
	}
	return one
}

var ada = interop.Answer{Action: "accept", Content: json.RawMessage(`{"name":"Ada"}`)}

// TestTasks has every client of Parley's see a task through that asks in the
// middle.
func TestTasks(t *testing.T) {
	for _, b := range builders {
		for _, over := range []interop.Transport{interop.HTTP, interop.Stdio} {
			t.Run(b.String()+"/"+string(over), func(t *testing.T) {
				t.Parallel()
				p := reach(t, b.Server, over)
				clients := []string{parleyGo, parleyWasm, parleyJS}
				if b.Era == interop.Legacy { // later ones the SDK's client refuses
					clients = append(clients, overTS, overTSLegacy)
				}
				for _, client := range clients {
					t.Run(client, func(t *testing.T) {
						if client != parleyGo && client != parleyWasm {
							interop.SetUp(t, client)
						}
						refused := b.build(interop.Answer{Action: "decline"})
						refused.Text = "built " + map[bool]string{true: "a " + b.kind + " ", false: ""}[b.kind != ""] + "for nobody"
						cases := []interop.Case{b.build(ada), refused}
						check(t, cases, play(t, client, p.at, b.Era, cases))
					})
				}
				t.Run("stages", func(t *testing.T) { stages(t, b, p) })
				t.Run("cancelled", func(t *testing.T) { cancelTask(t, b, p) })
			})
		}
	}
}

// stages are what a person is shown of a task.
func stages(t *testing.T, b builder, p *peer) {
	c := dial(t, parleyGo, p.transport(), b.Era)
	one := b.build(ada)
	cb := c.callbacks(one.Person())
	seen := map[engine.Task]bool{}
	cb.OnTask = func(task engine.Task) { seen[task] = true }
	if _, err := c.call(t.Context(), one, cb); err != nil {
		t.Fatal(explained(err))
	}
	for _, want := range []engine.Task{{Status: "working", Message: "Building"}} {
		if !seen[want] {
			t.Errorf("got stages %v, want %v among them", seen, want)
		}
	}
}

// cancelTask gives a call up while its task works: the server is told, and
// stops.
func cancelTask(t *testing.T, b builder, p *peer) {
	c := dial(t, parleyGo, p.transport(), b.Era)
	one := b.build()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cb := c.callbacks(one.Person())
	cb.OnTask = func(engine.Task) { cancel() }
	if _, err := c.call(ctx, one, cb); !errors.Is(err, fault.Canceled) {
		t.Fatalf("got %v, want a call that was canceled", err)
	}
	got := ""
	for late := time.Now().Add(interop.Patience); got != "cancelled" && time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
		got = c.say(t.Context(), interop.Case{Tool: one.Then.Tool, Arguments: one.Then.Arguments})
	}
	if got != "cancelled" {
		t.Errorf("afterwards: got %q, want %q", got, "cancelled")
	}
}

// TestTaskParked parks a call in the middle of its task with each of Parley's
// clients, and finishes it in another process of each.
func TestTaskParked(t *testing.T) {
	t.Parallel()
	interop.SetUp(t, parleyJS)
	b := builders[0]
	p := reach(t, b.Server, interop.HTTP)
	clients := []string{parleyGo, parleyJS}
	for _, first := range clients {
		for _, second := range clients {
			t.Run(first+" to "+second, func(t *testing.T) {
				begin := b.build(park)
				finish := begin
				begin.Then = nil
				got := playElsewhere(t, first, p.at, begin)[0]
				if got.Error != "" || got.Snapshot == "" {
					t.Fatalf("got %+v, want a call that is parked in its task", got)
				}
				finish.Answers, finish.Asked = map[string][]interop.Answer{askName: {ada}}, []string{askName}
				finish.Snapshot = got.Snapshot
				finish.Check(t, playElsewhere(t, second, p.at, finish)[0])
			})
		}
	}
}

// TestTaskElsewhere goes on with a call in another session while its task works.
// The extension's tasks do not mind; those of the TypeScript SDK belong to the
// session that made them, and it is said that there is no such task any more. In
// the earlier era a session that goes on has to know the version, as hosts do.
func TestTaskElsewhere(t *testing.T) {
	for _, b := range builders {
		t.Run(b.String(), func(t *testing.T) {
			t.Parallel()
			p := reach(t, b.Server, interop.HTTP)
			c := dial(t, parleyGo, p.transport(), b.Era)
			one := b.build(ada)
			cb := c.callbacks(one.Person())
			made := false
			leave := errors.New("leave it")
			cb.OnTask = func(engine.Task) { made = true }
			cb.Save = func(context.Context, []byte) error {
				if made {
					return leave
				}
				return nil
			}
			_, err := c.call(t.Context(), one, cb)
			var failed *parley.Error
			if !errors.As(err, &failed) || !errors.Is(err, leave) || !failed.Resumable {
				t.Fatalf("got %v, want a call that was left while its task works", err)
			}
			other, err := parley.NewSession(parley.Native{}, p.transport(), parley.SessionOptions{Known: c.version(), Askers: cb.Askers, ProbeTimeout: interop.Patience})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			out, err := other.Resume(t.Context(), c.callbacks(one.Person()).Resumption(parley.Resumption{Snapshot: failed.Snapshot, Expect: mine}))
			if b.Era == interop.Legacy {
				if !errors.Is(err, fault.Task) {
					t.Errorf("got %s, %v, want that the task is not known", out.Result, err)
				}
				return
			}
			if err != nil {
				t.Fatal(explained(err))
			}
			if got := textOf(out.Result); got != one.Text {
				t.Errorf("got %q, want %q", got, one.Text)
			}
		})
	}
}

// TestTaskOfExample has Parley's clients provision at tests/stories/go-server, whose
// SDK knows nothing of tasks.
func TestTaskOfExample(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	at := target{url: interop.Serve(t, append(goServer(t, root), "-step", "50ms")...)}
	const confirm, login = "web-1 costs 48 EUR a month. Provision it?", "web-1 is installed. Who may log in?"
	provision := interop.Case{
		Name: "provision", Tool: "provision", Arguments: json.RawMessage(`{"name":"web-1"}`),
		Answers: accept(confirm, `{"confirm":true}`, login, `{"user":"ada"}`), Asked: []string{confirm, login},
		Text: "Provisioned web-1 for 48 EUR a month. ada may log in with a key.",
	}
	interop.SetUp(t, parleyJS)
	for _, client := range []string{parleyGo, parleyWasm, parleyJS} {
		cases := []interop.Case{provision}
		check(t, cases, play(t, client, at, interop.Modern, cases))
	}
	begin := provision
	begin.Answers = map[string][]interop.Answer{confirm: provision.Answers[confirm], login: {park}}
	for _, clients := range [][2]string{{parleyGo, parleyJS}, {parleyJS, parleyGo}} {
		finish := provision
		finish.Snapshot, finish.Asked = playElsewhere(t, clients[0], at, begin)[0].Snapshot, []string{login}
		if finish.Snapshot == "" {
			t.Fatalf("%s did not park the call", clients[0])
		}
		finish.Check(t, playElsewhere(t, clients[1], at, finish)[0])
	}
}
