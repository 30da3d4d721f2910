package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/parley/internal/dialog"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// signs has the call's host sign in.
func (h *host) signs(s *signer) {
	h.signer = s
	s.ends = h.ended
	s.shows = func() {
		if h.begun {
			h.console.Say("")
		}
		h.begun = true
	}
}

// authorize signs in while the call waits. Refused, the call ends with what was
// answered in its snapshot; other than with a form, no server hears of it.
func (h *host) authorize(ctx context.Context, q parley.Question) ([]byte, error) {
	if err := h.enter(); err != nil {
		return nil, err
	}
	defer h.exit()
	if h.filling.Load() {
		return nil, errFilling
	}
	h.turn.Lock()
	defer h.turn.Unlock()
	h.stay()
	h.serving.Store(q.Problem != "") // it cannot be parked, as the engine has said
	if h.dialogs != nil {
		h.dialogs.Park = h.saved.Keeps() && q.Problem == "" && !h.unbegun.Load()
	}
	raw, err := h.signer.authorize(ctx, q)
	h.parking = errors.Is(err, parley.ErrPark)
	if errors.Is(err, errStopped) || errors.Is(err, dialog.ErrInterrupted) && !h.keepsTask() {
		h.cancel(err)
	}
	return raw, err
}
