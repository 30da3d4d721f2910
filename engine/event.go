package engine

// An Event is something that happened at the host: one of [Begin], [Response],
// [Lost], [Progress], [Answer], [Refuse], [Saved], [SaveFailed], [Park], [Cancel] and [Tick]; with
// servers of earlier eras also [Speak], [ServerAsk], [ServerCancel],
// [Completed], [TaskChanged] and [Incomplete].
type Event interface{ isEvent() }

// Begin starts the flow, or goes on with one that was parked, has failed
// resumably or was restored: open questions are asked again, a leg that was in
// flight counts as lost.
type Begin struct {
	Resend bool // send a leg again of which nobody knows whether it arrived, even a tool's

	// Again starts the call over, with its own params and from the first round:
	// after [ErrState], say, where the server will not take the state any more.
	// A form that is asked again word for word comes with [Ask.Earlier]. Where
	// it cannot be told whether a tool has run, Resend is needed as well.
	Again bool

	// MoreRounds lets the server ask in so many rounds more than it has, if
	// that is more than MaxRounds allows, and wait as often as at first.
	MoreRounds int

	// Save asks for [Save] actions, Watch for [Leg] and [Pause]. Like all of
	// Begin they are for as long as this process goes on with the flow.
	Save, Watch bool
}

// Response is the server's answer to a leg.
type Response struct {
	Leg  int
	Body []byte // the whole JSON-RPC response as text; what the flow keeps of it, it copies
}

// Incomplete is a response that asks in place of a result, as the proposals
// before MCP 2026-07-28 have it ([Dialect.AsksBeside]): what it asks, in the
// shape of an InputRequiredResult. Only a session says this, which has taken
// the response apart. What the flow keeps of it, it copies.
type Incomplete struct {
	Leg           int
	InputRequests []byte // nil where absent
	RequestState  []byte // nil where absent
	Fault         string // what is malformed about it, "" if that is for the flow to check
}

// Lost says that the transport failed: no answer to this leg will come.
type Lost struct {
	Leg    int
	Reason string // for the person who reads the error; no secrets, cut at 200 bytes

	// Unsent says that the leg certainly was not carried out, as when
	// nothing listens there: nothing is in doubt, and nothing is sent again
	// by itself.
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
	Reason string // for the person who reads the error; no secrets, cut at 200 bytes
}

// Saved says that what [Save] asked for is done: what came after it may go out.
// The times of a leg and of questions among that count from now.
type Saved struct{}

// SaveFailed says that it could not be done, and that nothing of what came
// after [Save] was performed: the flow fails with [ErrSave], and a leg that was
// to be sent was not.
type SaveFailed struct {
	Reason string // for the person who reads the error; no secrets, cut at 200 bytes
}

// Park stops the flow and keeps everything; [Parked] follows, after the leg in
// flight if there is one. While a question is open that a server of an earlier
// era asked by a request of its own, the server waits: then it is
// [ErrNotParkable], or, where Ask names the question that is to be parked, that
// is put again with the problem.
type Park struct{ Ask int }

// Cancel says that the caller gave up.
type Cancel struct {
	Unsent bool // the leg to be sent was not, and will not be: it is not in doubt
}

// Tick says that time passed; see [Wait].
type Tick struct{}

// Speak says which dialect the server speaks; until then it is [MRTR]. It is
// [ErrOrder] while what the server said last is of another dialect.
type Speak struct{ Dialect Dialect }

// ServerAsk says that a server of an earlier era asked something by a JSON-RPC
// request of its own while a leg is in flight.
type ServerAsk struct {
	Leg     int
	Request []byte // the request's id as JSON text; copied
	Method  string
	Params  []byte // nil if it has none; copied
}

// ServerCancel says that the server took a request of its own back.
type ServerCancel struct{ Request []byte }

// Completed says that a url of an earlier era was seen to
// (notifications/elicitation/complete).
type Completed struct{ ElicitationID string }

// TaskChanged says that a task has news (notifications/tasks): it is polled at
// once.
type TaskChanged struct{ TaskID string }

func (Begin) isEvent()      {}
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

func (Speak) isEvent()        {}
func (Incomplete) isEvent()   {}
func (ServerAsk) isEvent()    {}
func (ServerCancel) isEvent() {}
func (Completed) isEvent()    {}
func (TaskChanged) isEvent()  {}
