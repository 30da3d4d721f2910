package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// maxResends is how often the same content goes out again by itself.
const maxResends = 2

// lost takes note of a leg that will not be answered.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http: a request whose
// stream broke is lost, and may be issued again as a new request.
func (f *Flow) lost(ev Lost) *Error {
	inFlight, err := f.checkLeg(ev.Leg)
	if inFlight {
		defer f.watchLost(len(f.out))
	}
	switch {
	case !inFlight:
		// One that was given up before it was sent is not in doubt.
		if ev.Unsent && err == nil && ev.Leg == f.leg && f.phase == doubt && f.status == failed && !f.doubtful {
			f.phase = ready
		}
	case ev.Unsent || f.legWaits():
		f.notSent()
		f.note(audit.Lost)
		f.fail(fault.Lost, reason("it was not carried out", ev.Reason))
	default:
		f.dropServed()
		f.phase = doubt
		f.note(audit.Lost)
		f.undecided(ev.Reason)
	}
	return err
}

const mayHaveRun sentence.Text = "it cannot be told whether the tool has run; it is called again only on request"

// undecided decides what becomes of a leg of which nobody knows whether it
// arrived. Prompts and resources are read again; a tool may have done its work
// and may do it twice, so a person decides. Re-sends are no rounds.
func (f *Flow) undecided(words sentence.Text) {
	parking := f.status == parking
	switch {
	case f.method == "tools/call" && !f.mayResend():
		f.fail(fault.InDoubt, reason(mayHaveRun, words))
	case !f.mayResend() || f.resends == maxResends:
		f.fail(fault.Lost, reason("no answer will come", words))
	default:
		f.wakeAt = f.now + f.paceResend()
		f.resends++
		f.phase = pacing
		if parking {
			f.stop()
		}
	}
}

func (f *Flow) mayResend() bool {
	return f.task != nil || f.method == "prompts/get" || f.method == "resources/read" || f.method == "tools/call" && f.opts.ResendTools
}
