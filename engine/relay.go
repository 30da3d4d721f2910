package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/relay"
)

// Relay is what a session and its calls say to each other, as an event and as
// an action: which dialect the server speaks, what it asked by requests of its
// own, and what answers those. Only package session can make one and read it; a
// host that drives a flow by itself neither sends nor gets any.
type Relay struct{ Message relay.Message }

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
