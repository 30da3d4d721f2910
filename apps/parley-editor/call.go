package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

type callParams struct {
	Server server.Server `json:"server"`

	// One of them.
	Tool     *string `json:"tool"`
	Prompt   *string `json:"prompt"`
	Resource *string `json:"resource"` // its URI

	// The arguments of a tool or prompt: JSON text of an object, which goes
	// out as it is written, or what was filled in a form of tools.
	Arguments string           `json:"arguments"`
	Form      string           `json:"form"`
	Values    []question.Value `json:"values"`

	Task bool `json:"task"` // of a tool that runs as a task if it is asked for

	Timeout float64 `json:"timeout"` // of a leg, in seconds; 0 is the engine's default
}

// requestOf is the method and params of a call.
func (h *host) requestOf(p *callParams) (method string, params []byte, err error) {
	arguments := []byte("{}")
	switch {
	case p.Form != "":
		asked, err := h.forms.find(p.Form)
		if err == nil {
			arguments, err = content(asked, p.Values)
		}
		if err != nil {
			return "", nil, err
		}
	case p.Arguments != "":
		if arguments, err = request.Arguments([]byte(p.Arguments)); err != nil {
			return "", nil, wrong("%s", err)
		}
	}
	switch {
	case p.Tool != nil && p.Prompt == nil && p.Resource == nil:
		method, params = request.Tool(*p.Tool, arguments)
		if p.Task {
			params = request.AsTask(params)
		}
	case p.Prompt != nil && p.Tool == nil && p.Resource == nil:
		method, params = request.Prompt(*p.Prompt, arguments)
	case p.Resource != nil && p.Tool == nil && p.Prompt == nil:
		method, params = request.Resource(*p.Resource)
	default:
		err = wrong("a call is of a tool, a prompt or a resource: name one of them")
	}
	return method, params, err
}

// call makes a call. It returns when that has ended, however it has.
func (h *host) call(ctx context.Context, p *callParams) (*outcome, error) {
	method, params, err := h.requestOf(p)
	if err == nil {
		err = complete(&p.Server)
	}
	if err != nil {
		return nil, err
	}
	peer, err := h.connect(p.Server)
	if err != nil {
		return nil, err
	}
	principal, err := peer.access.Principal(ctx)
	if err != nil {
		return nil, rpcFault(err)
	}
	c, err := h.begin(ctx, peer, p.Server, "", method, params)
	if err != nil {
		return nil, err
	}
	defer h.end(c)
	if err := c.saveNew(ctx); err != nil {
		return nil, err
	}
	out, err := peer.Call(c.ctx, parley.Request{
		Method: method, Params: params,
		Options: engine.Options{
			ID: c.id, Peer: p.Server.Peer(), Principal: principal, Audit: h.editor.Load().Audit,
			LegTimeout: time.Duration(p.Timeout * float64(time.Second)),
		},
		Askers: c.askers(), Watchers: c.watchers(), Save: c.saved.Saver(), Park: c.park,
	})
	return c.conclude(out, err), nil
}

type resumeParams struct {
	Call   string `json:"call"`
	Resend bool   `json:"resend"` // a tool call that is in doubt: call again
	Again  bool   `json:"again"`  // start the call over
}

// resume goes on with a parked call. It returns when that has ended.
func (h *host) resume(ctx context.Context, p *resumeParams) (*outcome, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	lease, e, info, err := saved.Take(ctx, h.store, p.Call)
	if err != nil {
		return nil, wrong("%s", saved.Problem(err))
	}
	principal := saved.Principal(e.Snapshot)
	peer, err := h.connect(e.Server)
	if err == nil {
		principal, err = resumes(ctx, peer, principal)
	}
	if err != nil {
		return nil, errors.Join(err, lease.Release(context.WithoutCancel(ctx)))
	}
	c, err := h.begin(ctx, peer, e.Server, p.Call, info.Method, info.Params)
	if err != nil {
		return nil, errors.Join(err, lease.Release(context.WithoutCancel(ctx)))
	}
	c.save(lease, e)
	c.saved.Resumed = true
	defer h.end(c)
	out, err := peer.Resume(c.ctx, parley.Resumption{
		Snapshot: e.Snapshot, Expect: engine.Expect{Peer: e.Peer(), Principal: principal},
		Resend: p.Resend, Again: p.Again, MoreRounds: saved.MoreRounds,
		Askers: c.askers(), Watchers: c.watchers(), Save: c.saved.Saver(), Park: c.park,
	})
	return c.conclude(out, err), nil
}

// resumes says as whom a parked call goes on: as who made it, or else as who is
// signed in now.
func resumes(ctx context.Context, p *peer, principal string) (string, error) {
	if principal == "" {
		principal, err := p.access.Principal(ctx)
		return principal, rpcFault(err)
	}
	err := p.access.Resumes(ctx, principal)
	if other := (*account.OtherAccount)(nil); errors.As(err, &other) {
		return "", wrong("%s: sign out, and sign in as who made the call", err)
	}
	return principal, rpcFault(err)
}

type oneCall struct {
	Call string `json:"call"`
}

// cancel stops a call for good.
func (h *host) cancel(_ context.Context, p *oneCall) (any, error) {
	c, err := h.calls.find(p.Call)
	if err != nil {
		return nil, err
	}
	c.cancel(errStopped)
	return nil, nil
}

// park parks a call that asks nothing right now, as soon as it can be: what is
// in flight is waited for. One whose server waits for an answer goes on.
func (h *host) park(_ context.Context, p *oneCall) (any, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	c, err := h.calls.find(p.Call)
	if err != nil {
		return nil, err
	}
	c.parkSoon()
	return nil, nil
}

// cancelRequest is the LSP's $/cancelRequest: it stops the call that a request
// is about. Other requests end by themselves soon.
func (h *host) cancelRequest(_ context.Context, p *struct {
	ID json.RawMessage `json:"id"`
}) (any, error) {
	h.calls.stopRequest(string(p.ID))
	return nil, nil
}
