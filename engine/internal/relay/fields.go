package relay

import (
	"github.com/parley-mcp/parley/internal/fields"
	"github.com/parley-mcp/parley/rawjson"
)

// AppendTo writes a message as scripts of flows have it. Of those that only a session
// and its calls have, it writes no type.
func AppendTo(w *fields.Walk, message Message) {
	switch m := message.(type) {
	case Speak:
		w.Open("speak")
		m.fields(w)
	case ServerAsk:
		w.Open("serverAsk")
		m.fields(w)
	case ServerCancel:
		w.Open("serverCancel")
		m.fields(w)
	case Completed:
		w.Open("completed")
		m.fields(w)
	case TaskChanged:
		w.Open("taskChanged")
		m.fields(w)
	case Reply:
		w.Open("reply")
		m.fields(w)
	case Resend:
		w.Open("resend")
		m.fields(w)
	default:
		w.Open("")
	}
}

// Read reads what AppendTo wrote. kind is the token of its type, and next starts a pass
// over the fields. It returns nil if the type is not known here.
func Read(w *fields.Walk, kind []byte, next func() bool) Message {
	switch {
	case rawjson.Is(kind, "speak"):
		return read(w, next, (*Speak).fields)
	case rawjson.Is(kind, "serverAsk"):
		return read(w, next, (*ServerAsk).fields)
	case rawjson.Is(kind, "serverCancel"):
		return read(w, next, (*ServerCancel).fields)
	case rawjson.Is(kind, "completed"):
		return read(w, next, (*Completed).fields)
	case rawjson.Is(kind, "taskChanged"):
		return read(w, next, (*TaskChanged).fields)
	case rawjson.Is(kind, "reply"):
		return read(w, next, (*Reply).fields)
	case rawjson.Is(kind, "resend"):
		return read(w, next, (*Resend).fields)
	}
	return nil
}

func read[M Message](w *fields.Walk, next func() bool, visit func(*M, *fields.Walk)) Message {
	var m M
	for next() {
		visit(&m, w)
	}
	return m
}

func (m *Speak) fields(w *fields.Walk) { w.Text("dialect", fields.Must, &m.Dialect) }

func (m *ServerAsk) fields(w *fields.Walk) {
	w.Int("leg", fields.Must, &m.Leg)
	w.Raw("request", fields.Must, &m.Request)
	w.Text("method", fields.Must, &m.Method)
	w.Raw("params", fields.May, &m.Params)
	w.Bool("unsent", fields.May, &m.Unsent)
}

func (m *ServerCancel) fields(w *fields.Walk) { w.Raw("request", fields.Must, &m.Request) }

func (m *Completed) fields(w *fields.Walk) { w.Text("elicitationId", fields.Must, &m.ElicitationID) }

func (m *TaskChanged) fields(w *fields.Walk) { w.Text("taskId", fields.Must, &m.TaskID) }

func (m *Reply) fields(w *fields.Walk) {
	w.Raw("request", fields.May, &m.Request)
	w.Raw("result", fields.May, &m.Result)
	w.Int("code", fields.May, &m.Code)
	w.Text("message", fields.May, &m.Message)
}

func (m *Resend) fields(w *fields.Walk) { w.Int("leg", fields.Must, &m.Leg) }
