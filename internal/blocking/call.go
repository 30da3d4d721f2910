// Package blocking drives one call for a host whose callbacks block: it says
// which of them to call next and with what, and takes what it answered. What
// that means is the engine's. wasm/ABI.md, Extism, describes the texts.
package blocking

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
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
	send  *engine.Send // to be sent
	leg   int          // in flight, 0 if none
	asks  []engine.Ask // not answered
	task  []byte       // how the task stands that the call has become
	notes []byte

	outcome []byte
}

// Begin starts a call.
func (c *Call) Begin(data []byte) {
	r, bad := readRequest("call", data)
	if bad != nil {
		c.fail(bad)
		return
	}
	method, params, opts, bad := wire.DecodeNew(r.rest)
	if bad != nil {
		c.fail(bad)
		return
	}
	flow, err := engine.New(method, params, opts)
	c.start(r, flow, err)
}

// Resume goes on with a call from its snapshot.
func (c *Call) Resume(data []byte) {
	r, bad := readRequest("resume", data)
	if bad != nil {
		c.fail(bad)
		return
	}
	snapshot, expect, bad := wire.DecodeRestore(r.rest)
	if bad != nil {
		c.fail(bad)
		return
	}
	flow, err := engine.Restore(snapshot, expect)
	c.start(r, flow, err)
}

func (c *Call) start(r request, flow *engine.Flow, err error) {
	if err != nil {
		c.fail(err)
		return
	}
	ids := max(c.ids, flow.Info().LastID) // of a call that goes on, too
	*c = Call{flow: flow, clientInfo: r.clientInfo, snapshots: r.snapshots, now: r.now, ids: ids}
	if err := c.step(r.begin); err != nil {
		c.fail(err)
	}
}

// fail ends the call because it was asked for wrongly.
func (c *Call) fail(err error) {
	*c = Call{outcome: wire.AppendError(nil, err.(*engine.Error)), ids: c.ids}
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
			return c.current, c.accompany(object(c.asks[0]))
		case c.until > 0: // nothing can happen before: as good as then
			c.now = max(c.now, c.until)
			c.at, c.until = c.until, 0
			c.feed(engine.Tick{})
		case c.leg > 0:
			c.feed(engine.Lost{Leg: c.leg, Reason: "send came back without an answer"})
		default:
			c.fail(&engine.Error{Code: engine.ErrOrder, Detail: "the call has come to a standstill"})
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
	ev, now, fault := readAnswer(c.current, data, c.leg, ask)
	if fault == "" {
		c.now = max(c.now, now)
		err := c.step(ev)
		if err == nil {
			return
		}
		fault = err.(*engine.Error).Detail
	}
	fault = callbackNames[c.current] + ": " + fault
	if c.current == Send {
		c.feed(engine.Lost{Leg: c.leg, Reason: fault})
	} else {
		c.feed(engine.Refuse{Ask: ask, Reason: fault})
	}
}

func callbackOf(kind engine.Kind) Callback {
	switch kind {
	case engine.Sample:
		return Sample
	case engine.ListRoots:
		return ListRoots
	}
	return Elicit
}
