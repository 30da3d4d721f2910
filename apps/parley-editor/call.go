package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
)

type callParams struct {
	Server server `json:"server"`

	// One of them.
	Tool     *string `json:"tool"`
	Prompt   *string `json:"prompt"`
	Resource *string `json:"resource"` // its URI

	// The arguments of a tool or prompt: JSON text of an object, which goes
	// out as it is written, or what was filled in a form of tools.
	Arguments string   `json:"arguments"`
	Form      string   `json:"form"`
	Values    []*value `json:"values"`

	Timeout float64 `json:"timeout"` // of a leg, in seconds; 0 is the engine's default
}

// requestOf is the method and params of a call.
func (h *host) requestOf(p *callParams) (method string, params []byte, err error) {
	arguments := []byte("{}")
	switch {
	case p.Form != "":
		if arguments, err = h.forms.content(p.Form, p.Values); err != nil {
			return "", nil, err
		}
	case p.Arguments != "":
		if arguments, err = object(p.Arguments); err != nil {
			return "", nil, err
		}
	}
	switch {
	case p.Tool != nil && p.Prompt == nil && p.Resource == nil:
		return "tools/call", fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, quote(*p.Tool), arguments), nil
	case p.Prompt != nil && p.Tool == nil && p.Resource == nil:
		return "prompts/get", fmt.Appendf(nil, `{"name":%s,"arguments":%s}`, quote(*p.Prompt), arguments), nil
	case p.Resource != nil && p.Tool == nil && p.Prompt == nil:
		return "resources/read", fmt.Appendf(nil, `{"uri":%s}`, quote(*p.Resource)), nil
	}
	return "", nil, wrong("a call is of a tool, a prompt or a resource: name one of them")
}

// object checks that arguments are one.
func object(text string) ([]byte, error) {
	span, problem := rawjson.Value([]byte(text))
	switch {
	case problem != nil:
		return nil, wrong("the arguments are not JSON: %s", problem)
	case !rawjson.IsObject(span):
		return nil, wrong(`the arguments are JSON, but no object: they look like {"name":"value"}`)
	}
	return span, nil
}

// subject is what a request is about, in words.
func subject(method string, params []byte) string {
	kind, member := map[string]string{"tools/call": "tool", "prompts/get": "prompt", "resources/read": "resource"}[method], "name"
	switch kind {
	case "":
		return "the request " + plain.Line(method, mostName)
	case "resource":
		member = "uri"
	}
	return "the " + kind + " " + plain.Line(words(rawjson.Member(params, member)), mostName)
}

// call makes a call. It returns when that has ended, however it has.
func (h *host) call(ctx context.Context, p *callParams) (*outcome, error) {
	method, params, err := h.requestOf(p)
	if err == nil {
		err = p.Server.complete()
	}
	if err != nil {
		return nil, err
	}
	peer, err := h.connect(p.Server)
	if err != nil {
		return nil, err
	}
	c, err := h.begin(ctx, peer, p.Server, "", subject(method, params))
	if err != nil {
		return nil, err
	}
	defer h.end(c)
	if err := c.keepNew(); err != nil {
		return nil, err
	}
	options := engine.Options{
		ID: c.id, Peer: p.Server.peer(), Audit: h.editor.Load().Audit,
		LegTimeout: time.Duration(p.Timeout * float64(time.Second)),
	}
	out, err := peer.Call(c.ctx, method, params, options, c.callbacks())
	return c.conclude(out, err), nil
}

type resumeParams struct {
	Call   string `json:"call"`
	Resend bool   `json:"resend"` // a tool call that is in doubt: call again
	Again  bool   `json:"again"`  // start the call over
}

// moreRounds is how many more rounds a call may ask in when somebody goes on
// with it, the engine's default for a new one.
const moreRounds = 10

// resume goes on with a parked call. It returns when that has ended.
func (h *host) resume(ctx context.Context, p *resumeParams) (*outcome, error) {
	if h.store == nil {
		return nil, errNoStore
	}
	lease, e, info, err := h.take(p.Call)
	if err != nil {
		return nil, wrong("%s", storeProblem(err))
	}
	peer, err := h.connect(e.server)
	if err != nil {
		return nil, errors.Join(err, lease.Release())
	}
	c, err := h.begin(ctx, peer, e.server, p.Call, subject(info.Method, info.Params))
	if err != nil {
		return nil, errors.Join(err, lease.Release())
	}
	c.resumed = true
	c.keep(lease)
	c.saved.entry.snapshot = e.snapshot
	defer h.end(c)
	options := parley.ResumeOptions{Expect: engine.Expect{Peer: e.peer()}, Resend: p.Resend, Again: p.Again, MoreRounds: moreRounds}
	out, err := peer.Resume(c.ctx, e.snapshot, options, c.callbacks())
	return c.conclude(out, err), nil
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
