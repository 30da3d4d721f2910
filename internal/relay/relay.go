// Package relay is what a session and its calls say to each other and to nobody
// else: what the server said beside its responses, and what answers that. It is
// told with engine.Relay, an event and an action.
package relay

// A Message is one of the types of this package.
type Message interface{ isMessage() }

// Speak says which dialect the server speaks, as engine.Dialect spells it; until
// then it is that of MCP 2026-07-28. It is out of order while the last thing
// the server said is in another dialect.
type Speak struct{ Dialect string }

// Incomplete is a response that asks in place of a result, as in the proposals
// before MCP 2026-07-28: what it asks, in the shape of an InputRequiredResult.
// What the flow keeps of it, it copies.
type Incomplete struct {
	Leg           int
	InputRequests []byte // nil where absent
	RequestState  []byte // nil where absent
	Fault         string // what is malformed about it, "" if that is for the flow to check
}

// ServerAsk says that a server of an earlier era asked something by a JSON-RPC
// request of its own while a leg is in flight.
type ServerAsk struct {
	Leg     int
	Request []byte // the request's id as JSON text; copied
	Method  string
	Params  []byte // nil if it has none; copied
}

// ServerCancel says that the server withdrew a request of its own.
type ServerCancel struct{ Request []byte }

// Completed says that the person is done with a url of an earlier era
// (notifications/elicitation/complete).
type Completed struct{ ElicitationID string }

// TaskChanged says that a task has news (notifications/tasks): it is polled at
// once.
type TaskChanged struct{ TaskID string }

// Reply answers a ServerAsk, and is the one message of a call to its session.
// It has either a result or an error.
type Reply struct {
	Request []byte // the request's id as it came
	Result  []byte // JSON text
	Code    int    // of a JSON-RPC error, 0 where there is a result
	Message string // of a JSON-RPC error
}

func (Speak) isMessage()        {}
func (Incomplete) isMessage()   {}
func (ServerAsk) isMessage()    {}
func (ServerCancel) isMessage() {}
func (Completed) isMessage()    {}
func (TaskChanged) isMessage()  {}
func (Reply) isMessage()        {}
