package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// An Action is something the host must do: one of [Send], [Abandon], [Tell],
// [Ask], [Withdraw], [Save], [Wait], [Leg], [Pause], [Task], [Note], [Done],
// [Parked] and [Failed]; in a session also [Relay]. Byte slices in actions
// share memory with the flow or with the Response that led to them. They never
// change afterwards, and the host must not change them.
type Action interface{ isAction() }

// Send asks the host to send a request with a fresh JSON-RPC id.
type Send struct {
	Leg    int // numbered from 1; the Response or Lost that answers it names it
	Method string
	Params []byte // JSON object, to be spliced into the envelope as it is
}

// Abandon says that a leg is no longer wanted: abort the fetch, or send
// notifications/cancelled.
type Abandon struct{ Leg int }

// Save asks the host to take a snapshot before the next Step, to keep it, and then to
// report [Saved] or [SaveFailed]. What follows of this flow comes with Saved; only its end
// may come before. Only with [Begin.Save].
type Save struct{}

// Leg says what goes out and what comes back. Only with [Begin.Watch].
type Leg struct {
	Leg    int
	Method string // where it goes out
	Size   int    // bytes of params, or of the response
	Answer string // "" when it goes out; then complete, input_required, incomplete, task, error, lost or unknown; in a session also cached, where nothing went out
	State  int    // bytes of a requestState as it stands in the text, with its quotes; 0 if there is none
	Asks   int    // of input_required: how many questions
}

// Pause says when the next leg goes out, and that nothing happens before: the
// server asked the client to come back, or a task is polled. Only with
// [Begin.Watch].
type Pause struct {
	Until int64 // Unix milliseconds
	Waits int   // rounds in a row that asked nothing; 0 if the wait has another cause
}

// Kind is the method of an embedded request, spelled as the schema spells it.
type Kind string

// The kinds of ask.
const (
	KindElicit    Kind = "elicitation/create"
	KindSample    Kind = "sampling/createMessage"
	KindListRoots Kind = "roots/list"

	// KindAuthorize is a session's own: sign in, because the server wants
	// authorization over HTTP. No method of a server is called so.
	//
	// Params has the status, the challenge as it came, and what its Bearer
	// scheme says, as it spells it: {"status":403,"error":"insufficient_scope",
	// "scope":"deploy","resource_metadata":"https://…","challenge":"Bearer …"}.
	// The answer is an object; its member account is a label of the account that
	// signed in, which becomes the call's Principal if that is empty. Its member
	// replaces lists the labels of accounts that this one takes the place of by
	// the person's consent: their calls continue as this account, unless the
	// server is at work on them.
	KindAuthorize Kind = "authorize"
)

// Mode is the mode of an elicitation.
type Mode string

// The modes of elicitation.
const (
	ModeForm Mode = "form" // also when the server named none: client/elicitation, Elicitation Requests
	ModeURL  Mode = "url"
)

// Ask asks the host to put a question to the person, the model or the roots
// provider and to come back with an [Answer] or [Refuse].
type Ask struct {
	ID     int    // never reused in this flow; negative if it is to authorize, which the server does not ask in its rounds
	Key    string // the server's name for the question; may come back in a later round as a new question; empty if a server of an earlier era asked by a request of its own
	Kind   Kind
	Mode   Mode   // of an elicitation, "" otherwise
	Params []byte // the embedded request's params as JSON text, nil if the server sent none
	Round  int    // numbered from 1

	// Hints for a url, which has been checked: see client/elicitation, Safe
	// URL Handling.
	Host     string // in lower case, without the port; to be highlighted
	Loopback bool   // the host is this machine
	Punycode bool   // a label begins with xn--: what a browser shows may look like another name

	// Problem says why the last answer to this question could not be sent, or
	// why the call cannot be parked now, in words for a person; "" the first
	// time. The Ask replaces the one with its ID.
	Problem sentence.Text

	// Earlier is the content that was accepted for this very form, word for
	// word, before the call was started over; nil if there is none. It is for
	// the person to look at and to send: a host never sends it by itself.
	Earlier []byte

	// Repeat says that this very url was accepted before in this flow: the
	// host opens nothing by itself and offers to open it again, to try again
	// or to stop.
	Repeat bool
}

// Withdraw says that a question is moot: close its dialog.
type Withdraw struct{ Ask int }

// Task reports the status of the task that a tool call has become, whenever it
// changes.
type Task struct {
	Status  string // as the tasks extension spells it: working, input_required, …
	Message string // the server's, for a person; cut at 500 bytes
}

// Tell asks the host to send a request whose answer nobody waits for.
type Tell struct {
	Method string
	Params []byte
}

// Wait asks for a Step with [Tick] at the given time, in Unix milliseconds. A
// Step has at most one, as its last action, and it replaces every earlier Wait;
// a Tick that comes early is answered with the same Wait again.
type Wait struct{ Until int64 }

// Done is the end of the flow with the server's final result, byte for byte.
type Done struct {
	Result []byte // nil if From and To say where it stands

	// From and To are where the result stands in the body of the response, from
	// its first [Part] on, which the host still has; see [Done.In]. Both are 0
	// if it came in one piece.
	From, To int

	// NoStore says that the result MUST NOT be cached, because its request
	// carried inputResponses or requestState.
	//
	// Source: MCP 2026-07-28, server/utilities/caching, Cacheable Results.
	NoStore bool

	// Cached says that a session took the result from what its host has kept, and
	// sent nothing.
	Cached bool

	// Next is the cursor of the next page of a list, as JSON text that goes back as it
	// is: params are {"cursor":…}. Nil if there is no other page, or no list.
	Next []byte

	// Lacks says what the result does not have that its method must bring, such as
	// content; "" if it has that. It is what came of the call all the same: nothing
	// is to be sent again.
	Lacks sentence.Text
}

// In is the same with its Result, of which the body is the whole response.
func (d Done) In(body []byte) Done {
	if d.Result == nil && d.To > 0 && d.To <= len(body) {
		d.Result, d.From, d.To = body[d.From:d.To:d.To], 0, 0
	}
	return d
}

// Parked is the end of a flow that was asked to stop: Snapshot holds it.
type Parked struct{}

// Failed is the end of the flow without a result.
type Failed struct {
	Code      fault.Code
	Detail    sentence.Text // what is wrong and where; never requestState, an answer or a secret
	Resumable bool          // what was collected is kept: Snapshot holds it, Begin continues
	Error     []byte        // the server's JSON-RPC error object as it came, for fault.RPC and fault.State; nil if it has no integer code
}

func (Send) isAction()     {}
func (Save) isAction()     {}
func (Leg) isAction()      {}
func (Pause) isAction()    {}
func (Abandon) isAction()  {}
func (Ask) isAction()      {}
func (Withdraw) isAction() {}
func (Task) isAction()     {}
func (Tell) isAction()     {}
func (Wait) isAction()     {}
func (Note) isAction()     {}
func (Done) isAction()     {}
func (Parked) isAction()   {}
func (Failed) isAction()   {}
