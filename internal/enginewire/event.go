package enginewire

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/relay"
)

// AppendEvent appends an event as JSON, such as
// {"type":"answer","ask":1,"raw":"{…}"}.
func (n Notation) AppendEvent(dst []byte, ev engine.Event) []byte {
	var w walk
	w.write(n, dst)
	w.appendEvent(ev)
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
	case engine.Relay:
		w.appendRelayed(ev.Message)
	default:
		w.Open("")
	}
}

func (w *walk) appendRelayed(message relay.Message) {
	switch m := message.(type) {
	case relay.Speak:
		w.Open("speak")
		w.speak(&m)
	case relay.ServerAsk:
		w.Open("serverAsk")
		w.serverAsk(&m)
	case relay.ServerCancel:
		w.Open("serverCancel")
		w.serverCancel(&m)
	case relay.Completed:
		w.Open("completed")
		w.completed(&m)
	case relay.TaskChanged:
		w.Open("taskChanged")
		w.taskChanged(&m)
	default:
		w.Open("")
	}
}

// DecodeEvent reads an event. data is used as memory: see the package comment.
// It fails with [fault.Order].
func (n Notation) DecodeEvent(data []byte) (engine.Event, *engine.Error) {
	var w walk
	w.readTyped(n, "event", data, nothing)
	ev := w.event()
	return ev, w.flaw(fault.Order)
}

// event reads an event of a flow.
func (w *walk) event() engine.Event {
	switch {
	case w.is("response"):
		var e engine.Response
		for w.next() {
			w.response(&e)
		}
		return e
	case w.is("part"):
		var e engine.Part
		for w.next() {
			w.part(&e)
		}
		return e
	case w.is("answer"):
		e := engine.Answer{Ask: w.assumed}
		for w.next() {
			w.answer(&e)
		}
		return e
	case w.is("begin"):
		var e engine.Begin
		for w.next() {
			w.begin(&e)
		}
		return e
	case w.is("tick"):
		w.none()
		return engine.Tick{}
	case w.is("lost"):
		var e engine.Lost
		for w.next() {
			w.lost(&e)
		}
		return e
	case w.is("refuse"):
		e := engine.Refuse{Ask: w.assumed}
		for w.next() {
			w.refuse(&e)
		}
		return e
	case w.is("progress"):
		var e engine.Progress
		for w.next() {
			w.progress(&e)
		}
		return e
	case w.is("park"):
		e := engine.Park{Ask: w.assumed}
		for w.next() {
			w.park(&e)
		}
		return e
	case w.is("saved"):
		w.none()
		return engine.Saved{}
	case w.is("saveFailed"):
		var e engine.SaveFailed
		for w.next() {
			w.saveFailed(&e)
		}
		return e
	case w.is("cancel"):
		w.none()
		return engine.Cancel{}
	}
	return engine.Relay{Message: w.relayed()}
}

// relayed reads what only a session says.
func (w *walk) relayed() relay.Message {
	switch {
	case w.is("speak"):
		var m relay.Speak
		for w.next() {
			w.speak(&m)
		}
		return m
	case w.is("serverAsk"):
		var m relay.ServerAsk
		for w.next() {
			w.serverAsk(&m)
		}
		return m
	case w.is("serverCancel"):
		var m relay.ServerCancel
		for w.next() {
			w.serverCancel(&m)
		}
		return m
	case w.is("completed"):
		var m relay.Completed
		for w.next() {
			w.completed(&m)
		}
		return m
	case w.is("taskChanged"):
		var m relay.TaskChanged
		for w.next() {
			w.taskChanged(&m)
		}
		return m
	}
	w.unknownEvent()
	return nil
}

func (w *walk) unknownEvent() {
	if w.Flaw == "" {
		w.Flaw = "event: the type is not known"
	}
}
