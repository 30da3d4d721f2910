package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/examples/terminal/internal/console"
	"github.com/parley-mcp/parley/examples/terminal/internal/dialog"
	"github.com/parley-mcp/parley/examples/terminal/internal/plain"
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
	core, closeCore, err := c.newEngine(ctx)
	if err != nil {
		if s != nil {
			s.keep(nil)
		}
		screen.Fail("%v", err)
		return exitFailed
	}
	defer closeCore()

	h := &host{command: c, console: screen, dialogs: dialogs(c, screen, s != nil), roots: roots, saved: s}
	w := &wire{host: h, client: parley.HTTP{
		URL:        c.url,
		Client:     &http.Client{CheckRedirect: refuseRedirect},
		ClientInfo: parley.Implementation{Name: "parley-terminal", Title: "Parley in the terminal", Version: moduleVersion()},
	}}
	w.client.OnNotification = w.notification
	callbacks := parley.Callbacks{Send: w.send, Elicit: h.elicit, OnProgress: w.progress, OnNote: w.note}
	var can engine.Info // what a restored call has declared
	if from != nil {
		can = from.info
	}
	if can.URL || from == nil && (h.dialogs != nil || c.script != nil) {
		callbacks.ElicitURL = h.page
	}
	if can.Sampling || from == nil && (c.model != nil || c.script != nil && len(c.script.Samples) > 0) {
		callbacks.Sample = h.sample
	}
	if can.Roots || from == nil && roots != nil {
		callbacks.ListRoots = h.listRoots
	}
	if s != nil {
		callbacks.Save = s.save
	}
	var outcome parley.Outcome
	if from == nil {
		options := engine.Options{LegTimeout: c.timeout, Audit: c.trace, Peer: peer(c.url)}
		if c.timeout == 0 {
			options.LegTimeout = -1
		}
		if s != nil {
			options.ID = s.id
		}
		outcome, err = parley.Call(ctx, core, c.method, c.params, options, callbacks)
	} else {
		expect := engine.Expect{Peer: peer(c.url), MaxRounds: from.info.Round + moreRounds}
		outcome, err = parley.Resume(ctx, core, from.snapshot, expect, c.resend, callbacks)
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
	goesOn := errors.As(err, &failed) && failed.Resumable && !errors.Is(err, errStopped)
	worth := h.saved != nil && (h.begun || h.saved.resumed) // somebody was asked
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
	code := c.report(ctx, h.console, err)
	if goesOn && worth {
		return h.kept(failed.Snapshot, code)
	}
	return code
}

// kept leaves the call in the store and says how to go on with it.
func (h *host) kept(snapshot []byte, code int) int {
	if !h.saved.keep(snapshot) {
		return exitFailed
	}
	how := "parley resume " + h.saved.id
	if h.stateDir != "" {
		how += " --state-dir " + plain.Line(h.stateDir, mostMessage)
	}
	h.console.Say("parked as %s: go on with  %s", h.saved.id, how)
	h.saved.entry.snapshot = snapshot
	if info, err := h.saved.entry.info(); err == nil && info.InDoubt {
		h.console.Say("%s", inDoubt)
	}
	return code
}

// inDoubt is what a person has to know to decide on --resend.
const inDoubt = "It is in doubt: the tool was called, and the answer did not arrive. Whatever it does may be done or not. " +
	"Find out if you can. --resend calls it again with the same answers, so that it may be done twice; parley discard lets it be."

func (c *command) newEngine(ctx context.Context) (parley.Engine, func(), error) {
	if c.engine == "native" {
		return parley.Native{}, func() {}, nil
	}
	runtime, err := parley.NewRuntime(ctx, parley.RuntimeOptions{Instances: 1})
	if err != nil {
		return nil, nil, err
	}
	return runtime, func() { runtime.Close() }, nil
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

// refuseRedirect keeps what the person answers from going anywhere else than
// to the server they named.
func refuseRedirect(r *http.Request, _ []*http.Request) error {
	return fmt.Errorf("the server wants to be called at %s instead", r.URL)
}
