package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// send puts the next leg on the wire: the caller's params until the first
// round, then the retry. It does not when the time is up: a tool must not be
// set to work for an answer nobody waits for.
func (f *Flow) send() {
	again := f.phase == doubt || f.resends > 0
	f.doubtful = f.doubtful || f.phase == doubt && !f.mayResend()
	if f.phase != doubt {
		f.phase = ready
	}
	if f.overdue() {
		return
	}
	method, params, withState := f.method, f.params, f.seedState
	switch {
	case f.task != nil:
		method, params = f.taskParams()
		withState = false
	case f.looped:
		params, withState = f.retry(), f.state != nil
	}
	f.leg++
	f.slices = nil
	f.legSent, f.legSeen, f.legState = f.now, f.now, withState
	f.phase = flying
	f.mustSave() // before the note, which would tell of what is never sent
	if again {
		f.note(audit.Resent)
	} else {
		f.note(audit.Sent)
	}
	f.do(Send{Leg: f.leg, Method: method, Params: params})
	f.watchSend(method, params)
}

// response reads the answer to a leg. An answer to a leg that is over is
// ignored: clients SHOULD ignore late responses (basic/patterns/cancellation).
func (f *Flow) response(ev Response) *Error {
	if inFlight, err := f.arrived(ev.Leg); !inFlight {
		return err
	}
	most := max(f.opts.Limits.Response, defaultResponse)
	var alone message.Message
	body := f.slices
	if f.slices = nil; body == nil {
		if alone.ReadAlone(ev.Body, most) {
			f.read(&alone)
			return nil
		}
		body = &message.Body{}
		body.Reset(most, false)
	}
	body.Close(ev.Body)
	f.read(body.Answer())
	return nil
}

// part reads a slice of the answer to a leg.
func (f *Flow) part(ev Part) *Error {
	inFlight, err := f.checkLeg(ev.Leg)
	if !inFlight {
		return err
	}
	if f.slices == nil {
		f.slices = &message.Body{}
		f.slices.Reset(max(f.opts.Limits.Response, defaultResponse), false)
	}
	f.slices.Add(ev.Body)
	return nil
}

// scanned takes the answer to a leg that a session has read.
func (f *Flow) scanned(ev *relay.Response) *Error {
	if ev.Incomplete != nil && !f.dialect.AsksBeside() {
		return newError(fault.Order, "responses of the dialect have a result or an error")
	}
	if inFlight, err := f.arrived(ev.Leg); !inFlight {
		return err
	}
	f.asTask = ev.AsTask
	if ev.Incomplete != nil {
		f.incomplete(ev.Incomplete)
	} else {
		f.read(ev.Message)
	}
	return nil
}

// read decides what an answer is.
func (f *Flow) read(m *message.Message) {
	defer f.watchAnswer(len(f.out), m)
	if m.Size() > f.opts.Limits.Result {
		f.fail(fault.Limit, tooLong("the response", m.Size(), f.opts.Limits.Result, "result"))
		return
	}
	bad := m.Err(false)
	switch {
	case bad != nil: // whoever says this may have carried the request out
		f.phase = doubt
		f.note(audit.Lost)
		f.undecided(m.Unreadable(bad))
	case m.Has(message.Method):
		f.malformed("the response has a method")
	case m.AsksBeside() && m.Has(message.Result): // of a proposal that nobody named: it may not have run
		f.phase = doubt
		f.note(audit.Lost)
		f.undecided("the answer has a result, and questions beside it")
	case m.Has(message.Error):
		f.rpcError(m)
	default:
		f.result(m)
	}
}

// arrived ends a leg that was answered, and reports whether it was the one in
// flight.
func (f *Flow) arrived(leg int) (inFlight bool, err *Error) {
	if inFlight, err = f.checkLeg(leg); inFlight {
		f.closeGate()
		f.gate.shut = false
		f.dropServed()
		f.phase = reading
		f.resends, f.doubtful = 0, false
	}
	return inFlight, err
}

// progress gives the leg in flight its time anew.
func (f *Flow) progress(ev Progress) *Error {
	inFlight, err := f.checkLeg(ev.Leg)
	if inFlight {
		f.legSeen = f.now
	}
	return err
}

// checkLeg reports whether an event's leg is the one in flight. A leg never
// sent is an error, one that is over is neither.
func (f *Flow) checkLeg(leg int) (inFlight bool, err *Error) {
	if leg < 1 || leg > f.leg {
		return false, newError(fault.Order, count("leg {0} was never sent", leg))
	}
	return f.inFlight() && leg == f.leg && f.isLive(), nil
}

// inFlight reports whether a leg is in flight.
func (f *Flow) inFlight() bool { return f.phase == flying || f.phase == serving }

// codeInvalidParams is JSON-RPC's -32602.
const codeInvalidParams = -32602

// rpcError ends the flow with the server's JSON-RPC error. -32602 on a leg
// that carried state is how servers reject a requestState by convention; the
// state is never stripped and the leg retried in silence.
func (f *Flow) rpcError(m *message.Message) {
	f.phase = ready // the server has answered: going on means asking it again
	if size := m.Len(message.Error); size > f.opts.Limits.Response {
		f.fail(fault.Limit, tooLong("the error", size, f.opts.Limits.Response, "response"))
		return
	}
	object := m.Text(message.Error)
	code, ok := rpcCode(object)
	if !ok { // it is an error all the same
		why := sentence.Text("JSON-RPC error without a code")
		if words := said.OfError(object); words != "" {
			why = sentence.Say("{0}: the server says “{1}”", why, sentence.Value(words))
		}
		f.fail(fault.RPC, why)
		return
	}
	if f.task != nil {
		f.taskError(code, object)
		return
	}
	if code == codeURLRequired && f.opensURLs() {
		f.urlRequired(object)
		return
	}
	end := Failed{Code: fault.RPC, Detail: count("JSON-RPC error {0}", code), Error: object}
	if code == codeInvalidParams && f.legState {
		end.Code = fault.State
		end.Detail = "JSON-RPC error -32602 on a request with requestState: expired, forged or moved, it cannot be told; start over"
	}
	f.end(end)
}

// rpcCode is the error object's code, which JSON-RPC says is an integer. The
// rest of the object is opaque.
func rpcCode(object []byte) (code int, ok bool) {
	var names rawjson.Names
	var m rawjson.Members
	for m.Start(object); m.Next(); {
		if names.Add(m.Name) != nil {
			return 0, false
		}
		if m.Is("code") {
			n, isInt := rawjson.Int(m.Value)
			code, ok = int(n), isInt && int64(int32(n)) == n
		}
	}
	return code, ok && m.Err == nil
}
