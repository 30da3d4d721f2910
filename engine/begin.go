package engine

import (
	"math"

	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
)

// begin starts the flow, or goes on with one that was parked, has failed
// resumably or was restored.
func (f *Flow) begin(ev Begin) *Error {
	switch {
	case f.status == over:
		return newError(fault.Order, "the flow is over")
	case !f.resumes() && f.phase != idle:
		return newError(fault.Order, "the flow has begun already")
	}
	if f.phase == serving { // the dialogs went with their process
		for i := range f.asks {
			f.asks[i].shown = false
		}
	}
	if f.unsent && f.inFlight() {
		f.notSent()
	}
	inDoubt := (f.inFlight() || f.phase == doubt) && !f.mayResend()
	f.status, f.restored, f.waitUntil = live, false, 0
	f.gate.before = f.gate.asked
	f.saves, f.watched, f.isShut, f.waiting = ev.Save, ev.Watch, false, nil
	if ev.MoreRounds > 0 {
		f.opts.MaxRounds = max(f.opts.MaxRounds, f.round+min(ev.MoreRounds, math.MaxInt32-f.round))
		f.waits = 0
	}
	if ev.Again && (ev.Resend || !inDoubt) {
		f.startOver()
	}
	if f.task != nil { // who goes on with it may never have been told
		f.do(Task{Status: f.task.status, Message: f.task.message})
	}
	f.proceed(ev.Resend)
	return nil
}

// proceed continues from the phase that the flow is in.
func (f *Flow) proceed(resend bool) {
	switch f.phase {
	case idle, ready:
		f.send()
	case flying, serving, doubt: // a leg in flight when the snapshot was taken is as good as lost
		f.dropServed()
		f.phase = doubt
		f.resends = 0
		if resend {
			f.send()
		} else {
			f.undecided("it was in flight when the call stopped")
		}
	case entering:
		f.enterRound()
	case asking:
		for i := range f.asks {
			f.asks[i].shown = false
		}
		f.showAsks()
	case pacing: // the Wait follows
	}
}

// startOver forgets everything but what people answered.
func (f *Flow) startOver() {
	f.dropServed()
	f.remember()
	f.phase, f.looped, f.round, f.waits, f.resends, f.doubtful = idle, false, 0, 0, 0, false
	f.state, f.inputRequests, f.asks, f.task = nil, nil, nil, nil
	f.firstAsk = f.issued + 1
	f.accepted, f.acceptedBefore = nil, 0
	f.consented, f.completed = false, nil
	f.earlier.again = f.earlier.forms
}

// resumes reports whether Begin goes on with what was, instead of starting.
func (f *Flow) resumes() bool {
	return f.restored || f.status == parked || f.status == failed
}

// park stops the flow with everything kept. A leg in flight is waited for: the
// server may be doing the work just now. Not so a poll, which can be made again.
func (f *Flow) park(ev Park) *Error {
	switch {
	case f.status != live:
	case f.unsent || f.inFlight() && f.legWaits():
		f.notSent()
		f.stop()
	case f.phase == serving && ev.Ask != 0:
		a, err := f.openAsk(ev.Ask)
		if a != nil {
			f.askAgain(ev.Ask, "the server waits for the answer, so the call cannot be parked now")
		}
		return err
	case f.phase == serving:
		return newError(fault.NotParkable, "the server waits for the answer to a question of its own")
	case f.phase == flying && f.task != nil && !f.task.updating:
		f.abandon()
		f.phase, f.task.fetch = ready, false
		f.stop()
	case f.phase == flying:
		f.status = parking
	default:
		f.stop()
	}
	return nil
}

// stop is the end of parking. A call that is in doubt fails instead: who asked to park
// wants to know what may have happened.
func (f *Flow) stop() {
	if f.phase == doubt && f.method == "tools/call" && !f.mayResend() {
		f.fail(fault.InDoubt, mayHaveRun)
		return
	}
	f.withdraw()
	f.gate.shut = false
	f.status = parked
	f.note(audit.Parked)
	f.do(Parked{})
}
