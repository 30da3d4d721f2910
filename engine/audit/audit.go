// Package audit names what the records of a call say: the kinds of a
// [github.com/parley-mcp/parley/engine.Note].
package audit

// Kind says what a record is about.
type Kind string

// What is recorded.
const (
	Sent         Kind = "sent"         // a leg went out
	Resent       Kind = "resent"       // a leg went out with what a lost one carried
	Lost         Kind = "lost"         // a leg will not be answered
	Round        Kind = "round"        // a round of questions was opened
	Asked        Kind = "asked"        // a question was put
	Answered     Kind = "answered"     // an answer was taken
	Withdrawn    Kind = "withdrawn"    // a question was taken back
	StateNew     Kind = "stateNew"     // requestState appeared
	StateChanged Kind = "stateChanged" // requestState differs from that of the round before
	StateGone    Kind = "stateGone"    // requestState vanished
	StrayFields  Kind = "strayFields"  // a complete result carried inputRequests or requestState, which were ignored
	Done         Kind = "done"         // the call has its result
	Failed       Kind = "failed"       // the call has failed
	Parked       Kind = "parked"       // the call was parked
)
