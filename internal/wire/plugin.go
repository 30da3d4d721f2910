package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// PluginRequest is what a call of the Extism plug-in is asked for with, beside
// the arguments of [session.Session.Call] or [session.Session.Restore].
// wasm/EXTISM.md.
type PluginRequest struct {
	Now       int64 // Unix milliseconds
	Snapshots bool  // callbacks get them
	Begin     engine.Begin
}

// DecodePluginCall reads what asks for a call. data is used as memory: see the
// package comment. It fails with [fault.Options].
func DecodePluginCall(data []byte) (r PluginRequest, method string, params []byte, opts engine.Options, err *engine.Error) {
	var w walk
	var n newFlow
	r.Now = absent
	w.Read("call", data)
	for w.Next() {
		w.newFlow(&n)
		w.plugin(&r)
	}
	return r, n.method, n.params, n.opts, r.check(&w, "call")
}

// DecodePluginResume reads what asks for a call to go on, as
// [DecodePluginCall] does.
func DecodePluginResume(data []byte) (r PluginRequest, snapshot []byte, expect engine.Expect, err *engine.Error) {
	var w walk
	r.Now = absent
	w.Read("resume", data)
	for w.Next() {
		w.restore(&snapshot, &expect)
		w.plugin(&r)
		w.Bool("resend", may, &r.Begin.Resend)
		w.Bool("again", may, &r.Begin.Again)
		w.Int("moreRounds", may, &r.Begin.MoreRounds)
	}
	return r, snapshot, expect, r.check(&w, "resume")
}

// DecodePluginClose reads what asks for the session to end, which is the time,
// as [DecodePluginCall] does.
func DecodePluginClose(data []byte) (now int64, err *engine.Error) {
	var w walk
	r := PluginRequest{Now: absent}
	w.Read("close", data)
	for w.Next() {
		w.time(&r.Now)
	}
	return r.Now, r.check(&w, "close")
}

// plugin reads what every request has.
func (w *walk) plugin(r *PluginRequest) {
	w.time(&r.Now)
	w.Bool("snapshots", may, &r.Snapshots)
}

func (r *PluginRequest) check(w *walk, what string) *engine.Error {
	if w.Flaw == "" && r.Now == absent {
		w.Flaw = what + ": now is missing: give the host's clock as Unix time in milliseconds"
	}
	return w.flaw(fault.Options)
}

// DecodePluginAnswer reads what a callback came back with: an event, with now
// beside it. One that is not the session's own is for the call under way; ask is
// what is meant where it is left out. data is used as memory: see the package
// comment. It fails with [fault.Order].
func DecodePluginAnswer(data []byte, call, ask int) (ev session.Event, now int64, err *engine.Error) {
	if len(data) == 0 {
		return nil, 0, &engine.Error{Code: fault.Order, Detail: "the answer is empty, or longer than the plug-in takes"}
	}
	var w walk
	w.readTyped(Text, "answer", data, aTime)
	w.assumed = ask
	switch {
	case w.is("opened"), w.is("message"), w.is("ended"), w.is("down"):
		ev = w.sessionEvent()
	default:
		ev = session.To{Call: call, Event: w.event()}
	}
	if w.Flaw == "" && w.now == absent {
		w.Flaw = "now is missing: give the Unix time in milliseconds with every answer"
	}
	return ev, w.now, w.flaw(fault.Order)
}

// PluginText is what a callback is called with: an action, and what goes with it.
type PluginText struct {
	Action   session.Action // nil where a message is waited for
	Until    int64          // when the engine will act by itself, Unix milliseconds; 0 is never
	News     []session.Action
	Snapshot []byte
}

// PluginCallback is the text for a callback.
func PluginCallback(t *PluginText) []byte {
	size := 1024 + len(t.Snapshot)
	switch a := t.Action.(type) {
	case session.Post:
		size += len(a.Body)
	case session.Request:
		size += len(a.Params)
	}
	// Room for all of it at once: what is left behind while a text grows is of no
	// use before the next callback.
	var w walk
	w.Dst = make([]byte, 0, 2*size)
	if t.Action == nil {
		w.Put("{")
	} else {
		w.told(t.Action)
	}
	w.Int64("until", may, &t.Until)
	w.news(t.News)
	w.Raw("snapshot", may, &t.Snapshot)
	w.Close()
	return w.Dst
}

// PluginOutcome is how a call ended: its last action, a snapshot if it can go
// on, its audit records and what else there is to tell. Without a last action it
// is that of a session that has begun or ended.
func PluginOutcome(end engine.Action, snapshot []byte, notes []engine.Note, news []session.Action) []byte {
	var w walk
	if end == nil {
		w.Put("{")
	} else {
		w.appendAction(end)
	}
	w.Raw("snapshot", may, &snapshot)
	if notes != nil {
		w.Name("notes")
		w.Put("[")
		for _, note := range notes {
			w.Comma()
			w.appendAction(note)
			w.Close()
		}
		w.Put("]")
	}
	w.news(news)
	w.Close()
	return w.Dst
}

func (w *walk) news(news []session.Action) {
	if news == nil {
		return
	}
	w.Name("news")
	w.Put("[")
	for _, a := range news {
		w.Comma()
		w.told(a)
		w.Close()
	}
	w.Put("]")
}

// told writes an action of a session in which there is one call at a time, but for
// the end of its object.
func (w *walk) told(a session.Action) {
	if from, ok := a.(session.From); ok {
		w.appendAction(from.Action)
	} else {
		w.appendSessionAction(a)
	}
}
