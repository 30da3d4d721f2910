package main

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// parkedCall is a call in the store.
type parkedCall struct {
	Call      string `json:"call"`
	Time      int64  `json:"time"`            // of its last snapshot, in Unix seconds
	Taken     bool   `json:"taken,omitempty"` // somebody is at it: nothing else is known of it
	Server    string `json:"server,omitempty"`
	Subject   string `json:"subject,omitempty"`
	Questions int    `json:"questions"` // that are open
	InDoubt   bool   `json:"inDoubt,omitempty"`
	Over      bool   `json:"over,omitempty"`
	Problem   string `json:"problem,omitempty"` // why it cannot be resumed
}

// parked lists the calls in the store, those longest there first.
func (h *host) parked(ctx context.Context, _ *struct{}) (any, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	calls, err := saved.List(ctx, h.store)
	if err != nil {
		return nil, rpcFault(errors.New(saved.Problem(err)))
	}
	list := make([]parkedCall, len(calls))
	for i, one := range calls {
		list[i] = h.describe(ctx, one)
	}
	return map[string]any{"calls": list}, nil
}

// describe says what is known of a call.
func (h *host) describe(ctx context.Context, one store.Parked) parkedCall {
	p := parkedCall{Call: one.ID, Time: one.Time.Unix(), Taken: one.Taken}
	switch {
	case p.Taken:
		return p
	case one.Problem != nil:
		p.Problem = saved.Problem(one.Problem)
		return p
	}
	about := one.About
	if about.Method == "" { // an earlier version kept it
		lease, e, info, err := saved.Take(ctx, h.store, one.ID)
		if p.Taken = errors.Is(err, store.ErrTaken); p.Taken {
			return p
		}
		if err != nil {
			p.Problem = saved.Problem(err)
			return p
		}
		defer lease.Release(context.WithoutCancel(ctx))
		about = saved.About(e, info)
	}
	p.Server, p.Subject = about.Label, saved.Subject(about)
	p.Questions, p.InDoubt, p.Over = about.Questions, about.InDoubt, about.Over
	return p
}

// discard deletes a parked call.
func (h *host) discard(ctx context.Context, p *oneCall) (any, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	if err := h.store.Delete(ctx, p.Call); err != nil {
		return nil, wrong("%s", saved.Problem(err))
	}
	return nil, nil
}

var errNoStore = wrong("nothing is kept: parley-editor was started without --key-file and --state-dir or --store")
