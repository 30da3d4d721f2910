package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/shared-go/account"
	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Why a call is stopped from here.
var (
	errStopped = errors.New("you stopped the call")
	errGone    = errors.New("the editor is gone, or disconnected the server")
)

// call is a call under way.
type call struct {
	host    *host
	id      string // "" for what is asked outside of a call
	key     string // of its questions then
	request string // the id of the editor's request
	peer    *peer
	server  server.Server
	method  string
	subject string
	access  *account.Access
	saved   *saved.Call // nil if it is not saved

	ctx    context.Context
	cancel context.CancelCauseFunc
	detach func() bool   // from its request
	park   chan struct{} // closed when it is to be parked
	once   sync.Once     // closes park
	over   chan struct{} // closed when it is out of the register

	mu     sync.Mutex
	worth  bool // somebody was asked something, or it is a task
	asking int  // questions that are open
}

// calls are the calls under way.
type calls struct {
	mu       sync.Mutex
	running  map[string]*call
	requests map[string]*call // by the editor's request
}

// begin registers a call. ctx is its request's, which ends when the editor is
// gone.
func (h *host) begin(ctx context.Context, p *peer, s server.Server, id, method string, params []byte) (*call, error) {
	if id == "" {
		id = saved.NewID()
	}
	c := &call{host: h, id: id, request: requestID(ctx), peer: p, access: p.access, server: s, method: method, subject: request.Subject(method, params), park: make(chan struct{}), over: make(chan struct{})}
	h.calls.mu.Lock()
	defer h.calls.mu.Unlock()
	switch {
	case len(h.calls.running) == maxCalls:
		return nil, wrong("%d calls are under way already: answer or stop one", maxCalls)
	case h.calls.running[id] != nil:
		return nil, wrong("the call is under way already")
	case p.leaving:
		return nil, wrong("%s was just disconnected", s.Label)
	}
	// Not derived from ctx, whose end does not say why.
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.detach = context.AfterFunc(ctx, c.gone)
	h.calls.running[c.id], h.calls.requests[c.request] = c, c
	c.status("working")
	return c, nil
}

// parkTime is how long a call has to be parked in when the editor is gone. What a
// server takes longer for is in doubt then.
const parkTime = 3 * time.Second

// gone parks a call whose editor is gone, so that a task goes on at its server,
// and ends it otherwise.
func (c *call) gone() {
	if c.host.store == nil {
		c.cancel(errGone)
		return
	}
	c.parkSoon()
	timer := time.AfterFunc(parkTime, func() { c.cancel(errGone) })
	context.AfterFunc(c.ctx, func() { timer.Stop() })
}

// parkSoon parks a call as soon as it can be.
func (c *call) parkSoon() { c.once.Do(func() { close(c.park) }) }

// end takes a call that is over from the register.
func (h *host) end(c *call) {
	c.detach()
	c.cancel(nil)
	h.calls.mu.Lock()
	defer h.calls.mu.Unlock()
	delete(h.calls.running, c.id)
	delete(h.calls.requests, c.request)
	c.status("over")
	close(c.over)
}

// find is the call of an id.
func (c *calls) find(id string) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := c.running[id]; one != nil {
		return one, nil
	}
	return nil, wrong("there is no call of this id under way")
}

func (c *calls) stopRequest(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one := c.requests[id]; one != nil {
		one.cancel(errStopped)
	}
}

// endAll ends the calls to a server and waits until they have; those that can
// be resumed are kept.
func (c *calls) endAll(p *peer) {
	c.mu.Lock()
	p.leaving = true
	var ending []*call
	for _, one := range c.running {
		if one.peer == p {
			one.gone()
			ending = append(ending, one)
		}
	}
	c.mu.Unlock()
	for _, one := range ending {
		<-one.over
	}
}

// ask counts the questions that are open.
func (c *call) ask(change int) {
	if c.id == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.worth = true
	switch c.asking += change; {
	case c.asking == 0:
		c.status("working")
	case c.asking == 1 && change > 0:
		c.status("asking")
	}
}

// isWorth reports whether there is something to be saved.
func (c *call) isWorth() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.worth
}

// watchers have the call's tell.
func (c *call) watchers() parley.Watchers {
	return parley.Watchers{OnProgress: c.progress, OnNote: c.note, OnTask: c.task}
}

// askers are what the editor can be asked in this call.
func (c *call) askers() *parley.Askers {
	can := c.host.editor.Load().Asks
	askers := &parley.Askers{Tasks: true}
	if can.Elicit {
		askers.Elicit = c.elicit
	}
	if can.URL {
		askers.ElicitURL = c.openURL
	}
	if can.Sample {
		askers.Sample = c.sample
	}
	if can.Authorize {
		askers.Authorize = c.authorize
	}
	if can.Roots {
		askers.ListRoots = c.roots
	}
	return askers
}
