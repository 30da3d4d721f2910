package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
)

// offer is what the dialog says that Ctrl-C opens while a task runs.
func (h *host) offer() string {
	if !h.saved.Keeps() {
		return "The task continues at " + h.Label + ". Stopped, it is cancelled there."
	}
	return "The task continues at " + h.Label + ". Parked, it does so without you; stopped, it is cancelled there."
}

// asksToLeave lets the person choose what becomes of a task, and reports whether
// there is a task and a person: Ctrl-C could mean to let it run and to cancel it.
func (h *host) asksToLeave() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.dialogs == nil || h.left || h.leaving != nil || !h.conn.watch.isTask() || h.conn.watch.isAsking() {
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
	h.conn.watch.ask()
	defer h.conn.watch.asked()
	h.console.Hold()
	defer h.console.Release()
	screen := *h.dialogs
	screen.Park = h.saved.Keeps()
	switch _, err := screen.Choose(ctx, h.offer(), "Wait on"); {
	case err == nil, ctx.Err() != nil:
	case errors.Is(err, dialog.ErrStop):
		h.console.Done("stopped")
		h.cancel(errStopped)
	case h.saved.Keeps():
		h.console.Done("parked")
		h.parks()
	default:
		h.cancel(err)
	}
}

// interrupted ends the call because of a signal, which does not say that its
// task is to be cancelled.
func (h *host) interrupted(cause error) {
	if h.keepsTask() {
		h.parks()
	} else {
		h.cancel(cause)
	}
}

// keepsTask reports whether the call is a task that somebody can go on with: not
// while the server waits for an answer, which would be lost.
func (h *host) keepsTask() bool { return h.saved.Keeps() && h.conn.watch.isTask() && !h.serving.Load() }

// parks parks the call.
func (h *host) parks() { h.parkOnce.Do(func() { close(h.park) }) }

// ends reports whether the call was told to end.
func (h *host) ends() bool {
	select {
	case <-h.park:
		return true
	case <-h.calling.Done():
		return true
	default:
		return false
	}
}
