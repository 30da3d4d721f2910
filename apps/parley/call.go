package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// call makes the call and returns the exit code.
func (c *command) call(ctx context.Context, screen *console.Console) int {
	roots, err := c.listedRoots()
	var s *saved
	if err == nil {
		s, err = c.save(screen, c.entry(roots))
	}
	if err != nil {
		return misused(screen, err)
	}
	return c.converse(ctx, screen, s, roots, nil)
}

// restored is a call that is gone on with.
type restored struct {
	snapshot []byte
	info     engine.Info
}

// moreRounds is how many more rounds a call may ask in when somebody goes on
// with it, the engine's default for a new one.
const moreRounds = 10

// converse makes a call, or goes on with one, and returns the exit code.
func (c *command) converse(ctx context.Context, screen *console.Console, s *saved, roots []json.RawMessage, from *restored) int {
	h := &host{command: c, console: screen, dialogs: dialogs(c, screen, s != nil), roots: roots, saved: s, park: make(chan struct{})}
	callbacks := h.callbacks(from)
	conn, err := c.connect(ctx, screen, callbacks, false)
	if err != nil {
		switch {
		case s == nil:
		case s.resumed:
			s.keep(nil)
		default:
			s.forget()
		}
		return misused(screen, err)
	}
	defer conn.close()
	h.conn = conn
	conn.watch.task = from != nil && from.info.Task != "" // which the first signal must know
	callbacks = conn.watch.into(callbacks)
	h.calling, h.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer h.cancel(nil)
	defer context.AfterFunc(ctx, h.interrupted)()
	c.interrupts.takenBy(h.asksToLeave)
	conn.watch.begin()
	var outcome parley.Outcome
	if from == nil {
		options := engine.Options{LegTimeout: c.legTimeout(), Audit: c.trace, Peer: c.peer()}
		if s != nil {
			options.ID = s.id
		}
		outcome, err = conn.Call(h.calling, c.method, c.params, options, callbacks)
	} else {
		options := parley.ResumeOptions{Expect: c.expect(), Resend: c.resend, Again: c.again, MoreRounds: moreRounds}
		outcome, err = conn.Resume(h.calling, from.snapshot, options, callbacks)
	}
	for failed := (*parley.Error)(nil); h.dialogs != nil && errors.Is(err, engine.ErrState) && errors.As(err, &failed); {
		if ended := h.startsOver(err); ended != nil {
			err = errors.Join(err, ended)
			break
		}
		outcome, err = conn.Resume(h.calling, failed.Snapshot, parley.ResumeOptions{Expect: c.expect(), Again: true}, callbacks)
	}
	h.leave()
	conn.watch.end()
	conn.Flush() // what the server has logged comes before how it ended
	screen.Idle()
	code := c.conclude(ctx, h, outcome, err)
	if c.script != nil {
		if unused := c.script.Unused(); len(unused) > 0 {
			screen.Warn("%s: nothing asked for %s", plain.Line(c.scriptFile, 200), plain.Line(strings.Join(unused, ", "), mostMessage))
		}
	}
	return code
}

// conclude says how the call ended, keeps it if it can go on, and returns the
// exit code.
func (c *command) conclude(ctx context.Context, h *host, outcome parley.Outcome, err error) int {
	switch {
	case err == nil && outcome.Parked:
		return h.kept(nil, outcome.Snapshot, exitParked)
	case err == nil:
		if h.saved != nil {
			h.saved.forget()
		}
		if h.begun && h.console.Terminal() {
			h.console.Say("") // between the conversation and its result
		}
		return c.print(os.Stdout, h.console, outcome.Result)
	}
	var failed *parley.Error
	errors.As(err, &failed)
	goesOn := failed != nil && failed.Resumable && !errors.Is(err, errStopped)
	switch {
	case errors.Is(err, parley.ErrTaken):
		h.saved.endKeep()
		return c.fail(h.console, err)
	case h.saved == nil:
	case failed == nil && h.saved.resumed: // it did not even begin
		h.saved.keep(nil)
	case goesOn && (h.begun || h.saved.resumed || failed.InDoubt || h.conn.watch.isTask()): // somebody was asked, or something may go on
		if (ctx.Err() != nil || errors.Is(err, parley.ErrPark)) && !failed.InDoubt {
			return h.kept(failed, failed.Snapshot, exitParked)
		}
		return h.kept(failed, failed.Snapshot, c.report(ctx, h, err))
	default:
		h.saved.forget()
	}
	return c.report(ctx, h, err)
}

// startsOver lets the person choose whether a call begins again that the server
// does not go on with, or how it ends.
func (h *host) startsOver(err error) error {
	h.conn.watch.ask()
	defer h.conn.watch.asked()
	h.console.Hold()
	defer h.console.Release()
	h.console.Warn("%s", plain.Line(h.reason(err), mostMessage))
	screen := *h.dialogs
	screen.Park = h.saved != nil
	if _, err = screen.Choose(h.calling, "Start over? What you answered is filled in.", "Start over"); err != nil {
		return h.ended(err)
	}
	h.console.Done("started over")
	return nil
}

// expect is what a call must be that is gone on with.
func (c *command) expect() engine.Expect { return engine.Expect{Peer: c.peer()} }

// legTimeout is --timeout as the engine has it.
func (c *command) legTimeout() time.Duration {
	if c.timeout == 0 {
		return -1
	}
	return c.timeout
}

// kept leaves the call in the store and says how to go on with it. failed is
// nil if it was parked.
func (h *host) kept(failed *parley.Error, snapshot []byte, code int) int {
	if !h.saved.keep(snapshot) {
		return exitFailed
	}
	h.console.Say("parked as %s: go on with  %s", h.saved.id, h.resumeLine(h.saved.id))
	switch {
	case failed != nil && failed.InDoubt:
		h.console.Say("%s", resends)
	case failed != nil && failed.Code == engine.ErrState:
		h.console.Say("--again starts it over, with what was answered filled in.")
	case h.conn.watch.taskGoesOn():
		h.console.Say("The task goes on at %s meanwhile.", h.label)
	}
	return code
}

// resends is what can be done about a call in doubt.
const resends = "--resend calls the tool again, so that it may run twice; parley discard lets it be."

// resumeLine is what goes on with a call.
func (c *command) resumeLine(id string) string {
	line := "parley resume " + id
	if c.stateDir != "" {
		line += " --state-dir " + plain.Line(c.stateDir, mostMessage)
	}
	return line
}

// dialogs is where the person can be asked, nil if nobody can be.
func dialogs(c *command, screen *console.Console, park bool) *dialog.Screen {
	if c.script != nil || !screen.Terminal() {
		return nil
	}
	in := os.Stdin
	if !term.IsTerminal(in.Fd()) { // the arguments came from there, say
		tty, _, err := tea.OpenTTY()
		if err != nil {
			return nil
		}
		in = tty
	}
	return &dialog.Screen{In: in, Out: screen.File(), Environ: screen.Environ(), Park: park}
}
