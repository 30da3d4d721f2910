package engine

// begin starts the flow, or goes on with one that was parked, has failed
// resumably or was restored.
func (f *Flow) begin(ev Begin) *Error {
	switch {
	case f.status == over:
		return &Error{ErrOrder, "the flow is over"}
	case !f.resumes() && f.phase != idle:
		return &Error{ErrOrder, "the flow has begun already"}
	}
	f.status, f.restored, f.waitUntil = live, false, 0
	if f.task != nil { // who goes on with it may never have been told
		f.do(Task{Status: f.task.status, Message: f.task.message})
	}
	switch f.phase {
	case idle, ready:
		f.send()
	case flying, serving, doubt: // a leg in flight when the snapshot was taken is as good as lost
		for i := range f.asks {
			f.asks[i].shown = f.asks[i].shown && f.phase != serving // the dialogs went with their process
		}
		f.dropServed()
		f.phase = doubt
		f.resends = 0
		if ev.Resend {
			f.send()
		} else {
			f.undecided("it was in flight when the call stopped")
		}
	case held:
		f.enterRound()
	case asking:
		for i := range f.asks {
			f.asks[i].shown = false
		}
		f.showAsks()
	case pacing: // the Wait follows
	}
	return nil
}

// resumes reports whether Begin goes on with what was, instead of starting.
func (f *Flow) resumes() bool {
	return f.restored || f.status == parked || f.status == failed
}

// park stops the flow with everything kept. A leg in flight is waited for: the
// server may be doing the work just now. Not so a poll, which can be made again.
func (f *Flow) park() *Error {
	switch {
	case f.status != live:
	case f.phase == serving:
		return &Error{ErrNotParkable, legDetail(f.leg, "the server waits for the answer to a question of its own")}
	case f.phase == flying && f.task != nil && !f.task.updating:
		f.do(Abandon{Leg: f.leg})
		f.phase, f.task.fetch = ready, false
		f.stop()
	case f.phase == flying:
		f.status = parking
	default:
		f.stop()
	}
	return nil
}

// stop is the end of parking.
func (f *Flow) stop() {
	f.withdraw()
	f.status = parked
	f.note(NoteParked)
	f.do(Parked{})
}
