package wire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// AppendEvent appends an event as JSON, such as
// {"type":"answer","ask":1,"raw":"{…}"}.
func (n Notation) AppendEvent(dst []byte, ev engine.Event) []byte {
	var w walk
	w.write(n, dst)
	if r, ok := ev.(engine.Relay); ok {
		r.AppendTo(&w.Walk)
	} else {
		w.appendEvent(ev)
	}
	w.Close()
	return w.End()
}

func (w *walk) appendEvent(ev engine.Event) {
	switch ev := ev.(type) {
	case engine.Begin:
		w.Open("begin")
		w.begin(&ev)
	case engine.Part:
		w.Open("part")
		w.part(&ev)
	case engine.Response:
		w.Open("response")
		w.response(&ev)
	case engine.Lost:
		w.Open("lost")
		w.lost(&ev)
	case engine.Progress:
		w.Open("progress")
		w.progress(&ev)
	case engine.Answer:
		w.Open("answer")
		w.answer(&ev)
	case engine.Refuse:
		w.Open("refuse")
		w.refuse(&ev)
	case engine.Saved:
		w.Open("saved")
	case engine.SaveFailed:
		w.Open("saveFailed")
		w.saveFailed(&ev)
	case engine.Park:
		w.Open("park")
		w.park(&ev)
	case engine.Cancel:
		w.Open("cancel")
	case engine.Tick:
		w.Open("tick")
	default:
		w.Open("")
	}
}

// DecodeEvent reads an event. data is used as memory: see the package comment.
// It fails with [fault.Order].
func (n Notation) DecodeEvent(data []byte) (engine.Event, *engine.Error) {
	var w walk
	w.readTyped(n, "event", data, nothing)
	if r := engine.ReadRelay(&w.Walk, w.kind, w.next); r.Message != nil { // only scripts of flows have it
		return r, w.flaw(fault.Order)
	}
	ev := w.event()
	return ev, w.flaw(fault.Order)
}

// event reads an event that hosts give to a call.
func (w *walk) event() engine.Event {
	switch {
	case w.is("response"):
		return get(w, (*walk).response)
	case w.is("part"):
		return get(w, (*walk).part)
	case w.is("answer"):
		return get(w, (*walk).answer)
	case w.is("begin"):
		return get(w, (*walk).begin)
	case w.is("tick"): // The time of a `wait` has come.
		w.none()
		return engine.Tick{}
	case w.is("lost"):
		return get(w, (*walk).lost)
	case w.is("refuse"):
		return get(w, (*walk).refuse)
	case w.is("progress"):
		return get(w, (*walk).progress)
	case w.is("park"):
		return get(w, (*walk).park)
	case w.is("saved"): // What `save` asked for is done. The step that is told so has the actions that waited, up to the next `save`.
		w.none()
		return engine.Saved{}
	case w.is("saveFailed"):
		return get(w, (*walk).saveFailed)
	case w.is("cancel"): // The caller gives up.
		w.none()
		return engine.Cancel{}
	}
	w.unknownEvent()
	return nil
}

func (w *walk) unknownEvent() {
	if w.Flaw == "" {
		w.Flaw = "event: the type is not known"
	}
}
