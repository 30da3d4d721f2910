package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// roundFields are the members of an InputRequiredResult that make a round, as
// raw spans of the response; nil where absent.
type roundFields struct {
	inputRequests []byte
	requestState  []byte
}

// incomplete takes a response that asks beside a result. The proposals allow
// it as the answer to any request of the client; once the call is a task, only
// tasks/result asks.
func (f *Flow) incomplete(ev *relay.Incomplete) {
	size := max(len(ev.InputRequests)+len(ev.RequestState), ev.TooLong)
	switch {
	case ev.Fault != "":
		f.malformed(ev.Fault)
	case size > f.opts.Limits.Response:
		f.fail(fault.Limit, tooLong("the response", size, f.opts.Limits.Response, "response"))
	case f.task != nil && (f.dialect == sep1685 || !f.task.fetch || f.task.updating):
		f.malformed("the server asks in the answer to a request on which it may not")
	default:
		if f.task != nil {
			f.task.fetch = false
		}
		f.openRound(roundFields{ev.InputRequests, ev.RequestState})
	}
}

// openRound takes the round that a result asks for. Everything is checked
// before anybody is asked.
func (f *Flow) openRound(r roundFields) {
	if message.IsEmptyArray(r.inputRequests) { // as some languages write an object that is empty
		r.inputRequests = nil
	}
	if r.inputRequests != nil && !rawjson.IsObject(r.inputRequests) {
		f.malformed("inputRequests is not an object")
		return
	}
	if r.requestState != nil && !rawjson.IsString(r.requestState) {
		f.malformed("requestState is not a string")
		return
	}
	if len(r.requestState) > f.opts.Limits.State {
		f.fail(fault.Limit, tooLong("requestState", len(r.requestState), f.opts.Limits.State, "state"))
		return
	}
	// What the round keeps is copied at once: the body is the host's.
	kept := make([]byte, 0, len(r.inputRequests)+len(r.requestState))
	kept = append(append(kept, r.inputRequests...), r.requestState...)
	inputRequests, requestState := kept[:len(r.inputRequests):len(r.inputRequests)], kept[len(r.inputRequests):]
	f.acceptedBefore = len(f.accepted)
	var asks []ask
	if r.inputRequests != nil {
		var bad *Error
		if asks, bad = f.readAsks(inputRequests); bad != nil {
			f.fail(bad.Code, bad.Detail)
			return
		}
	}
	// At least one of the two MUST be there (mrtr, Server Requirements 6);
	// an empty map asks nothing and counts as absent.
	if len(asks) == 0 && r.requestState == nil {
		f.malformed("input_required with neither inputRequests nor requestState")
		return
	}
	// A round replaces the one before: neither its state nor its answers may
	// leak into the next leg (mrtr, Client Requirements 2).
	if r.requestState == nil {
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
