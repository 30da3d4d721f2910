package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// incomplete takes a response that asks beside a result. The proposals allow
// it as the answer to any request of the client.
func (f *Flow) incomplete(ev *relay.Incomplete) {
	size := max(len(ev.InputRequests)+len(ev.RequestState), ev.TooLong)
	switch {
	case ev.Fault != "":
		f.malformed(ev.Fault)
	case size > f.opts.Limits.Response:
		f.fail(fault.Limit, tooLong("the response", size, f.opts.Limits.Response, "response"))
	case !f.taskMayAsk():
		f.malformed("the server asks in the answer to a request on which it may not")
	default:
		f.openRound(ev.InputRequests, ev.RequestState)
	}
}

// taskMayAsk reports whether the leg at hand is of no task, or is the tasks/result
// of one in whose answer the server may ask.
func (f *Flow) taskMayAsk() bool { return f.task == nil || f.dialect.TasksAsk() && f.endsCall() }

// openRound takes the round that a response asks for: two members of an
// InputRequiredResult, nil where absent. Everything is checked before anybody is
// asked.
func (f *Flow) openRound(inputRequests, requestState []byte) {
	if f.task != nil {
		f.task.fetch = false
	}
	if message.IsEmptyArray(inputRequests) { // as some languages write an object that is empty
		inputRequests = nil
	}
	asksSomething, hasState := inputRequests != nil, requestState != nil
	if asksSomething && !rawjson.IsObject(inputRequests) {
		f.malformed("inputRequests is not an object")
		return
	}
	if hasState && !rawjson.IsString(requestState) {
		f.malformed("requestState is not a string")
		return
	}
	if len(requestState) > f.opts.Limits.State {
		f.fail(fault.Limit, tooLong("requestState", len(requestState), f.opts.Limits.State, "state"))
		return
	}
	// What the round keeps is copied at once: the body is the host's.
	n := len(inputRequests)
	kept := append(append(make([]byte, 0, n+len(requestState)), inputRequests...), requestState...)
	inputRequests, requestState = kept[:n:n], kept[n:]
	f.acceptedBefore = len(f.accepted)
	var asks []ask
	if asksSomething {
		var bad *Error
		if asks, bad = f.readAsks(inputRequests); bad != nil {
			f.fail(bad.Code, bad.Detail)
			return
		}
	}
	// At least one of the two MUST be there (mrtr, Server Requirements 6);
	// an empty map asks nothing and counts as absent.
	if len(asks) == 0 && !hasState {
		f.malformed("input_required with neither inputRequests nor requestState")
		return
	}
	// A round replaces the one before: neither its state nor its answers may
	// leak into the next leg (mrtr, Client Requirements 2).
	if !hasState {
		requestState = nil
	}
	f.noteState(requestState)
	f.remember()
	f.looped, f.state, f.inputRequests, f.asks = true, requestState, inputRequests, asks
	f.firstAsk = f.issued + 1
	f.enterRound()
}

// enterRound asks what the round at hand asks, or waits where it asks nothing.
func (f *Flow) enterRound() {
	f.phase = entering
	switch {
	case f.status == parking:
		f.stop()
	case len(f.asks) == 0 && f.waits >= f.opts.MaxWaits:
		f.fail(fault.Waits, count("still only requestState after {0} waits", f.waits))
	case len(f.asks) == 0:
		f.wakeAt = f.now + f.paceWait()
		f.phase = pacing
	case f.round >= f.opts.MaxRounds:
		f.fail(fault.Rounds, count("the server asks again after {0} rounds", f.round))
	default:
		f.round++
		f.phase = asking
		f.note(audit.Round)
		if f.repeats() {
			f.notBefore = f.now + f.paceRepeat()
		} else {
			f.waits, f.notBefore = 0, 0
		}
		f.showAsks()
	}
}

// repeats reports whether the round asks nothing but what was accepted before.
func (f *Flow) repeats() bool {
	for i := range f.asks {
		if !f.asks[i].repeat {
			return false
		}
	}
	return true
}
