package engine

import (
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Flow is one logical call: a client request with all its rounds. It is a
// deterministic machine: same options and same events, same actions. A Flow is
// not safe for concurrent use.
type Flow struct {
	method string
	params []byte // the caller's params, verbatim

	// Small things are together: a flow that waits is mostly this struct.
	can       Can
	dialect   drafts.Dialect
	phase     phase
	status    status
	restored  bool // since Restore no Begin came
	saves     bool // the host wants Save
	watched   bool // the host wants Leg and Pause
	isShut    bool // the door is: a Save is out, and the host has not reported it
	unsent    bool // it is sent once the server's questions at hand are answered
	legState  bool // it carried a requestState
	asTask    bool // it asked for a task, though params do not
	doubtful  bool // an earlier leg with that content may have arrived
	seedState bool // the caller's own params carry a requestState
	seeded    bool // or inputResponses
	looped    bool // a round has come: legs are retries, no longer the caller's params
	consented bool // to the urls of an earlier era; the questions at hand are whether to go on

	now    int64 // Unix milliseconds
	spent  int64 // milliseconds not spent waiting for a person, for Budget
	lastID int64 // of the requests made for it

	leg     int           // number of the last leg sent
	legSent int64         // when it was sent
	legSeen int64         // when the server last reported progress on it
	slices  *message.Body // of its answer, nil if none has come
	resends int           // of the content it carried

	round          int      // rounds with questions so far
	waits          int      // paced rounds in a row
	wakeAt         int64    // pacing: when the next leg goes out
	notBefore      int64    // of a Repeat round: the next leg goes out no sooner
	state          []byte   // requestState of the last round as it came, nil if it had none
	inputRequests  []byte   // of the last round as they came; asks points into it
	asks           []ask    // the last round's questions, in the server's order
	issued         int      // last ask id handed to the host
	firstAsk       int      // ask id of asks[0]
	accepted       []string // urls a person went along with
	acceptedBefore int      // of them, before the last round
	waitUntil      int64    // the Wait the host holds, 0 if none

	task      *task    // that the call has become, nil if it has not
	completed []string // elicitationIds of urls that an earlier era asks to open, of those seen to before the person agreed

	waiting []Action // at the door, in order; at most one Save is among them
	earlier earlier  // forms that were accepted
	gate    gate     // of the leg in flight

	out []Action  // of the Step under way
	few [2]Action // the memory of out, unless there are more

	opts Options // last: in a module, what stands within the first 128 bytes is reached by shorter instructions
}

// phase is where the call stands. It outlives a failure that can be resumed
// from.
type phase uint8

const (
	idle     phase = iota // not begun
	flying                // a leg is in flight
	reading               // the leg is over, what came of it is being decided
	entering              // a round has come and is not entered yet
	asking                // questions are open
	serving               // a leg is in flight, and questions are open that the server asked meanwhile
	pacing                // the next leg waits for its time
	ready                 // the next leg may go out
	doubt                 // a leg was sent, and may have arrived
)

// status is whether anything goes on.
type status uint8

const (
	live    status = iota
	parking        // Park came while a leg was in flight
	parked         // Parked was returned
	failed         // Failed was returned, and Begin may go on
	over           // Done was returned, or Failed for good
)

// New makes a flow for one request. method is any MCP method; tools/call,
// prompts/get and resources/read may loop. params is a JSON object as text,
// copied and sent verbatim; nil means {}. It may carry inputResponses and
// requestState taken over from another client: the first leg sends them as
// they are. New fails with [fault.Options].
func New(method string, params []byte, opts Options) (*Flow, error) {
	if method == "" {
		return nil, newError(fault.Options, "the method is empty")
	}
	if params == nil {
		params = []byte("{}")
	}
	f := &Flow{method: method, params: params, opts: opts, firstAsk: 1}
	if bad := f.settle(); bad != nil {
		return nil, bad
	}
	n := len(f.opts.Capabilities)
	own := append(append(make([]byte, 0, n+len(f.params)), f.opts.Capabilities...), f.params...)
	f.opts.Capabilities, f.params = own[:n:n], own[n:]
	return f, nil
}

// settle settles the options and reads what the flow must know of them, of the
// params and of the capabilities.
func (f *Flow) settle() *Error {
	if bad := f.opts.settle(); bad != nil {
		return bad
	}
	if len(f.params) > f.opts.Limits.Params {
		return newError(fault.Options, tooLong("params", len(f.params), f.opts.Limits.Params, "params"))
	}
	var m rawjson.Members
	for m.Start(f.params); m.Next(); {
		if m.Is("requestState") {
			f.seedState, f.seeded = true, true
		}
		if m.Is("inputResponses") {
			f.seeded = true
		}
	}
	if m.Err != nil {
		if _, err := rawjson.Value(f.params); err != nil {
			return optionsError("params", err)
		}
		return newError(fault.Options, "params is not a JSON object")
	}
	f.params = rawjson.Trim(f.params)
	can, flaw := readCapabilities(f.opts.Capabilities)
	if flaw != "" {
		return newError(fault.Options, sentence.Say("Capabilities: {0}", flaw))
	}
	f.can = can
	f.can.AnyForm = f.opts.anyForm
	return nil
}

// maxNow is the last time the engine tells apart, in Unix milliseconds: the
// largest integer a float64 holds exactly, for hosts whose clock is one.
const maxNow = 1<<53 - 1

// Step advances the flow by one event and returns every action that follows
// from it, so there is nothing left to poll. The slice is in memory of the flow,
// which the next Step uses again; who keeps it, copies it.
//
// now is the host's clock in Unix milliseconds; a clock that goes backwards is
// held. An error is a usage error ([fault.Order], [fault.NotParkable]) and leaves the
// flow as it was; a flow that fails says so with a [Failed] action.
func (f *Flow) Step(now int64, ev Event) ([]Action, error) {
	before, spent, sent, seen := f.now, f.spent, f.legSent, f.legSeen
	f.clock(now, ev)
	f.few = [len(f.few)]Action{}
	f.out = f.few[:0]
	pause := f.pausing()
	if _, ok := ev.(Begin); ok { // who goes on may never have been told
		pause = 0
	}
	var err *Error
	switch ev := ev.(type) {
	case Begin:
		err = f.begin(ev)
	case Part:
		err = f.part(ev)
	case Response:
		err = f.response(ev)
	case Lost:
		err = f.lost(ev)
	case Progress:
		err = f.progress(ev)
	case Answer:
		err = f.answer(ev)
	case Refuse:
		err = f.refuse(ev)
	case Park:
		err = f.park(ev)
	case Saved:
		f.saved()
	case SaveFailed:
		f.saveFailed(ev)
	case Cancel:
		f.cancel()
	case Tick:
	case Relay:
		err = f.relayed(ev.Message)
	default:
		err = newError(fault.Order, "unknown event")
	}
	if err != nil {
		f.now, f.spent, f.legSent, f.legSeen = before, spent, sent, seen
		return nil, err
	}
	f.expire()
	f.watchPause(pause)
	f.letOut()
	_, tick := ev.(Tick)
	f.wait(tick)
	return f.out, nil
}

// cancel ends the flow because the caller gave up. Between rounds there is
// nothing on the wire to cancel (basic/patterns/cancellation). A task goes on at
// the server though its call has failed here.
func (f *Flow) cancel() {
	switch f.status {
	case live, parking:
		f.cancelTask()
		f.fail(fault.Canceled, "the caller gave up")
	case failed:
		f.cancelTask()
	}
}

// UseID says that a request with this JSON-RPC id was made for the flow. A
// snapshot keeps the largest, so that whoever resumes the call uses others: the
// id of a retry MUST differ (basic/patterns/mrtr, Client Requirements 3). A
// session does this for its calls; on a connection of its own the host chooses
// the ids.
func (f *Flow) UseID(id int64) { f.lastID = max(f.lastID, id) }

// ResponseLimit is Limits.Response, in bytes.
func (f *Flow) ResponseLimit() int { return f.opts.Limits.Response }

// isLive reports whether the flow is not over.
func (f *Flow) isLive() bool { return f.status == live || f.status == parking }

func (f *Flow) do(a Action) { f.out = append(f.out, a) }
