// Package blocking drives a session, one call at a time, for a host whose
// callbacks block: it says which of them to call next and with what, and takes
// what it answered. What that means is the engine's. wasm/EXTISM.md
// describes the texts.
package blocking

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

// A Callback is one of the host's.
type Callback uint8

// The callbacks.
const (
	None    Callback = iota // there is an outcome
	Post                    // hands a message out
	Receive                 // waits for the next one
	Elicit
	Sample
	ListRoots
)

var callbackNames = [...]string{Post: "post", Receive: "receive", Elicit: "elicit", Sample: "sample", ListRoots: "list_roots"}

// closeTime is how long the end of a session may take, in milliseconds.
const closeTime = 5000

// Client is a session and the call under way in it. Between [Client.Next] and
// [Client.Answer] everything it needs is in it: a guest that keeps it in a global
// may collect garbage there. The zero value has no session.
type Client struct {
	session  *session.Session
	stdio    bool
	now      int64 // Unix milliseconds, as the host told last
	wait     int64 // the session's Wait, 0 if there is none
	closing  int64 // when closing times out, 0 if the session is not closing
	closed   bool  // the host stopped waiting for the end
	news     []session.Action
	outgoing outgoing

	current Callback
	posted  int // the exchange that post was called for, 0 if nothing comes of it

	call    call
	outcome []byte
}

// call is the call under way. The zero value is none.
type call struct {
	number    int
	snapshots bool
	untold    bool  // something has happened since the last snapshot
	begun     bool  // something of it has left, so that a snapshot is worth keeping
	until     int64 // the engine's Wait, 0 if there is none
	waited    bool  // the last step had one
	hearing   bool  // before a question is put again, what has come meanwhile is heard
	asks      []engine.Ask
	notes     []engine.Note
}

// Open begins a session. Nothing is sent before its first call.
func (c *Client) Open(data []byte) {
	if c.session != nil {
		c.refuse(&engine.Error{Code: fault.Order, Detail: "there is a session in this instance: close it, or make another instance"})
		return
	}
	opts, bad := wire.Text.DecodeSessionNew(data)
	if bad == nil && opts.Cache {
		bad = &engine.Error{Code: fault.Options, Detail: "session: cache: no callback keeps results"}
	}
	if bad != nil {
		c.refuse(bad)
		return
	}
	s, err := session.New(opts)
	if err != nil {
		c.refuse(err)
		return
	}
	*c = Client{session: s, stdio: opts.Transport == session.Stdio, outcome: wire.PluginOutcome(nil, nil, nil, nil)}
}

// Begin makes a call.
func (c *Client) Begin(data []byte) {
	r, method, params, opts, bad := wire.DecodePluginCall(data)
	c.begin(r, bad, func() (int, error) { return c.session.Call(method, params, opts) })
}

// Resume goes on with a call from its snapshot.
func (c *Client) Resume(data []byte) {
	r, snapshot, expect, bad := wire.DecodePluginResume(data)
	c.begin(r, bad, func() (int, error) { return c.session.Restore(snapshot, expect) })
}

func (c *Client) begin(r wire.PluginRequest, bad *engine.Error, open func() (int, error)) {
	if bad == nil {
		bad = c.usable()
	}
	if bad != nil {
		c.refuse(bad)
		return
	}
	number, err := open()
	if err != nil {
		c.refuse(err)
		return
	}
	c.now = max(c.now, r.Now)
	c.outgoing.letGo()
	c.call = call{number: number, snapshots: r.Snapshots}
	if err := c.step(session.To{Call: number, Event: r.Begin}); err != nil {
		c.refuse(err)
	}
}

// Close ends the session. A server that keeps it is told.
func (c *Client) Close(data []byte) {
	now, bad := wire.DecodePluginClose(data)
	if bad == nil {
		bad = c.usable()
	}
	if bad != nil {
		c.refuse(bad)
		return
	}
	c.now = max(c.now, now)
	c.closing = c.now + closeTime
	c.outgoing.letGo()
	c.step(session.Close{}) // cannot fail
}

func (c *Client) usable() *engine.Error {
	if c.session == nil {
		return &engine.Error{Code: fault.Order, Detail: "there is no session in this instance: begin with the export session"}
	}
	return nil
}

// refuse ends what was asked for wrongly.
func (c *Client) refuse(err error) { c.outcome = wire.Text.AppendError(nil, err.(*engine.Error)) }

// Outcome is how it ended.
func (c *Client) Outcome() []byte { return c.outcome }

// Forget lets go of the call and of the outcome. A session that was closed is
// gone.
func (c *Client) Forget() {
	if c.closing != 0 {
		*c = Client{}
		return
	}
	if c.call.number != 0 {
		c.session.Free(c.call.number)
	}
	c.call, c.outcome = call{}, nil
}

// Next is the callback to call and the text for it, or None once there is an
// outcome.
func (c *Client) Next() (Callback, []byte) {
	for {
		c.current, c.posted = None, 0
		switch a := c.outgoing.next(c.now); {
		case a != nil:
			c.current, c.posted = Post, exchangeOf(a)
			c.call.begun = c.call.begun || callOf(a) != 0
			return Post, c.text(a)
		case c.outcome != nil:
			return None, nil
		case c.closing != 0:
			if !c.closed && c.now < c.closing && c.outgoing.awaited() {
				return c.receive(c.closing)
			}
			c.outcome = wire.PluginOutcome(nil, nil, nil, c.news)
		case len(c.call.asks) > 0 && c.call.hearing && c.hears():
			return c.receive(c.now)
		case len(c.call.asks) > 0:
			ask := c.call.asks[0]
			c.current, c.call.begun = callbackOf(ask.Kind), true
			return c.current, c.text(session.From{Call: c.call.number, Action: ask})
		case c.hears() || c.due() != 0:
			return c.receive(c.due())
		default:
			c.refuse(&engine.Error{Code: fault.Order, Detail: "the call has come to a standstill"})
		}
	}
}

// hears reports whether anything can come from the server.
func (c *Client) hears() bool { return c.stdio || len(c.outgoing.open) > 0 }

// due is when the engine will act by itself, 0 if it need not.
func (c *Client) due() int64 { return earlier(c.call.until, earlier(c.wait, c.outgoing.due())) }

// earlier is the earlier of two times, each 0 if it is none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (c *Client) receive(until int64) (Callback, []byte) {
	c.current = Receive
	return Receive, c.textUntil(nil, until)
}

func callbackOf(kind engine.Kind) Callback {
	switch kind {
	case engine.KindSample:
		return Sample
	case engine.KindListRoots:
		return ListRoots
	}
	return Elicit
}

func (c *Client) text(a session.Action) []byte { return c.textUntil(a, c.due()) }

// textUntil adds what every callback gets.
func (c *Client) textUntil(a session.Action, until int64) []byte {
	t := wire.PluginText{Action: a, Until: until, News: c.news}
	if c.call.snapshots && c.call.begun && c.call.untold && c.outcome == nil {
		t.Snapshot, _ = c.session.Snapshot(c.call.number) // nil where the call cannot go on elsewhere
		c.call.untold = false
	}
	c.news = nil
	return wire.PluginCallback(&t)
}
