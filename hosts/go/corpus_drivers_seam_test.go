package parley_test

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
	"github.com/parley-mcp/parley/internal/wire"
)

// connection is where the calls of a script go out.
type connection struct{ session *parley.Session }

// connect makes the connection that a script's call goes out by.
func (c *played) connect() (*connection, error) {
	s, err := parley.NewSession(c.stage.engine, parley.Requests(c.send), parley.SessionOptions{Askers: c.callbacks(c.script.Session).Askers})
	if err != nil {
		return nil, err
	}
	return &connection{s}, nil
}

func (c *connection) close() error { return c.session.Close() }

func (c *connection) call(ctx context.Context, script drivertest.Call, cb hosttest.Callbacks) (parley.Outcome, error) {
	opts, err := options(script)
	if err != nil {
		return parley.Outcome{}, err
	}
	return c.session.Call(ctx, cb.Request(script.Method, script.Params, opts))
}

func (c *connection) resume(ctx context.Context, snapshot []byte, r drivertest.Resume, cb hosttest.Callbacks) (parley.Outcome, error) {
	expect, err := expected(r)
	if err != nil {
		return parley.Outcome{}, err
	}
	return c.session.Resume(ctx, cb.Resumption(parley.Resumption{Snapshot: snapshot, Expect: expect, Resend: r.Resend, Again: r.Again, MoreRounds: r.MoreRounds}))
}

// callbacks are those that a script names.
func (c *played) callbacks(names []string) (cb hosttest.Callbacks) {
	asker := func(name string) func(context.Context, parley.Question) ([]byte, error) {
		return func(ctx context.Context, q parley.Question) ([]byte, error) {
			b := c.wait(ctx, q.Key, drivertest.Line(name, askOf(q)), "withdrawn "+q.Key, nil)
			return b.text, b.err
		}
	}
	for _, name := range names {
		switch name {
		case "elicit":
			cb.Elicit = asker(name)
		case "elicitUrl":
			cb.ElicitURL = asker(name)
		case "sample":
			cb.Sample = asker(name)
		case "sampleTools":
			cb.SampleTools = true
		case "listRoots":
			cb.ListRoots = asker(name)
		case "tasks":
			cb.Tasks = true
		case "park": // of a call, which has a signal of its own
		case "watchersPanic":
		case "save":
			cb.Save = func(ctx context.Context, snapshot []byte) error {
				c.saved = snapshot
				return c.wait(ctx, name, name, "", nil).err
			}
		case "onTask":
			cb.OnTask = func(task engine.Task) {
				c.watch(drivertest.Line("task", drivertest.Task{Status: task.Status, Message: task.Message}))
			}
		case "onProgress":
			cb.OnProgress = func(leg int, params []byte) {
				c.watch(drivertest.Line("progress", drivertest.Progress{Leg: leg, Params: params}))
			}
		case "onNote":
			cb.OnNote = func(n engine.Note) {
				c.watch(drivertest.Line("note", drivertest.Note{Kind: string(n.Kind), Leg: n.Leg, Ask: n.Ask, Action: n.Action}))
			}
		case "noAskers":
			cb.NoAskers = true
		case "fill":
			cb.Fill = true
		case "onLeg":
			cb.OnLeg = func(l engine.Leg) {
				c.watch(drivertest.Line("leg", drivertest.Leg{Leg: l.Leg, Method: l.Method, Size: l.Size, Answer: l.Answer, State: l.State, Asks: l.Asks}))
			}
		case "onPause":
			cb.OnPause = func(p engine.Pause) { c.watch(drivertest.Line("pause", drivertest.Pause{Waits: p.Waits})) }
		default:
			panic("a callback that nobody knows: " + name)
		}
	}
	return cb
}

func askOf(q parley.Question) drivertest.Ask {
	return drivertest.Ask{
		Ask: q.ID, Key: q.Key, Mode: string(q.Mode), Params: q.Params, Round: q.Round,
		Host: q.Host, Loopback: q.Loopback, Punycode: q.Punycode, Repeat: q.Repeat, Problem: q.Problem.String(), Earlier: q.Earlier,
	}
}

// options reads the options of a script's call.
func options(script drivertest.Call) (engine.Options, error) {
	object := script.Options
	if object == nil {
		object = []byte("{}")
	}
	_, _, opts, bad := wire.Text.DecodeNew(fmt.Appendf(nil, `{"method":"tools/call","options":%s}`, object))
	if bad != nil {
		return opts, bad
	}
	return opts, nil
}

// expected reads what a restored call must be.
func expected(r drivertest.Resume) (engine.Expect, error) {
	rest := "}"
	if len(r.Expect) > 2 {
		rest = "," + string(r.Expect[1:])
	}
	_, expect, bad := wire.Text.DecodeRestore([]byte(`{"snapshot":""` + rest))
	if bad != nil {
		return expect, bad
	}
	return expect, nil
}
