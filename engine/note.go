package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// Note is an audit record: what happened, when, in which flow, leg and round.
// It never holds state or content. Notes come only with Options.Audit.
type Note struct {
	Kind  audit.Kind
	Flow  string // Options.ID
	Leg   int
	Round int
	Time  int64 // Unix milliseconds

	Ask         int        // of audit.Asked, audit.Answered and audit.Withdrawn: the ask id
	Action      string     // of audit.Answered to an elicitation: accept, decline or cancel
	Fingerprint string     // of audit.StateNew and audit.StateChanged: tells states apart, and nothing more
	Code        fault.Code // of audit.Failed
}

func (f *Flow) note(kind audit.Kind) { f.noteAsk(kind, 0, "") }

// noteAsk records something about a question; words are the action or, for
// states, the fingerprint.
func (f *Flow) noteAsk(kind audit.Kind, ask int, words string) {
	if !f.opts.Audit {
		return
	}
	n := Note{Kind: kind, Flow: f.opts.ID, Leg: f.leg, Round: f.round, Time: f.now, Ask: ask}
	switch kind {
	case audit.Answered:
		n.Action = words
	case audit.StateNew, audit.StateChanged:
		n.Fingerprint = words
	}
	f.do(n)
}

func (f *Flow) noteFailed(code fault.Code) {
	if f.opts.Audit {
		f.do(Note{Kind: audit.Failed, Flow: f.opts.ID, Leg: f.leg, Round: f.round, Time: f.now, Code: code})
	}
}

// noteState records what a round does to the state.
func (f *Flow) noteState(state []byte) {
	switch {
	case !f.opts.Audit || same(state, f.state) && (state == nil) == (f.state == nil):
	case state == nil:
		f.note(audit.StateGone)
	case f.state == nil:
		f.noteAsk(audit.StateNew, 0, fingerprint(state))
	default:
		f.noteAsk(audit.StateChanged, 0, fingerprint(state))
	}
}

// fingerprint is 32 bits of a hash: enough to see that two states differ, too
// little to tell what one is.
func fingerprint(state []byte) string {
	sum := rawjson.Hash(state)
	return string(rawjson.AppendHex(nil, uint64(uint32(sum>>32^sum))))
}
