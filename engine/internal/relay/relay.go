// Package relay is what a session and its calls say to each other and to nobody
// else: what the server said beside its responses, and what answers that. It is
// told with engine.Relay, an event and an action.
package relay

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/sentence"
)

// A Message is one of the types of this package.
type Message interface{ isMessage() }

// Speak says which dialect the server speaks, as engine.Dialect spells it; until
// then it is that of MCP 2026-07-28. It is out of order while the last thing
// the server said is in another dialect.
type Speak struct{ Dialect string }

// Response is the server's response to a leg, which the session has scanned. What
// the flow keeps of it, it copies.
type Response struct {
	Leg        int
	Message    *message.Message
	Incomplete *Incomplete // what it asks in place of a result, nil if it does not
	AsTask     bool        // the leg asked for a task, as of 2025-11-25, though the call's params do not
}

// Incomplete is what a response asks in place of a result, as in the proposals
// before MCP 2026-07-28, in the shape of an InputRequiredResult.
type Incomplete struct {
	InputRequests []byte        // nil where absent
	RequestState  []byte        // nil where absent
	TooLong       int           // bytes of what is not kept, 0 if everything is
	Fault         sentence.Text // what is malformed about it, "" if that is for the flow to check
}

// ServerAsk says that a server of an earlier era asked something by a JSON-RPC
// request of its own while a leg is in flight.
type ServerAsk struct {
	Leg     int
	Request []byte // the request's id as JSON text; copied
	Method  string
	Params  []byte // nil if it has none; copied
	Unsent  bool   // the leg is not sent before this is answered
}

// ServerCancel says that the server withdrew a request of its own.
type ServerCancel struct{ Request []byte }

// Completed says that the person is done with a url of an earlier era
// (notifications/elicitation/complete).
type Completed struct{ ElicitationID string }

// TaskChanged says that a task has news (notifications/tasks): it is polled at
// once.
type TaskChanged struct{ TaskID string }

// Challenged says that the leg in flight waits because the server wants
// authorization. Whoever is asked to sign in gets Params; Denied ends the call
// instead.
type Challenged struct {
	Leg    int
	Unsent bool          // the server carried nothing of it out
	Params []byte        // of the question; nil if another call is asked
	Denied sentence.Text // why nobody is asked, in words for a person
}

// Authorize is what the host did with the question to sign in: it answered
// with Raw, parked or refused.
type Authorize struct {
	Ask    int
	Raw    []byte
	Park   bool
	Reason sentence.Text // of a refusal
}

// Released says that a leg that waited goes out again, unless it is lost.
type Released struct {
	Leg  int
	Lost bool
}

// Resend is a call's message to its session: the leg that waited goes out now.
type Resend struct{ Leg int }

// Authorized is a call's message to its session: somebody has signed in.
type Authorized struct{ Account string }

// Replaced is a call's last message to its session: another account has signed in
// than the call's, which ended it.
type Replaced struct{ Account string }

// Reply answers a ServerAsk, and is a call's other message to its session.
// It has either a result or an error.
type Reply struct {
	Request []byte // the request's id as it came
	Result  []byte // JSON text
	Code    int    // of a JSON-RPC error, 0 where there is a result
	Message string // of a JSON-RPC error
}

func (Speak) isMessage()        {}
func (*Response) isMessage()    {}
func (ServerAsk) isMessage()    {}
func (ServerCancel) isMessage() {}
func (Completed) isMessage()    {}
func (TaskChanged) isMessage()  {}
func (Reply) isMessage()        {}
func (Challenged) isMessage()   {}
func (Authorize) isMessage()    {}
func (Released) isMessage()     {}
func (Resend) isMessage()       {}
func (Authorized) isMessage()   {}
func (Replaced) isMessage()     {}
