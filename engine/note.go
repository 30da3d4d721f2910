package engine

import (
	"github.com/parley-mcp/parley/rawjson"
)

// Note is an audit record: what happened, when, in which flow, leg and round.
// It never holds state or content. Notes come only with Options.Audit.
type Note struct {
	Kind  NoteKind
	Flow  string // Options.ID
	Leg   int
	Round int
	Time  int64 // Unix milliseconds

	Ask         int    // of NoteAsked, NoteAnswered and NoteWithdrawn: the ask id
	Action      string // of NoteAnswered to an elicitation: accept, decline or cancel
	Fingerprint string // of NoteStateNew and NoteStateChanged: tells states apart, and nothing more
	Code        Code   // of NoteFailed
}

// NoteKind says what a [Note] records.
type NoteKind string

// What notes record.
const (
	NoteSent         NoteKind = "sent"         // a leg went out
	NoteResent       NoteKind = "resent"       // a leg went out with what a lost one carried
	NoteLost         NoteKind = "lost"         // a leg will not be answered
	NoteRound        NoteKind = "round"        // a round of questions was opened
	NoteAsked        NoteKind = "asked"        // a question was put
	NoteAnswered     NoteKind = "answered"     // an answer was taken
	NoteWithdrawn    NoteKind = "withdrawn"    // a question was taken back
	NoteStateNew     NoteKind = "stateNew"     // requestState appeared
	NoteStateChanged NoteKind = "stateChanged" // requestState is another than in the round before
	NoteStateGone    NoteKind = "stateGone"    // requestState vanished
	NoteStrayFields  NoteKind = "strayFields"  // a complete result carried inputRequests or requestState, which were ignored
	NoteDone         NoteKind = "done"
	NoteFailed       NoteKind = "failed"
	NoteParked       NoteKind = "parked"
)

func (f *Flow) note(kind NoteKind) { f.noteAsk(kind, 0, "") }

// noteAsk records something about a question; words are the action or, for
// states, the fingerprint.
func (f *Flow) noteAsk(kind NoteKind, ask int, words string) {
	if !f.opts.Audit {
		return
	}
	n := Note{Kind: kind, Flow: f.opts.ID, Leg: f.leg, Round: f.round, Time: f.now, Ask: ask}
	switch kind {
	case NoteAnswered:
		n.Action = words
	case NoteStateNew, NoteStateChanged:
		n.Fingerprint = words
	case NoteFailed:
		n.Code = f.code
	}
	f.do(n)
}

// noteState records what a round does to the state.
func (f *Flow) noteState(state []byte) {
	switch {
	case !f.opts.Audit || string(state) == string(f.state) && (state == nil) == (f.state == nil):
	case state == nil:
		f.note(NoteStateGone)
	case f.state == nil:
		f.noteAsk(NoteStateNew, 0, fingerprint(state))
	default:
		f.noteAsk(NoteStateChanged, 0, fingerprint(state))
	}
}

// fingerprint is 32 bits of a hash: enough to see that two states differ, too
// little to tell what one is.
func fingerprint(state []byte) string {
	sum := rawjson.Hash(state)
	return rawjson.Hex(uint64(uint32(sum>>32 ^ sum)))
}
