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
		screen.Fail("%s", plain.Line(err.Error(), mostMessage))
		return exitUsage
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
		screen.Fail("%s", plain.Line(err.Error(), mostMessage))
		return exitUsage
	}
	defer conn.close()
	h.wire = conn.wire
	h.wire.task = from != nil && from.info.Task != "" // which the first signal must know
	h.calling, h.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer h.cancel(nil)
	defer context.AfterFunc(ctx, h.interrupted)()
	c.interrupts.takenBy(h.asksToLeave)
	var outcome parley.Outcome
	if from == nil {
		options := engine.Options{LegTimeout: c.legTimeout(), Audit: c.trace, Peer: c.peer()}
		if s != nil {
			options.ID = s.id
		}
		outcome, err = conn.Call(h.calling, c.method, c.params, options, callbacks)
	} else {
		expect := engine.Expect{Peer: c.peer(), MaxRounds: from.info.Round + moreRounds}
		outcome, err = conn.Resume(h.calling, from.snapshot, expect, c.resend, callbacks)
	}
	h.leave()
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
		return h.kept(outcome.Snapshot, exitParked)
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
	goesOn := errors.As(err, &failed) && failed.Resumable && !errors.Is(err, errStopped) && !h.lostWith(failed)
	worth := h.saved != nil && (h.begun || h.saved.resumed || h.wire.isTask()) // somebody was asked, or something goes on
	switch {
	case h.saved == nil:
	case errors.Is(err, parley.ErrTaken):
		h.saved.endKeep()
		return c.fail(h.console, err)
	case failed == nil && h.saved.resumed: // it did not even begin
		h.saved.keep(nil)
	case !goesOn || !worth:
		h.saved.forget()
	case ctx.Err() != nil:
		return h.kept(failed.Snapshot, exitParked)
	}
	code := c.report(ctx, h, err)
	if goesOn && worth {
		return h.kept(failed.Snapshot, code)
	}
	return code
}

// legTimeout is --timeout as the engine has it.
func (c *command) legTimeout() time.Duration {
	if c.timeout == 0 {
		return -1
	}
	return c.timeout
}

// kept leaves the call in the store and says how to go on with it.
func (h *host) kept(snapshot []byte, code int) int {
	if !h.saved.keep(snapshot) {
		return exitFailed
	}
	h.console.Say("parked as %s: go on with  %s", h.saved.id, h.resumeLine(h.saved.id))
	h.saved.entry.snapshot = snapshot
	if info, err := h.saved.entry.info(); err == nil && info.InDoubt {
		h.console.Say("%s", inDoubt)
	}
	if h.wire.isTask() {
		h.console.Say("The task goes on at %s meanwhile.", h.label)
	}
	return code
}

// resumeLine is what goes on with a call.
func (c *command) resumeLine(id string) string {
	line := "parley resume " + id
	if c.stateDir != "" {
		line += " --state-dir " + plain.Line(c.stateDir, mostMessage)
	}
	return line
}

// inDoubt is what a person has to know to decide on --resend.
const inDoubt = "It is in doubt: the tool was called, and the answer did not arrive. Whatever it does may be done or not. " +
	"Find out if you can. --resend calls it again, so that it may be done twice; parley discard lets it be."

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
