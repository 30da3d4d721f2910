package engine

// Info tells a host what a flow is, for a list of parked calls and before
// resuming one. Its bytes are the flow's: do not modify them.
type Info struct {
	Method       string
	Params       []byte // the caller's
	Capabilities []byte // sent with every leg

	ID, Peer, Principal string

	// What Capabilities declares, which the host must be able to answer.
	Form, URL, Sampling, SamplingTools, Roots bool

	Round, Leg int
	LastID     int64 // of the requests made for it, as [Flow.UseID] says; 0 if none is known
	Questions  int   // of the last round that are not answered
	InDoubt    bool  // Begin needs Resend: a tool may or may not have run
	Over       bool  // nothing can continue

	Task string // the status of the task that the call has become, as in [Task]; "" if it is none
}

// Params are those of the call, as in [Info]: JSON text, which is the flow's.
func (f *Flow) Params() []byte { return f.params }

// SnapshotInfo tells what a snapshot is: for a list of parked calls, and before one is
// resumed. It fails with [fault.Snapshot] as [Restore] does, and asks for no labels:
// Peer and Principal are in what it tells.
func SnapshotInfo(snap []byte) (Info, error) {
	f, err := read(snap, defaultSnapshot)
	if err != nil {
		return Info{}, err
	}
	return f.Info(), nil
}

// Info describes the flow as it stands. WebAssembly returns each of its members as
// a value of its own, and V8 of Node 20 mixes them up where hot code asks for it: a
// session in the middle of a step asks for [Flow.Params] and its like instead.
func (f *Flow) Info() Info {
	info := Info{
		Method: f.method, Params: f.params, Capabilities: f.opts.Capabilities,
		ID: f.opts.ID, Peer: f.opts.Peer, Principal: f.opts.Principal,
		Form: f.can.Form, URL: f.can.URL, Sampling: f.can.Sampling, SamplingTools: f.can.SamplingTools, Roots: f.can.Roots,
		Round: f.round, Leg: f.leg, LastID: f.lastID, Over: f.status == over,
		InDoubt: f.status != over && (f.inFlight() && (!f.unsent || f.doubtful) || f.phase == doubt) && !f.mayResend(),
	}
	if f.task != nil {
		info.Task = f.task.status
	}
	for i := range f.asks {
		if f.asks[i].answer == nil {
			info.Questions++
		}
	}
	return info
}
