package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
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
	Problem   string `json:"problem,omitempty"` // why it cannot be gone on with
}

// parked lists the calls in the store, those longest there first.
func (h *host) parked(context.Context, *struct{}) (any, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	calls, err := h.store.List()
	if err != nil {
		return nil, fault(errors.New(storeProblem(err)))
	}
	list := make([]parkedCall, len(calls))
	for i, one := range calls {
		list[i] = h.describe(one)
	}
	return map[string]any{"calls": list}, nil
}

// describe looks into a call, which it has to take for a moment.
func (h *host) describe(one parley.Parked) parkedCall {
	p := parkedCall{Call: one.ID, Time: one.Time.Unix(), Taken: one.Taken}
	if p.Taken {
		return p
	}
	lease, e, info, err := h.take(one.ID)
	if p.Taken = errors.Is(err, parley.ErrTaken); p.Taken {
		return p
	}
	if err != nil {
		p.Problem = storeProblem(err)
		return p
	}
	defer lease.Release()
	p.Server, p.Subject = e.Label, subject(info.Method, info.Params)
	p.Questions, p.InDoubt, p.Over = info.Questions, info.InDoubt, info.Over
	return p
}

// take takes a call and looks into it.
func (h *host) take(id string) (*parley.Lease, entry, engine.Info, error) {
	lease, data, err := h.store.Take(id)
	if err != nil {
		return nil, entry{}, engine.Info{}, err
	}
	e, err := readEntry(data)
	var info engine.Info
	if err == nil {
		info, err = e.info()
	}
	if err != nil {
		lease.Release()
	}
	return lease, e, info, err
}

// discard deletes a parked call.
func (h *host) discard(_ context.Context, p *oneCall) (any, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	if err := h.store.Delete(p.Call); err != nil {
		return nil, wrong("%s", storeProblem(err))
	}
	return nil, nil
}

var errNoStore = wrong("nothing is kept: parley-editor was started without --state-dir and --key-file")

// storeProblem is what the store says, in words for the person.
func storeProblem(err error) string {
	var missing *fs.PathError
	switch {
	case errors.Is(err, parley.ErrTaken):
		return "somebody else is at this call. When that ends, or was dead for half a minute, it can be taken"
	case errors.Is(err, parley.ErrNotFound):
		return "there is no parked call of this id"
	case errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist):
		return "there is no file " + missing.Path
	case errors.Is(err, parley.ErrUnsealed):
		return "it is not sealed, so anybody may have written it"
	case errors.Is(err, codec.ErrUnknownKey):
		return "it is sealed with a key that is not there any more"
	case errors.Is(err, codec.ErrForged), errors.Is(err, codec.ErrMalformed):
		return "its file was changed since it was written, or is another call's"
	}
	return cmp.Or(strings.TrimPrefix(plain.Line(err.Error(), mostMessage), "parley: "), "unknown")
}
