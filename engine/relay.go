package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/internal/fields"
)

// Relay is what a session and its calls say to each other, as an event and as
// an action: which dialect the server speaks, what it asked by requests of its
// own, and what answers those. Only package session can make one and read it; a
// host that drives a flow by itself neither sends nor gets any.
type Relay struct{ Message relay.Message }

// AppendTo writes a message as scripts of flows have it: see internal/wire.
func (r Relay) AppendTo(w *fields.Walk) { relay.AppendTo(w, r.Message) }

// ReadRelay reads what AppendTo wrote: kind is the token of its type, and next starts a
// pass over the fields. Message is nil if the type is not known.
func ReadRelay(w *fields.Walk, kind []byte, next func() bool) Relay {
	return Relay{relay.Read(w, kind, next)}
}

func (Relay) isEvent()  {}
func (Relay) isAction() {}

// relayed takes what a session says.
func (f *Flow) relayed(message relay.Message) *Error {
	switch m := message.(type) {
	case relay.Speak:
		return f.speak(m.Dialect)
	case *relay.Response:
		return f.scanned(m)
	case relay.ServerAsk:
		return f.serverAsk(m)
	case relay.ServerCancel:
		f.serverCancel(m)
	case relay.Completed:
		f.complete(m)
	case relay.TaskChanged:
		f.taskChanged(m)
	case relay.Challenged:
		return f.challenged(m)
	case relay.Authorize:
		return f.authorize(m)
	case relay.Released:
		f.released(m)
	default:
		return newError(fault.Order, "unknown event")
	}
	return nil
}
