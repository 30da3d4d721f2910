package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/sentence"
)

// An Action is something the host must do: one of [From], [Post], [Request], [Listen],
// [Recall], [Keep], [Forget], [Delete], [Abort], [Progress], [Notification], [Subscribed], [Changed],
// [Ready], [Warning] and [Wait]. Byte slices in actions are the caller's, except where they share
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
//
// Jar counts how often another account has signed in. The transport keeps the
// server's cookies in memory and sends them back. If Jar is greater than in any
// action before, it begins with none; with an action whose Jar is less, it sends
// none and keeps none. No cookie of one account then reaches another.
type Post struct {
	Exchange int
	Call     int      // whose leg it is; 0 where it is the session's own
	Leg      int      // of the call
	Cancels  int      // the exchange whose request it cancels: a host that has not begun that drops both, and reports [Ended] with Unsent for that; 0 if it cancels none
	Jar      int      // whose cookies go with it over HTTP
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
	Jar      int // as in [Post]
	Headers  []Header
	At       int64 // not before, in Unix milliseconds; 0 means at once
}

// Recall looks up what [Keep] has kept, if anything, whatever the transport. Its
// exchange ends with a [Message] whose Body that is, or with [Ended]; either
// tells the Authorization that a request would have now. A host that fails at it
// has nothing; one that takes long gets an [Abort]. Only with Options.Cache.
type Recall struct {
	Exchange  int
	Call, Leg int    // whose leg waits for it
	Key       string // UTF-8, at most 32 KiB
	Private   bool   // as in Keep
}

// Keep has the host keep a text under a key, in place of what is there. The
// host may lose it at any time, so nothing is said of a failure.
type Keep struct {
	Key     string // as in [Recall]
	Entry   []byte // JSON text, at most 1 MiB
	Until   int64  // when it is of no use any more, in Unix milliseconds
	Private bool   // it is for this session alone: it goes into no store that another has
}

// Forget has the host drop all whose key begins so, but for what is private.
// Only with Options.CachedAs.
type Forget struct{ Prefix string }

// Delete ends a session that the server keeps, by DELETE.
type Delete struct {
	Exchange int
	Jar      int // as in [Post]
	Headers  []Header
}

// Abort ends an exchange whose answer is not wanted: abort the fetch. If the exchange has
// not begun, drop it and report [Ended] with Unsent before the next action is performed.
// Otherwise an Ended may be left out, and is ignored.
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

// Subscribed says what of the last [Subscribe] the server will tell of. It may
// be less than was asked for. Nothing at all has a Reason; unless it is Over,
// the session goes on trying by itself.
type Subscribed struct {
	Filter
	Reason sentence.Text // why nothing comes; for the person who reads it
	Over   bool          // until the next Subscribe
}

// Changed says what has changed of what the host has subscribed to: lists that
// are stale, resources to be read again. It stands for the notification. With
// Missed it is everything, because nothing was heard for a while: whether
// something changed is not known.
//
// In earlier eras a uri may be of a part of the resource that is subscribed
// to.
type Changed struct {
	Filter
	Missed bool
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
// sent. What may come again and again, such as a server's log among its messages, is
// told of once.
type Warning struct{ Text sentence.Text }

// Wait asks for a Step with [Tick] at a time, in Unix milliseconds. It replaces
// every earlier one; 0 means that no Tick is needed.
type Wait struct{ Until int64 }

func (From) isAction()         {}
func (Post) isAction()         {}
func (Request) isAction()      {}
func (Listen) isAction()       {}
func (Recall) isAction()       {}
func (Keep) isAction()         {}
func (Forget) isAction()       {}
func (Delete) isAction()       {}
func (Abort) isAction()        {}
func (Progress) isAction()     {}
func (Notification) isAction() {}
func (Subscribed) isAction()   {}
func (Changed) isAction()      {}
func (Ready) isAction()        {}
func (Warning) isAction()      {}
func (Wait) isAction()         {}
