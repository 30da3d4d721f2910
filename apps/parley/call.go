package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// call makes the call and returns the exit code.
func (c *command) call(ctx context.Context, screen *console.Console) int {
	roots, err := c.listedRoots()
	var s *saved.Call
	if err == nil {
		s, err = c.save(ctx, screen, roots)
	}
	if err != nil {
		return misused(screen, err)
	}
	return c.converse(ctx, screen, s, roots, nil)
}

// restored is a call that is resumed.
type restored struct {
	snapshot []byte
	info     engine.Info
}

// converse makes a call, or goes on with one, and returns the exit code.
func (c *command) converse(ctx context.Context, screen *console.Console, s *saved.Call, roots []json.RawMessage, from *restored) int {
	h, err := c.newHost(screen, s, roots)
	if err != nil {
		h.end(parley.Outcome{}, err, false)
		return misused(screen, err)
	}
	principal, err := c.principal(ctx, h.signer, from)
	if err != nil {
		h.end(parley.Outcome{}, err, false)
		return c.fail(screen, err)
	}
	conn, err := h.connect(from, from == nil && c.blank != "" && h.dialogs != nil)
	if err != nil {
		h.end(parley.Outcome{}, err, false)
		return misused(screen, err)
	}
	defer conn.close()
	conn.watch.task = from != nil && from.info.Task != "" // which the first signal must know
	defer h.runs(ctx)()
	if from == nil {
		if err := h.fillIn(); err != nil {
			h.rests()
			h.end(parley.Outcome{}, errStopped, false)
			return c.report(ctx, h, err)
		}
	}
	var outcome parley.Outcome
	if from == nil {
		request := c.request(conn, c.method)
		request.Params, request.Save, request.Park = c.params, s.Saver(), h.park
		request.Options.Principal = principal
		if s != nil {
			request.Options.ID = s.ID
		}
		outcome, err = conn.Call(h.calling, request)
	} else {
		outcome, err = h.goOn(parley.Resumption{Snapshot: from.snapshot, Resend: c.resend, Again: c.again, MoreRounds: saved.MoreRounds})
	}
	for failed := (*parley.Error)(nil); h.dialogs != nil && errors.Is(err, fault.State) && errors.As(err, &failed); {
		if ended := h.startsOver(err); ended != nil {
			err = errors.Join(err, ended)
			break
		}
		outcome, err = h.goOn(parley.Resumption{Snapshot: failed.Snapshot, Again: true})
	}
	h.rests()
	code := c.conclude(ctx, h, outcome, err)
	if c.script != nil {
		if unused := c.script.Unused(); len(unused) > 0 {
			screen.Warn("%s: nothing asked for %s", plain.Line(c.scriptFile, 200), plain.Line(strings.Join(unused, ", "), maxMessage))
		}
	}
	return code
}

// principal is whose a new call is. A call that is resumed is whose it was, and
// goes on as nobody else.
func (c *command) principal(ctx context.Context, s *signer, from *restored) (string, error) {
	if from == nil {
		return s.access.Principal(ctx)
	}
	if err := s.access.Resumes(ctx, from.info.Principal); err != nil {
		return "", fmt.Errorf("call %s cannot be resumed: %w", c.id, err)
	}
	return from.info.Principal, nil
}

// goOn goes on with the call.
func (h *host) goOn(r parley.Resumption) (parley.Outcome, error) {
	r.Expect = engine.Expect{Peer: h.Peer(), Principal: saved.Principal(r.Snapshot)}
	r.Watchers, r.Save, r.Park = h.conn.watch.watchers(), h.saved.Saver(), h.park
	return h.conn.Resume(h.calling, r)
}

// conclude says how the call ended, keeps it if it can go on, and returns the
// exit code.
func (c *command) conclude(ctx context.Context, h *host, outcome parley.Outcome, err error) (code int) {
	var failed *parley.Error
	errors.As(err, &failed)
	kept := h.end(outcome, err, h.begun || h.conn.watch.isTask())
	switch {
	case err == nil && outcome.Parked && !kept:
		return exitFailed
	case err == nil && outcome.Parked,
		kept && failed != nil && !failed.InDoubt && (ctx.Err() != nil || errors.Is(err, parley.ErrPark)):
		code = exitParked
	case err == nil:
		if h.begun && h.console.Terminal() {
			h.console.Say("") // between the conversation and its result
		}
		return c.print(h.console, outcome.Result)
	case errors.Is(err, store.ErrTaken):
		return c.fail(h.console, err)
	default:
		code = c.report(ctx, h, err)
	}
	if kept && (failed != nil || err == nil) {
		h.goesOn(failed)
	}
	return code
}

// end ends the saving of the call, and reports whether it can be resumed.
func (h *host) end(outcome parley.Outcome, err error, worth bool) (kept bool) {
	kept, problem := h.saved.End(outcome, err, errors.Is(err, errStopped), worth)
	if problem != nil {
		h.console.Warn("%s", problem)
	}
	return kept
}

// startsOver lets the person choose whether a call begins again that the server
// does not go on with, or how it ends.
func (h *host) startsOver(err error) error {
	h.conn.watch.ask()
	defer h.conn.watch.asked()
	h.console.Hold()
	defer h.console.Release()
	h.console.Warn("%s", plain.Line(h.reason(err), maxMessage))
	screen := *h.dialogs
	screen.Park = h.saved.Keeps()
	if _, err = screen.Choose(h.calling, "Start over? What you answered is filled in.", "Start over"); err != nil {
		return h.ended(err)
	}
	h.console.Done("started over")
	return nil
}

// goesOn says how to go on with the call. failed is nil if it was parked.
func (h *host) goesOn(failed *parley.Error) {
	id := h.saved.ID
	switch {
	case failed != nil && failed.InDoubt:
		h.console.Say("parked as %s: %s", id, h.resends(id))
	case failed != nil && failed.Code == fault.Rounds:
		h.console.Say("parked as %s: resume it with  %s", id, h.resumeLine(id))
		h.console.Say("It may ask in %d more rounds then.", saved.MoreRounds)
	case failed != nil && failed.Code == fault.State:
		h.console.Say("parked as %s: start it over, with what was answered filled in, by  %s", id, h.resumeLine(id, "--again"))
	default:
		h.console.Say("parked as %s: resume it with  %s", id, h.resumeLine(id))
		if h.conn.watch.taskGoesOn() {
			h.console.Say("The task continues at %s meanwhile.", h.Label)
		}
	}
}

// resends is what can be done about a call in doubt.
func (c *command) resends(id string) string {
	return fmt.Sprintf("this sends it again, and the tool may run twice:  %s\nThis deletes it:  %s", c.resumeLine(id, "--resend"), c.line("discard", id))
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
