package session

import "github.com/parley-mcp/parley/engine"

// An Event is something that happened at the host: one of [To], [Message],
// [Ended], [Down], [Tick] and [Close].
type Event interface{ isEvent() }

// To hands an event to one call: Begin, Answer, Refuse, Park, Cancel, Tick or
// Lost, the last only for a Post that was not performed. All other events are
// the session's to give.
type To struct {
	Call  int
	Event engine.Event
}

// Message is a JSON-RPC message of the server. Over [Requests] it is the response
// to the exchange, whatever its id, or progress of it.
type Message struct {
	Exchange int    // whose response it came in; 0 over stdio
	Body     []byte // the message as text; what the session keeps of it, it copies

	// Of an HTTP response: its status, and the value of Mcp-Session-Id, ""
	// where it has none. Status 0 stands for 200.
	Status    int
	SessionID string

	// Of a server-sent event: its id, "" where it has none, and the stream's
	// reconnection time in milliseconds, 0 if it was not set.
	EventID string
	Retry   int

	Last bool // the exchange ends with this message; no Ended follows
}

// Ended says that an exchange is over and no more messages will come of it.
type Ended struct {
	Exchange  int
	Status    int    // of an HTTP response, 0 if none came
	SessionID string // as in [Message]
	EventID   string // as in [Message], where the last event carried no message
	Retry     int    // as in [Message]

	// Reason is why, where it did not end as it should: for the person who
	// reads the error; no secrets, cut at 200 bytes.
	Reason string

	// Unsent says that the request certainly never reached the server.
	Unsent bool
}

// Down says that the server's process is gone, over stdio: every exchange
// ended with it. The next Post starts another.
type Down struct {
	Reason string // as in [Ended]
}

// Tick says that time passed; see [Wait].
type Tick struct{}

// Close ends the session: what is in flight is abandoned, and a server that
// keeps a session is told. Calls can still be parked and canceled.
type Close struct{}

func (To) isEvent()      {}
func (Message) isEvent() {}
func (Ended) isEvent()   {}
func (Down) isEvent()    {}
func (Tick) isEvent()    {}
func (Close) isEvent()   {}
