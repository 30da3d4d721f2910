package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/examples/terminal/internal/dialog"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/plain"
)

// mostStatus bounds a status message on the line that waits, in characters.
const mostStatus = 200

// onTask shows how the task stands that the call has become.
func (h *host) onTask(t engine.Task) {
	text := plain.Line(t.Message, mostStatus)
	if h.trace {
		h.console.Aside("%s", strings.TrimRight("  task  "+plain.Line(t.Status, mostKey)+"  "+text, " "))
	}
	if text == "" {
		text = "works on it as a task"
	}
	h.wire.tasks(text)
}

// offer is what the dialog says that Ctrl-C opens while a task runs.
func (h *host) offer() string {
	if h.saved == nil {
		return "The task goes on at " + h.label + ". Stopped, it is cancelled there."
	}
	return "The task goes on at " + h.label + ". Parked, it does so without you; stopped, it is cancelled there."
}

// asksToLeave lets the person choose what becomes of a task, and reports whether
// there is a task and a person: Ctrl-C could mean to let it run and to cancel it.
func (h *host) asksToLeave() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dialogs == nil || h.left || h.leaving != nil || !h.wire.isTask() || h.wire.waiting.isAsking() {
		return false
	}
	ctx, cancel := context.WithCancel(h.calling)
	choosing := &leaving{cancel, make(chan struct{})}
	h.leaving = choosing
	h.busy.Add(1)
	go func() {
		defer h.exit()
		defer close(choosing.over)
		defer cancel()
		h.choose(ctx)
		h.mu.Lock()
		defer h.mu.Unlock()
		h.leaving = nil
	}()
	return true
}

// leaving is the dialog of asksToLeave.
type leaving struct {
	cancel context.CancelFunc
	over   chan struct{} // closed when it is gone
}

// stay takes the dialog away because the call has gone on: there is a question,
// or a result.
func (h *host) stay() {
	h.mu.Lock()
	choosing := h.leaving
	h.mu.Unlock()
	if choosing != nil {
		choosing.cancel()
		<-choosing.over
	}
}

func (h *host) choose(ctx context.Context) {
	h.wire.waiting.ask()
	defer h.wire.waiting.asked()
	h.console.Hold()
	defer h.console.Release()
	screen := *h.dialogs
	screen.Park = h.saved != nil
	switch _, err := screen.Choose(ctx, h.offer(), "Wait on"); {
	case err == nil, ctx.Err() != nil:
	case errors.Is(err, dialog.ErrStop):
		h.console.Done("stopped")
		h.cancel(errStopped)
	case h.saved != nil:
		h.console.Done("parked")
		h.cancel(parley.ErrPark)
	default:
		h.cancel(err)
	}
}

// leavesTask reports whether a call that is canceled is a task that goes on
// without it.
func (h *host) leavesTask() bool {
	return h.saved != nil && h.wire.isTask() && !errors.Is(context.Cause(h.calling), errStopped)
}

// tellsCancel waits until the server knows that the task of a call that was
// canceled is to end: closing the session would take that back.
func (h *host) tellsCancel(err error) {
	if !errors.Is(err, engine.ErrCanceled) || !h.wire.isTask() || h.leavesTask() {
		return
	}
	select {
	case <-h.wire.told:
	case <-time.After(5 * time.Second):
	}
}

// asLeft is what became of a call whose task was left alone: it is parked if
// that was wanted, or has failed for another reason and can be gone on with.
func (h *host) asLeft(ctx context.Context, outcome parley.Outcome, err error) (parley.Outcome, error) {
	cause := context.Cause(h.calling)
	wanted := ctx.Err() != nil || errors.Is(cause, parley.ErrPark)
	var failed *parley.Error
	switch {
	case cause == nil || !h.leavesTask():
	case err == nil && outcome.Parked && !wanted:
		return parley.Outcome{}, &parley.Error{Code: engine.ErrCanceled, Cause: cause, Resumable: true, Snapshot: outcome.Snapshot}
	case errors.As(err, &failed) && failed.Resumable && failed.Code == engine.ErrLost && wanted:
		return parley.Outcome{Parked: true, Snapshot: failed.Snapshot}, nil
	}
	return outcome, err
}
