package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// AppendSessionEvent appends an event of a session as JSON, such as
// {"type":"message","exchange":1,"body":"{…}"}. An event for a call is that of
// its flow with "call" beside it.
func (n Notation) AppendSessionEvent(dst []byte, ev session.Event) []byte {
	var w walk
	w.write(n, dst)
	w.appendSessionEvent(ev)
	w.Close()
	return w.End()
}

func (w *walk) appendSessionEvent(ev session.Event) {
	switch ev := ev.(type) {
	case session.To:
		w.appendEvent(ev.Event)
		w.Int("call", must, &ev.Call)
	case session.Part:
		w.Open("part")
		w.slice(&ev)
	case session.Opened:
		w.Open("opened")
		w.opened(&ev)
	case session.Message:
		w.Open("message")
		w.message(&ev)
	case session.Ended:
		w.Open("ended")
		w.ended(&ev)
	case session.Down:
		w.Open("down")
		w.down(&ev)
	case session.Close:
		w.Open("close")
	case session.Tick:
		w.Open("tick")
	case session.Subscribe:
		w.Open("subscribe")
		w.subscribe(&ev)
	default:
		w.Open("")
	}
}

// DecodeSessionEvent reads an event of a session. data is used as memory: see
// the package comment. It fails with [fault.Order].
func (n Notation) DecodeSessionEvent(data []byte) (session.Event, *engine.Error) {
	var w walk
	w.readTyped(n, "event", data, aCall)
	ev := w.sessionEvent()
	if ev == nil {
		ev = w.to()
	}
	return ev, w.flaw(fault.Order)
}

// sessionEvent reads an event of no call, nil if it is none. A tick may be of
// either.
func (w *walk) sessionEvent() session.Event {
	beside := w.beside
	if beside == aCall {
		w.beside = nothing
	}
	switch {
	case w.is("message"):
		return get(w, (*walk).message)
	case w.is("part"):
		return get(w, (*walk).slice)
	case w.is("opened"):
		return get(w, (*walk).opened)
	case w.is("ended"):
		return get(w, (*walk).ended)
	case w.is("down"):
		return get(w, (*walk).down)
	case w.is("close"): // Ends the session.
		w.none()
		return session.Close{}
	case w.is("subscribe"):
		return get(w, (*walk).subscribe)
	}
	w.beside = beside
	return nil
}

// to reads an event of a call, or a tick.
func (w *walk) to() session.Event {
	ev := w.event()
	if w.call != absent {
		return session.To{Call: w.call, Event: ev}
	}
	if _, ok := ev.(engine.Tick); !ok {
		w.unknownEvent()
	}
	return session.Tick{}
}

// AppendSession appends {"session":…}, the answer to a new session.
func (n Notation) AppendSession(dst []byte, handle uint32) []byte {
	return n.appendNumber(dst, "session", int64(handle))
}

// AppendCall appends {"call":…}, the answer to a new call.
func (n Notation) AppendCall(dst []byte, call int) []byte {
	return n.appendNumber(dst, "call", int64(call))
}

func (n Notation) appendNumber(dst []byte, name string, number int64) []byte {
	var w walk
	w.write(n, dst)
	w.Put("{")
	w.Int64(name, must, &number)
	w.Close()
	return w.End()
}

// DecodeSession reads what [Notation.AppendSession] or [Notation.AppendError] wrote.
func (n Notation) DecodeSession(data []byte) (handle uint32, err error) {
	number, err := n.decodeNumber(data, "session")
	return uint32(number), err
}

// DecodeCall reads what [Notation.AppendCall] or [Notation.AppendError] wrote.
func (n Notation) DecodeCall(data []byte) (call int, err error) {
	number, err := n.decodeNumber(data, "call")
	return int(number), err
}

func (n Notation) decodeNumber(data []byte, name string) (number int64, err error) {
	var w walk
	var failed *engine.Error
	w.read(n, "answer of the engine", data)
	for w.Next() {
		w.error(&failed)
		w.Int64(name, told, &number)
	}
	return number, w.flawed(failed)
}
