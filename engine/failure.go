package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/sentence"
)

// malformed ends the flow because the server sent what the schema forbids.
func (f *Flow) malformed(text sentence.Text) {
	f.fail(fault.Malformed, text)
}

// failWith ends the flow because of what another part of it found.
func (f *Flow) failWith(bad *Error) { f.fail(bad.Code, bad.Detail) }

// abandon gives up the leg in flight, and reports whether it was certainly not
// sent.
func (f *Flow) abandon() (unsent bool) {
	if f.legWaits() {
		return true
	}
	unsent = f.unsent
	f.unsent = false
	f.do(Abandon{Leg: f.leg})
	return unsent
}

func (f *Flow) fail(code fault.Code, detail sentence.Text) {
	f.end(Failed{Code: code, Detail: detail})
}

// end ends the flow without a result: what is on the wire is abandoned, open
// questions are withdrawn. Where it stood is kept if it can go on.
func (f *Flow) end(end Failed) {
	f.withdraw()
	f.gate.shut = false
	if f.inFlight() {
		unsent := f.abandon()
		f.dropServed()
		f.phase = doubt
		if unsent && !f.doubtful {
			f.phase = ready
		}
	}
	end.Resumable = end.Code.Resumable()
	f.status = over
	if end.Resumable {
		f.status = failed
	}
	f.noteFailed(end.Code)
	f.do(end)
}
