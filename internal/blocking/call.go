// Package blocking drives one call for a host whose callbacks block: it says
// which of them to call next and with what, and takes what it answered. What
// that means is the engine's. wasm/ABI.md, Extism, describes the texts.
package blocking

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/enginewire"
)

// A Callback is one of the host's.
type Callback uint8

// The callbacks.
const (
	None Callback = iota // the call is over
	Send
	Elicit
	Sample
	ListRoots
)

var callbackNames = [...]string{Send: "send", Elicit: "elicit", Sample: "sample", ListRoots: "list_roots"}

// Call is one call under way. Between [Call.Next] and [Call.Answer] everything
// it needs is in it: a guest that keeps it in a global may collect garbage there.
type Call struct {
	flow       *engine.Flow
	clientInfo []byte
	snapshots  bool // every callback gets one

	now     int64 // Unix milliseconds, as the host told last
	until   int64 // the engine's Wait, 0 if there is none
	at      int64 // the next leg goes out no sooner; 0 is at once
	waited  bool  // the last step had a Wait
	ids     int64 // JSON-RPC ids used
	current Callback
	told    bool // the callback under way sends what nobody waits for

	tells []engine.Tell
	send  *engine.Send  // to be sent
	leg   int           // in flight, 0 if none
	asks  []engine.Ask  // not answered
	task  engine.Action // the status of the task that the call has become, until it is told
	notes []engine.Note

	outcome []byte
}

// Begin starts a call.
func (c *Call) Begin(data []byte) {
	r, method, params, opts, bad := enginewire.DecodePluginCall(data)
	c.start(r, bad, func() (*engine.Flow, error) { return engine.New(method, params, opts) })
}

// Resume goes on with a call from its snapshot.
func (c *Call) Resume(data []byte) {
	r, snapshot, expect, bad := enginewire.DecodePluginResume(data)
	c.start(r, bad, func() (*engine.Flow, error) { return engine.Restore(snapshot, expect) })
}

func (c *Call) start(r enginewire.PluginRequest, bad *engine.Error, open func() (*engine.Flow, error)) {
	if bad != nil {
		c.fail(bad)
		return
	}
	flow, err := open()
	if err == nil {
		ids := max(c.ids, flow.Info().LastID) // of a call that goes on, too
		*c = Call{flow: flow, clientInfo: r.ClientInfo, snapshots: r.Snapshots, now: r.Now, ids: ids}
		err = c.step(r.Begin)
	}
	if err != nil {
		c.fail(err)
	}
}

// fail ends the call because it was asked for wrongly.
func (c *Call) fail(err error) {
	*c = Call{outcome: enginewire.AppendError(nil, err.(*engine.Error)), ids: c.ids}
}

// Next is the callback to call and the text for it, or None once there is an
// outcome.
func (c *Call) Next() (Callback, []byte) {
	for {
		c.current, c.told = None, false
		switch {
		case len(c.tells) > 0:
			tell := c.tells[0]
			c.tells = c.tells[1:]
			c.current, c.told = Send, true
			if text, bad := c.post(tell, tell.Method, tell.Params); bad == nil {
				return Send, text
			}
		case c.outcome != nil:
			return None, nil
		case c.send != nil:
			send := c.send
			c.send, c.current = nil, Send
			text, bad := c.post(*send, send.Method, send.Params)
			if bad == nil {
				return Send, text
			}
			c.feed(engine.Lost{Leg: c.leg, Reason: bad.Detail, Unsent: true})
		case len(c.asks) > 0:
			c.current = callbackOf(c.asks[0].Kind)
			text, _ := c.text(enginewire.PluginText{Action: c.asks[0]})
			return c.current, text
		case c.until > 0: // nothing can happen before: as good as then
			c.now = max(c.now, c.until)
			c.at, c.until = c.until, 0
			c.feed(engine.Tick{})
		case c.leg > 0:
			c.feed(engine.Lost{Leg: c.leg, Reason: "send came back without an answer"})
		default:
			c.fail(&engine.Error{Code: fault.Order, Detail: "the call has come to a standstill"})
		}
	}
}

// Outcome is how the call ended.
func (c *Call) Outcome() []byte { return c.outcome }

// Forget lets go of everything but the ids that were used.
func (c *Call) Forget() { *c = Call{ids: c.ids} }

// Answer takes what the callback answered. data is used as memory.
func (c *Call) Answer(data []byte) {
	if c.told {
		return
	}
	ask := 0
	if c.current != Send {
		ask = c.asks[0].ID
	}
	err := c.answer(data, ask)
	if err == nil {
		return
	}
	flaw := callbackNames[c.current] + ": " + err.(*engine.Error).Detail
	if c.current == Send {
		c.feed(engine.Lost{Leg: c.leg, Reason: flaw})
	} else {
		c.feed(engine.Refuse{Ask: ask, Reason: flaw})
	}
}

func (c *Call) answer(data []byte, ask int) error {
	ev, now, bad := enginewire.DecodePluginAnswer(data, c.leg, ask)
	if bad != nil {
		return bad
	}
	if !fits(c.current, ev) {
		return &engine.Error{Detail: "an event of this type is no answer here"}
	}
	c.now = max(c.now, now)
	return c.step(ev)
}

// fits reports whether an event can be what a callback came back with.
func fits(from Callback, ev engine.Event) bool {
	switch ev.(type) {
	case engine.Response, engine.Lost:
		return from == Send
	case engine.Answer, engine.Refuse, engine.Park:
		return from != Send
	case engine.Cancel, engine.Tick:
		return true
	}
	return false
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

// post is the text for send: the action, and what goes on the enginewire.
func (c *Call) post(a engine.Action, method string, params []byte) ([]byte, *engine.Error) {
	c.ids++
	c.flow.UseID(c.ids)
	r := &envelope.Request{ID: c.ids, Method: method, Params: params, Capabilities: c.flow.Info().Capabilities, ClientInfo: c.clientInfo}
	return c.text(enginewire.PluginText{Action: a, Request: r})
}

// text adds what every callback gets.
func (c *Call) text(t enginewire.PluginText) ([]byte, *engine.Error) {
	t.Task = c.task
	if t.Request != nil {
		t.At = c.at
	}
	if !c.told {
		t.Until = c.until
	}
	if c.snapshots {
		t.Snapshot, _ = c.flow.Snapshot() // nil where the call cannot go on elsewhere
	}
	text, bad := enginewire.PluginCallback(&t)
	if bad == nil {
		c.task = nil
		c.at -= t.At
	}
	return text, bad
}
