package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
)

// An Action is something the host must do: one of [From], [Post], [Request], [Listen],
// [Delete], [Abort], [Progress], [Notification], [Ready], [Warning] and
// [Wait]. Byte slices in actions are the caller's, except where they share
// memory with the event that led to them.
type Action interface{ isAction() }

// From is an action of one call: Ask, Withdraw, Wait, Note, Done, Parked or
// Failed.
type From struct {
	Call   int
	Action engine.Action
}

// Header is an HTTP header field.
type Header = envelope.Header

// Post sends a message. Over HTTP it is a POST with these header fields; over
// stdio it is a line, and there are none.
type Post struct {
	Exchange int
	Call     int      // whose leg it is; 0 where it is the session's own
	Leg      int      // of the call
	Headers  []Header // all that the protocol asks for, Accept and Content-Type included
	Body     []byte   // over stdio without line breaks, and without the one at its end
}

// Request sends a request over a connection that is not the session's. Only
// over [Requests], where it stands for Post.
type Request struct {
	Exchange     int
	Call, Leg    int // whose leg it is; 0 where nobody waits for the answer
	Method       string
	Params       []byte // JSON object, to be sent as it is, but for what the connection adds to _meta
	Capabilities []byte // clientCapabilities, to be declared with it
}

// Listen opens a stream of the server's own by GET, or resumes one that broke
// off. Only servers of earlier eras have them.
type Listen struct {
	Exchange int
	Headers  []Header
	At       int64 // not before, in Unix milliseconds; 0 means at once
}

// Delete ends a session that the server keeps, by DELETE.
type Delete struct {
	Exchange int
	Headers  []Header
}

// Abort ends an exchange whose answer is not wanted: abort the fetch. No Ended
// need follow, and one that does is ignored. Over stdio it concerns only a Post
// that the host still holds back, to save first or because the caller gave up:
// drop it.
type Abort struct{ Exchange int }

// Progress passes on the params of a notifications/progress for a call.
type Progress struct {
	Call, Leg int
	Params    []byte
}

// Notification passes on any other notification of the server.
type Notification struct {
	Call   int // in whose response it came, 0 where that is not known
	Method string
	Params []byte // nil where it has none
}

// Ready says which protocol version is spoken, as soon as that is known, and
// again if it changes. A host may keep Version for Options.Known.
type Ready struct {
	Version string

	// What the server says about itself, as JSON text; nil if it was not asked.
	// It is self-reported: nothing may depend on it for security.
	ServerInfo, Capabilities []byte
	Instructions             string
}

// Warning says, for a log, what was left out or ignored of what the server
// sent.
type Warning struct{ Text string }

// Wait asks for a Step with [Tick] at a time, in Unix milliseconds. It replaces
// every earlier one; 0 means that no Tick is needed.
type Wait struct{ Until int64 }

func (From) isAction()         {}
func (Post) isAction()         {}
func (Request) isAction()      {}
func (Listen) isAction()       {}
func (Delete) isAction()       {}
func (Abort) isAction()        {}
func (Progress) isAction()     {}
func (Notification) isAction() {}
func (Ready) isAction()        {}
func (Warning) isAction()      {}
func (Wait) isAction()         {}
