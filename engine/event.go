package engine

import "github.com/parley-mcp/parley/sentence"

// An Event is something that happened at the host: one of [Begin], [Part],
// [Response], [Lost], [Progress], [Answer], [Refuse], [Saved], [SaveFailed], [Park], [Cancel]
// and [Tick]; in a session also [Relay].
type Event interface{ isEvent() }

// Begin starts a flow, or continues one that was parked, failed resumably or
// was restored: open questions are asked again, and a leg that was in flight
// counts as lost.
type Begin struct {
	Resend bool // send a leg again although nobody knows whether it arrived, even a tool call

	// Again starts the call over from its first round, with its own params:
	// after [fault.State], say, when the server no longer accepts the state. A
	// form that is asked again word for word comes with [Ask.Earlier]. If a
	// tool may have run, Resend is needed as well.
	Again bool

	// MoreRounds lets the server ask in this many more rounds than it has so
	// far, if MaxRounds allows fewer, and counts state-only rounds from zero
	// again.
	MoreRounds int

	// Save asks for [Save] actions, Watch for [Leg] and [Pause]. Like
	// everything in Begin they hold for as long as this process drives the
	// flow.
	Save, Watch bool
}

// Part is a slice of the server's answer to a leg; the [Response] that follows has
// the last slice. A host that must not let a Step take long feeds what is longer
// than 256 KiB like this, cut anywhere. What the flow keeps of it, it copies.
type Part struct {
	Leg  int
	Body []byte
}

// Response is the server's answer to a leg. What else stands in Body does not matter:
// white space, a byte order mark, text before the response or behind it, notifications
// in the same batch. Two responses that differ are none.
type Response struct {
	Leg  int
	Body []byte // the whole JSON-RPC response as text, but for what came before as [Part]; what the flow keeps of it, it copies
}

// Lost says that the transport failed: no answer to this leg will come.
type Lost struct {
	Leg    int
	Reason sentence.Text // for the person who reads the error; no secrets, cut at 2,400 bytes

	// Unsent says that the leg certainly was not carried out, for example
	// because nothing listens there: nothing is in doubt, and nothing is sent
	// again by itself.
	Unsent bool
}

// Progress says that the server reported progress on a leg: LegTimeout starts
// over, up to LegMax.
type Progress struct{ Leg int }

// Answer is the host's result for an ask.
type Answer struct {
	Ask int    // the ask id
	Raw []byte // ElicitResult, CreateMessageResult or ListRootsResult as JSON text; copied

	// Fill puts the schema's defaults into an accepted form where properties
	// are missing. It is for hosts without a person; a form shows defaults
	// pre-filled instead.
	Fill bool
}

// Refuse says that the host cannot or will not answer an ask.
type Refuse struct {
	Ask    int
	Reason sentence.Text // for the person who reads the error; no secrets, cut at 2,400 bytes
}

// Saved says that the snapshot is kept: the Step returns the actions that waited, up to
// the next [Save]. The clocks of a leg and of questions among them start now.
type Saved struct{}

// SaveFailed says that the snapshot could not be kept: the flow fails with [fault.Save],
// and a leg that waited was not sent.
type SaveFailed struct {
	Reason sentence.Text // for the person who reads the error; no secrets, cut at 2,400 bytes
}

// Park stops the flow and keeps everything; [Parked] follows, after the leg in
// flight if there is one. While a question is open that a server of an earlier
// era asked by a request of its own, that server waits: then Park fails with
// [fault.NotParkable] or, if Ask names the question to park, puts that question
// again with a Problem. It does not if the leg was not sent yet.
type Park struct{ Ask int }

// Cancel says that the caller gave up.
type Cancel struct{}

// Tick says that time passed; see [Wait].
type Tick struct{}

func (Begin) isEvent()      {}
func (Part) isEvent()       {}
func (Response) isEvent()   {}
func (Lost) isEvent()       {}
func (Progress) isEvent()   {}
func (Answer) isEvent()     {}
func (Refuse) isEvent()     {}
func (Saved) isEvent()      {}
func (SaveFailed) isEvent() {}
func (Park) isEvent()       {}
func (Cancel) isEvent()     {}
func (Tick) isEvent()       {}
