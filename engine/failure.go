package engine

// malformed ends the flow because the server sent what the schema forbids.
func (f *Flow) malformed(text string) {
	f.fail(ErrMalformed, legDetail(f.leg, text))
}

func (f *Flow) fail(code Code, detail string) {
	f.end(Failed{Code: code, Detail: detail})
}

// end ends the flow without a result: what is on the wire is abandoned, open
// questions are withdrawn. Where it stood is kept if it can go on.
func (f *Flow) end(end Failed) {
	f.withdraw()
	if f.inFlight() {
		f.dropServed()
		f.do(Abandon{Leg: f.leg})
		f.phase = doubt
	}
	end.Resumable = end.Code.Resumable()
	f.status = over
	if end.Resumable {
		f.status = failed
	}
	f.code = end.Code
	f.note(NoteFailed)
	f.do(end)
}
