package parley_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// played is a call of a script.
type played struct {
	stage  *stage
	prefix string
	script drivertest.Call

	connection *connection

	cancel  context.CancelCauseFunc
	park    chan struct{}
	open    bool
	waiting map[string]*waiting // callbacks that have not returned: legs, questions, save
	left    []*waiting          // those of the call before it was resumed
	last    []byte              // the snapshot of the outcome
	saved   []byte
	threw   []string
}

// waiting is a callback that has not returned.
type waiting struct {
	ctx      context.Context
	ends     string // the line of its context
	back     chan back
	minds    chan error // what it fails with as soon as its context ends
	progress func([]byte)
}

// back is what a callback comes back with.
type back struct {
	text  []byte
	err   error
	panic string
}

// comeBack lets a callback return.
func (c *played) comeBack(in drivertest.Input) error {
	var b back
	if in.Verb == "minds" {
		w, err := c.waits(in.Target)
		if err == nil {
			w.minds <- c.threwn(in.Rest)
		}
		return err
	}
	switch in.Verb {
	case "response", "answer":
		b.text = []byte(in.Rest)
	case "base64":
		var err error
		if b.text, err = base64.StdEncoding.DecodeString(in.Rest); err != nil {
			return err
		}
	case "trap":
		b.text = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"text":%q}}`, strings.Repeat("x", 1<<20-1000))
	case "lost", "refuse":
		b.err = c.threwn(in.Rest)
	case "unsent":
		b.err = errors.Join(parley.ErrUnsent, c.threwn(in.Rest))
	case "parks":
		b.err = parley.ErrPark
	case "panic":
		b.panic = in.Rest
		c.threwn(in.Rest)
	case "saved":
		in.Target = "save"
	case "unsaved":
		in.Target = "save"
		b.err = c.threwn(in.Rest)
	default:
		return errors.New("nothing of this name can happen")
	}
	w, err := c.waits(in.Target)
	if err == nil {
		c.stage.mu.Lock()
		delete(c.waiting, in.Target)
		c.stage.mu.Unlock()
		w.back <- b
	}
	return err
}

func (c *played) waits(name string) (*waiting, error) {
	c.stage.mu.Lock()
	defer c.stage.mu.Unlock()
	if w := c.waiting[name]; w != nil {
		return w, nil
	}
	return nil, fmt.Errorf("no callback waits for %s", name)
}

// threwn is an error of the script.
func (c *played) threwn(words string) error {
	c.threw = append(c.threw, words)
	return errors.New(words)
}

// start runs a call and notes how it ends.
func (c *played) start(run func(context.Context, hosttest.Callbacks) (parley.Outcome, error)) error {
	if c.open {
		return errors.New("the call before is not over")
	}
	var err error
	if c.connection != nil {
		c.connection.close()
	}
	if c.connection, err = c.connect(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	for _, w := range c.waiting {
		c.left = append(c.left, w)
	}
	c.cancel, c.park, c.open, c.waiting = cancel, make(chan struct{}), true, map[string]*waiting{}
	cb := c.callbacks(c.script.Callbacks)
	if c.script.Has("park") {
		cb.Park = c.park
	}
	go func() {
		out, err := run(ctx, cb)
		line := c.end(out, err)
		c.stage.mu.Lock()
		c.open = false
		c.stage.mu.Unlock()
		c.note(line)
	}()
	return nil
}

func (c *played) end(out parley.Outcome, err error) string {
	c.last = nil
	var failed *parley.Error
	var misuse *engine.Error
	switch {
	case err == nil && out.Parked:
		if c.last = out.Snapshot; out.Snapshot == nil {
			return "parked without a snapshot"
		}
		return "parked"
	case err == nil:
		return drivertest.Done(out.Result, out.NoStore)
	case errors.As(err, &failed):
		c.last = failed.Snapshot
		line := drivertest.Failed{Code: int(failed.Code), Detail: failed.Detail, Resumable: failed.Resumable, InDoubt: failed.InDoubt, Response: failed.Response}
		if failed.Code == 0 {
			line.Detail = ""
		}
		for _, words := range c.threw {
			if failed.Cause != nil && strings.Contains(failed.Cause.Error(), words) {
				line.Cause = words
			}
		}
		if failed.Resumable != (failed.Snapshot != nil) {
			return drivertest.Line("failed", line) + " and the snapshot is not as it says"
		}
		return drivertest.Line("failed", line)
	case errors.Is(err, parley.ErrInstance):
		return drivertest.Line("failed", drivertest.Failed{})
	case errors.As(err, &misuse):
		return drivertest.Line("misuse", drivertest.Misuse{Code: int(misuse.Code), Detail: misuse.Detail.String()})
	}
	return drivertest.Line("misuse", drivertest.Misuse{})
}

func (c *played) note(line string) {
	c.stage.mu.Lock()
	defer c.stage.mu.Unlock()
	c.add(line)
}

// watch is a callback that watches. It returns when nothing else moves any more,
// so that whatever the driver has begun by then shows.
func (c *played) watch(line string) {
	c.note(line)
	c.stage.dawdle()
	if c.script.Has("watchersPanic") {
		panic("a watcher that panics")
	}
}

// add notes a line, with the lock.
func (c *played) add(line string) {
	c.stage.lines = append(c.stage.lines, c.prefix+line)
	select {
	case c.stage.called <- struct{}{}:
	default:
	}
}

// wait notes a line and waits until the script lets the callback return.
func (c *played) wait(ctx context.Context, name, line, ends string, progress func([]byte)) back {
	w := &waiting{ctx: ctx, ends: ends, back: make(chan back, 1), minds: make(chan error, 1), progress: progress}
	c.stage.mu.Lock()
	over := c.stage.over
	c.add(line)
	if !over {
		c.waiting[name] = w
	}
	c.stage.mu.Unlock()
	if over {
		return back{err: errors.New("the script is over")}
	}
	b := w.comesBack(c, name)
	if b.panic != "" {
		panic(b.panic)
	}
	return b
}

func (w *waiting) comesBack(c *played, name string) back {
	select {
	case b := <-w.back:
		return b
	case err := <-w.minds:
		select {
		case b := <-w.back:
			return b
		case <-w.ctx.Done():
			c.stage.mu.Lock()
			delete(c.waiting, name)
			c.stage.mu.Unlock()
			return back{err: err}
		}
	}
}

// send is the transport.
func (c *played) send(ctx context.Context, r parley.Outbound) ([]byte, error) {
	name, line := "send", drivertest.Send{Leg: r.Leg, Method: r.Method, Params: r.Params, Capabilities: r.Capabilities}
	if r.Leg == 0 {
		c.note(drivertest.Line("tell", line))
		return nil, errors.New("nobody waits for it")
	}
	leg := strconv.Itoa(r.Leg)
	b := c.wait(ctx, leg, drivertest.Line(name, line), "aborted "+leg, r.Progress)
	return b.text, b.err
}
