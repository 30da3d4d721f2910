package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// PluginRequest is what a call of the Extism plug-in is asked for with, beside
// the arguments of [engine.New] or [engine.Restore]. wasm/ABI.md, Extism.
type PluginRequest struct {
	Now        int64 // Unix milliseconds
	ClientInfo []byte
	Snapshots  bool // every callback gets one
	Begin      engine.Begin
}

// DecodePluginCall reads what asks for a call. data is used as memory: see the
// package comment. It fails with [fault.Options].
func DecodePluginCall(data []byte) (r PluginRequest, method string, params []byte, opts engine.Options, err *engine.Error) {
	var o object
	r.Now = missing
	o.start("call", data)
	method, params, opts = o.flow(func() bool { return r.read(&o) })
	return r, method, params, opts, r.check(&o)
}

// DecodePluginResume reads what asks for a call to go on, as
// [DecodePluginCall] does.
func DecodePluginResume(data []byte) (r PluginRequest, snapshot []byte, expect engine.Expect, err *engine.Error) {
	var o object
	r.Now = missing
	o.start("resume", data)
	snapshot, expect = o.restore(func() bool {
		switch {
		case o.is("resend"):
			r.Begin.Resend = o.boolean()
		case o.is("again"):
			r.Begin.Again = o.boolean()
		case o.is("moreRounds"):
			r.Begin.MoreRounds = o.small()
		default:
			return r.read(&o)
		}
		return true
	})
	return r, snapshot, expect, r.check(&o)
}

const missing = -1

// read reads the current member if it is one of every request.
func (r *PluginRequest) read(o *object) bool {
	switch {
	case o.is("now"):
		r.Now = o.time()
	case o.is("clientInfo"):
		r.ClientInfo = o.text()
	case o.is("snapshots"):
		r.Snapshots = o.boolean()
	default:
		return false
	}
	return true
}

func (r *PluginRequest) check(o *object) *engine.Error {
	switch {
	case o.err != nil:
		o.err.Code = fault.Options
		return o.err
	case r.Now == missing:
		return &engine.Error{Code: fault.Options, Detail: o.what + ": now is missing: give the host's clock as Unix time in milliseconds"}
	}
	// What cannot be sent is refused before anything is done.
	if _, bad := envelope.Append(nil, &envelope.Request{ClientInfo: r.ClientInfo}); bad != nil {
		return bad.(*engine.Error)
	}
	return nil
}

// time reads the current member as Unix time in milliseconds.
func (o *object) time() int64 {
	now, ok := rawjson.Int(o.m.Value)
	if !ok || now < 0 {
		o.failMember("is not the Unix time in milliseconds")
	}
	return now
}

// DecodePluginAnswer reads what a callback came back with: an event, with now
// beside it. leg and ask are what is meant where they are left out.
func DecodePluginAnswer(data []byte, leg, ask int) (ev engine.Event, now int64, err *engine.Error) {
	if len(data) == 0 {
		return nil, 0, &engine.Error{Code: fault.Order, Detail: "the answer is empty, or longer than the plug-in takes"}
	}
	e := &eventFields{now: missing}
	var o object
	o.start("answer", data)
	for o.next() {
		if o.is("now") {
			e.now = o.time()
		} else {
			e.read(&o)
		}
	}
	switch {
	case o.err != nil:
		return nil, 0, o.err
	case e.now == missing:
		return nil, 0, &engine.Error{Code: fault.Order, Detail: "now is missing: give the Unix time in milliseconds with every answer"}
	case e.has&hasLeg == 0 && (rawjson.Is(e.kind, "response") || rawjson.Is(e.kind, "lost")):
		e.leg, e.has = leg, e.has|hasLeg
	case e.has&hasAsk == 0 && (rawjson.Is(e.kind, "answer") || rawjson.Is(e.kind, "refuse")):
		e.ask, e.has = ask, e.has|hasAsk
	}
	ev, err = e.event()
	return ev, e.now, err
}

// PluginText is what a callback is called with: an action, and what goes with it.
type PluginText struct {
	Action   engine.Action
	Request  *envelope.Request // of what is sent
	At       int64             // send it no sooner, Unix milliseconds; 0 is at once
	Until    int64             // when the engine will act by itself; 0 is never
	Task     engine.Action
	Snapshot []byte
}

// PluginCallback is the text for a callback. It fails as [envelope.Append] does.
func PluginCallback(t *PluginText) ([]byte, *engine.Error) {
	var w writer
	var body []byte
	if t.Request != nil {
		var bad error
		size := len(t.Request.Params) + 1024
		if body, bad = envelope.Append(make([]byte, 0, size), t.Request); bad != nil {
			return nil, bad.(*engine.Error)
		}
		// Room for all of it at once: what is left behind while a text grows is
		// of no use before the next callback.
		w.dst = make([]byte, 0, 2*(size+len(body)))
	}
	w.action(t.Action)
	w.reopen()
	if t.Request != nil {
		w.integer("id", t.Request.ID)
		w.raw("body", body)
		w.headers(envelope.Headers(t.Request))
	}
	w.nonZero("at", t.At)
	w.nonZero("until", t.Until)
	if t.Task != nil {
		w.name("task")
		w.action(t.Task)
	}
	w.raw("snapshot", t.Snapshot)
	w.close()
	return w.dst, nil
}

// PluginOutcome is how a call ended: its last action, a snapshot if
// it can go on, and its audit records.
func PluginOutcome(end engine.Action, snapshot []byte, notes []engine.Note) []byte {
	var w writer
	w.action(end)
	w.reopen()
	w.raw("snapshot", snapshot)
	if notes != nil {
		w.name("notes")
		for i, note := range notes {
			w.dst = append(w.dst, "[,"[min(i, 1)])
			w.action(note)
		}
		w.put("]")
	}
	w.close()
	return w.dst
}

// reopen takes back the end of an object, for more members.
func (w *writer) reopen() { w.dst = w.dst[:len(w.dst)-1] }
