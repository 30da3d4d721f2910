package engine

import (
	"github.com/parley-mcp/parley/engine/audit"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// JSON-RPC error codes that answer a server's own request.
// Source: MCP 2025-11-25, client/sampling, client/roots and
// client/elicitation, Error Handling.
const (
	codeRejected       = -1
	codeMethodNotFound = -32601
	codeInternal       = -32603
)

// replied stands for the answer of a question whose reply went out.
var replied = []byte("{}")

// serverAsk takes a question that the server asked by a request of its own. It
// is asked like any other, while the leg stays in flight. What is wrong with
// it becomes an error reply, and the call goes on.
func (f *Flow) serverAsk(ev relay.ServerAsk) *Error {
	if err := f.checkOrder(&ev); err != nil {
		return err
	}
	switch {
	case ev.Params != nil && !rawjson.IsObject(ev.Params) && !message.IsEmptyArray(ev.Params):
		f.replyError(ev.Request, codeInvalidParams, "params is not an object")
		return nil
	case ev.Unsent && f.status == parking:
		f.notSent()
		f.stop()
		return nil
	case f.phase == flying:
		f.inputRequests, f.asks, f.firstAsk = nil, nil, f.issued+1
		f.acceptedBefore = len(f.accepted)
	}
	if f.serves(ev.Request) { // a copy of a message, as a resumed stream may bring
		return nil
	}
	a := ask{request: append([]byte(nil), ev.Request...), span: embedded(ev.Method, ev.Params)}
	if code, flaw := f.checkServed(&a); flaw != "" {
		f.replyError(a.request, code, flaw.String())
		return nil
	}
	if f.phase == flying && f.round >= f.opts.MaxRounds {
		f.fail(fault.Rounds, count("the server asks again after {0} rounds", f.round))
		return nil
	}
	f.asks = append(f.asks, a)
	if f.phase == flying {
		f.phase, f.unsent = serving, ev.Unsent
		f.unsend()
		f.round++
		f.waits, f.notBefore = 0, 0
		f.note(audit.Round)
	}
	f.showAsks()
	return nil
}

// checkOrder says why a question of the server is out of order, nil if it is not.
func (f *Flow) checkOrder(ev *relay.ServerAsk) *Error {
	inFlight, err := f.checkLeg(ev.Leg)
	switch {
	case err != nil:
		return err
	case !inFlight:
		return newError(fault.Order, count("leg {0} is over", ev.Leg))
	case !f.dialect.SendsRequests():
		return newError(fault.Order, "the dialect has no requests of the server")
	case f.phase == flying && f.looped && len(f.asks) > 0: // they must stay, to be sent again with the leg
		return newError(fault.Order, "the leg carries answers to other questions")
	case !isRequestID(ev.Request):
		return newError(fault.Order, "the id of the server's request is neither a string nor a number")
	}
	return nil
}

// serves reports whether a request of the server is at hand and not replied to.
func (f *Flow) serves(request []byte) bool {
	for i := range f.asks {
		if f.asks[i].answer == nil && same(f.asks[i].request, request) {
			return true
		}
	}
	return false
}

// embedded is a request of the server as an entry of inputRequests.
func embedded(method string, params []byte) []byte {
	var j rawjson.Writer
	j.Put(`{"method":`)
	j.Quoted(method)
	if params != nil {
		j.Put(`,"params":`)
		j.Raw(params)
	}
	j.Put("}")
	return j.Dst
}

func isRequestID(id []byte) bool { return rawjson.IsString(id) || rawjson.IsNumber(id) }

// checkServed reads a question of the server, or says with which JSON-RPC
// error it is answered.
func (f *Flow) checkServed(a *ask) (code int, flaw sentence.Text) {
	switch {
	case len(f.asks) == f.opts.Limits.Asks:
		return codeInternal, "too many questions at once"
	case len(a.span) > f.opts.Limits.Response, len(a.request) > f.opts.Limits.Key:
		return codeInvalidParams, "the request is too long"
	}
	if err := rawjson.Strict(a.span); err != nil {
		return codeInvalidParams, sentence.Say("params: {0}", err.Reason)
	}
	held := len(a.span)
	for i := range f.asks {
		held += len(f.asks[i].span)
	}
	if held > f.opts.Limits.Response { // as much as one round may hold
		return codeInternal, "too many questions at once"
	}
	why, flaw := a.read(a.span, f.can)
	a.repeat = f.wasAccepted(a.url)
	switch {
	case flaw == "":
		return 0, ""
	case why == fault.Form:
		return codeInvalidParams, sentence.Say("refused by the client: {0}", flaw)
	case why == fault.Capability && !(a.kind == KindElicit && (f.can.Form || f.can.URL)), a.kind == "":
		return codeMethodNotFound, flaw
	default:
		return codeInvalidParams, flaw
	}
}

// replyRefused tells the server that the host cannot or will not answer. Why
// is nobody's business but the host's.
func (f *Flow) replyRefused(a *ask) {
	if a.kind == KindListRoots {
		f.replyError(a.request, codeMethodNotFound, "Roots are not available")
	} else {
		f.replyError(a.request, codeRejected, "User rejected the request")
	}
	a.answer = replied
	f.showAsks()
}

func (f *Flow) replyError(request []byte, code int, message string) {
	f.do(Relay{relay.Reply{Request: append([]byte(nil), request...), Code: code, Message: message}})
}

// serverCancel closes a question that the server took back. It is not replied
// to (basic/utilities/cancellation).
func (f *Flow) serverCancel(ev relay.ServerCancel) {
	if f.phase != serving {
		return
	}
	for i := range f.asks {
		a := &f.asks[i]
		if a.answer != nil || !same(a.request, ev.Request) {
			continue
		}
		a.answer = replied
		if a.shown {
			f.takeBack(f.firstAsk + i)
		}
		f.showAsks()
		return
	}
}

// dropServed forgets the server's own questions: they were replied to, or the
// leg that they belong to is over.
func (f *Flow) dropServed() {
	if f.phase != serving {
		return
	}
	f.withdraw()
	f.asks, f.firstAsk, f.phase, f.unsent = nil, f.issued+1, flying, false
}

// allServed takes it that the server's questions are answered. A leg that waited
// for that goes out now, which no snapshot before says, and its time begins.
func (f *Flow) allServed() {
	unsent := f.unsent
	f.dropServed()
	if unsent {
		f.resend()
	}
}

// notSent takes it that the leg in flight was not carried out and is not in
// flight any more. An earlier one with the same content may be in doubt still.
func (f *Flow) notSent() {
	f.dropServed()
	f.phase = ready
	if f.doubtful {
		f.phase = doubt
	}
}

// readServed puts the server's own requests back from a snapshot.
func (f *Flow) readServed(served []byte) bool {
	if f.phase != serving || f.inputRequests != nil || !rawjson.IsArray(served) {
		return false
	}
	var e rawjson.Elements
	for e.Start(served); e.Next(); {
		var a ask
		var pair rawjson.Elements
		for pair.StartChecked(e.Value); pair.Next(); {
			switch {
			case a.request == nil:
				a.request = pair.Value
			case a.span == nil:
				a.span = pair.Value
			default:
				return false
			}
		}
		if pair.Err != nil || a.span == nil || !isRequestID(a.request) || !rawjson.IsObject(a.span) {
			return false
		}
		if _, flaw := f.checkServed(&a); flaw != "" {
			return false
		}
		f.asks = append(f.asks, a)
	}
	return e.Err == nil
}
