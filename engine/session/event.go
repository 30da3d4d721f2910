package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/sentence"
)

// An Event is something that happened at the host: one of [To], [Part],
// [Opened], [Message], [Ended], [Down], [Tick], [Close] and [Subscribe].
type Event interface{ isEvent() }

// To hands an event to one call: Begin, Answer, Refuse, Saved, SaveFailed, Park,
// Cancel or Tick. The session gives all others itself.
type To struct {
	Call  int
	Event engine.Event
}

// Part is a slice of a [Message] that is to come in the same exchange, whose Body
// is then the last slice. A host feeds what is longer than 256 KiB like this, in
// slices of that size cut anywhere, so that no Step takes long; other events may
// come between. An exchange that ends, or that the session aborts, ends its
// slices too. What is kept of a slice is copied.
//
// A member that is longer than 1 MiB, and than Limits.Response of every call, is
// checked and not kept. Of what came in slices [engine.Done] says where the
// result stands in the whole.
type Part struct {
	Exchange int // as in [Message]
	Body     []byte
}

// Opened says that the response to a [Listen] has come, with status 200 and as a
// stream, before its first message: from then on the server can ask. A transport
// that cannot tell leaves it out, and a first call then waits longer where roots
// were declared.
type Opened struct{ Exchange int }

// Message is what the transport brings at once: a line, the body of a response or the
// data of an event. It is a JSON-RPC message of the server, or several in a batch, one
// a line or one after the other; what else stands there is ignored, and told of by a
// [Warning] if a person would see it. Over [Requests] it is the response to the
// exchange, whatever its id, or progress of it. To a [Recall] it is what was kept.
type Message struct {
	Exchange int    // whose response it came in; 0 for what the server says over stdio
	Body     []byte // the text as it came, but for what came before as [Part]; what the session keeps of it, it copies

	// Of an HTTP response: its status, and the value of Mcp-Session-Id, ""
	// where it has none. Status 0 stands for 200.
	Status    int
	SessionID string
	Challenge string // of 401 and 403: the values of WWW-Authenticate, with ", " between; longer than 8 KiB is as none

	Location string // of 3xx: the address in Location, without what follows its path

	// Of a server-sent event: its id, "" where it has none, and the stream's
	// reconnection time in milliseconds, 0 if it was not set.
	EventID string
	Retry   int

	// How often the authorization that its request carried has changed, by the
	// transport's count: private results are used again under the same one only.
	Authorization int

	Last bool // the exchange ends with this; no Ended follows
}

// Ended says that an exchange is over and no more messages will come of it.
type Ended struct {
	Exchange  int
	Status    int    // of an HTTP response, 0 if none came
	SessionID string // as in [Message]
	Challenge string // as in [Message]
	Location  string // as in [Message]
	EventID   string // as in [Message], where the last event carried no message
	Retry     int    // as in [Message]

	Authorization int // as in [Message]

	// Reason is why, where it did not end as it should: for the person who
	// reads the error; no secrets, cut at 2,400 bytes.
	Reason sentence.Text

	// Unsent says that the request certainly never reached the server.
	Unsent bool
}

// Down says that the server's process is gone, over stdio: every exchange
// ended with it. The next Post starts another.
type Down struct {
	Reason sentence.Text // as in [Ended]
}

// Tick says that time passed; see [Wait].
type Tick struct{}

// Close ends the session: what is in flight is abandoned, and a server that
// keeps a session is told. Calls can still be parked and canceled.
type Close struct{}

// Subscribe says what the host wants to be told of by [Changed], from now on
// and whatever the server's era: it replaces what it said before, and an empty
// filter ends it. What the server agrees to follows as [Subscribed]. It begins
// to speak with the server if no call has. It fails with [fault.Order] if the
// session is closed or the filter past its bounds, and with [fault.Options]
// over [Requests], where the connection has subscriptions of its own.
//
// Missed says that another session had the subscription and is gone: what
// changed since then is not known, so a [Changed] that says so follows the
// server's agreement.
//
// Source: MCP 2026-07-28, basic/patterns/subscriptions.
type Subscribe struct {
	Filter
	Missed bool
}

func (To) isEvent()        {}
func (Part) isEvent()      {}
func (Opened) isEvent()    {}
func (Message) isEvent()   {}
func (Ended) isEvent()     {}
func (Down) isEvent()      {}
func (Tick) isEvent()      {}
func (Close) isEvent()     {}
func (Subscribe) isEvent() {}
