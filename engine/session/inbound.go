package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// JSON-RPC error codes that only servers of MCP 2026-07-28 send.
// Source: basic/index, Error Codes.
const (
	codeHeader     = -32020
	codeCapability = -32021
	codeVersion    = -32022
)

func isModernCode(code int) bool { return code <= codeHeader && code >= codeVersion }

// message takes what came of an exchange at once.
func (s *Session) message(ev Message) {
	r := s.byExchange(ev.Exchange)
	s.opened(ev.Exchange)
	s.see(r, ev.Exchange, ev.SessionID, ev.EventID, ev.Retry)
	s.sawAuthorization(r, ev.Authorization)
	if r != nil && r.recalls {
		entry := ev.Body
		if s.sliced(ev.Exchange) >= 0 {
			entry = s.scan(ev).Object()
		}
		s.recalled(r, entry)
		return
	}
	in := s.scan(ev)
	if s.challenged(r, ev.Exchange, ev.Status, ev.Challenge, in.Text()) {
		return
	}
	if s.take(r, ev, in) {
		return
	}
	switch {
	case !ev.Last:
	case s.byExchange(ev.Exchange) != nil:
		s.ended(Ended{Exchange: ev.Exchange, Status: max(ev.Status, 200)})
	case ev.Exchange != 0 && ev.Exchange == s.earlier.stream: // whatever it is, it is no event stream
		s.earlier.stream, s.earlier.noStream = 0, true
	default:
		s.answerEnded(ev.Exchange, max(ev.Status, 200))
	}
}

// see keeps what a response's header fields and events say about resuming.
func (s *Session) see(r *request, exchange int, sessionID, eventID string, retry int) {
	if r != nil && r.kind == initialize && sessionID != "" {
		s.earlier.sessionID = sessionID
	}
	if retry > 0 {
		s.earlier.retry = min(retry, maxRetry)
	}
	switch {
	case eventID == "", envelope.HeaderValue(eventID) != eventID: // no header field can hold it
	case r != nil:
		r.eventID, r.resumes = eventID, 0
	case exchange == s.earlier.stream:
		s.earlier.eventID, s.earlier.breaks = eventID, 0
	}
}

// response finds the request that a response is for. Over HTTP it comes in the
// response to that request; in earlier eras it may come on any stream. One to
// a request that is over is ignored. An error that names none of our requests is
// that of the request in whose response it comes, if nothing else comes there.
func (s *Session) response(r *request, ev Message, msg inbound) {
	if s.opts.Transport == Requests {
		s.responded(r, msg.in)
		return
	}
	target := s.byID(msg.id)
	own := target != nil && target == r
	switch {
	case own || r == nil || r.kind == notified:
	case ev.Status >= 300 && (!msg.failed || proves(ev.Status) != refusing): // the status says what became of it
		s.refused(r, ev.refusal(said.OfError(msg.error)))
		return
	case msg.failed && (ev.Status >= 300 || ev.Last && target == nil):
		target = r
	}
	if target != nil && !own && target != r && !s.stdio() && target.speaks == modern {
		target = nil
	}
	if target == nil {
		if r != nil || ev.Status < 300 { // otherwise it is the server's own stream, which it does not offer
			s.takeStray(r, msg)
		}
		return
	}
	s.respondTo(target, ev, msg, own)
}

// respondTo hands the response to a request on. own says that it came in the response
// to that.
func (s *Session) respondTo(target *request, ev Message, msg inbound, own bool) {
	switch target.kind {
	case discover:
		s.discovered(target, ev.Status, msg)
	case initialize:
		s.initialized(target, msg)
	case listTools:
		s.listed(target, msg)
	case leg:
		s.answered(target, ev, msg, own)
	case listening:
		s.streamAnswered(target, ev.Status, msg)
	case notified: // answered or not, it was taken
	default:
		s.unlist(target)
	}
}

// responded takes the response to an exchange of a connection that is not the
// session's.
func (s *Session) responded(r *request, in *message.Message) {
	switch {
	case r == nil:
	case r.kind == leg:
		s.deliver(r, in)
	default:
		s.unlist(r)
	}
}

// answered takes the response to a leg. own says that it names the leg's id.
func (s *Session) answered(r *request, ev Message, msg inbound, own bool) {
	switch {
	case r.speaks == sessions:
		if r.isOutOfSession(ev.Status) && (!own || ev.Status == 404) && s.renew(r) {
			return
		}
	case !msg.failed:
		s.confirm()
	case msg.code == codeVersion && s.reselect(r, msg.error):
		return
	case isModernCode(msg.code):
		if s.speaks == initializing || s.speaks == sessions { // it knows the code, but by another request not the version
			s.fallBack(r, errorReason(msg.error))
			return
		}
		s.confirm()
		if msg.code == codeHeader && s.refresh(r, msg.in) {
			return
		}
	case (s.speaks == sessions || s.mayFallBack()) && ev.Status >= 300 && !own:
		s.fallBack(r, (&refusal{status: ev.Status, words: said.OfError(msg.error)}).reason(r))
		return
	case (s.speaks == sessions || s.mayFallBack()) && s.opts.Known == "":
		s.doubt(r, &doubt{message: s.kept(msg.in), refused: isRefusal(msg.code)})
		return
	}
	if msg.asks && !msg.failed {
		s.drop(r)
		s.respond(r, msg.in, r.dialect().Round(msg.in))
		return
	}
	s.deliver(r, msg.in)
}

// deliver hands a call the response to its leg.
func (s *Session) deliver(r *request, in *message.Message) {
	s.drop(r)
	if r.method == "tasks/result" { // what the task asked is moot
		s.forgetEarly(r.call, rawjson.Member(r.params, "taskId"))
	}
	s.respond(r, in, nil)
}

// acknowledge takes it that a message arrived to which no response comes.
func (s *Session) acknowledge(r *request) {
	s.deliver(r, message.Read([]byte(`{"jsonrpc":"2.0","result":{}}`), s.most))
}

// respond tells a call what its leg was answered.
func (s *Session) respond(r *request, in *message.Message, asks *relay.Incomplete) {
	s.says = relay.Response{Leg: r.leg, Message: in, Incomplete: asks, AsTask: r.asTask} // read before anything else is said
	s.feed(r.call, s.saying)                                                             // cannot fail: the leg is in flight
}

func errorCode(object []byte) int {
	code, _ := rawjson.Int(rawjson.Member(object, "code"))
	return int(code)
}

// ended takes the end of an exchange.
func (s *Session) ended(ev Ended) {
	s.dropSlices(ev.Exchange)
	r := s.byExchange(ev.Exchange)
	s.see(r, ev.Exchange, ev.SessionID, ev.EventID, ev.Retry)
	s.sawAuthorization(r, ev.Authorization)
	if s.challenged(r, ev.Exchange, ev.Status, ev.Challenge, nil) {
		return
	}
	switch {
	case r != nil && r.recalls:
		s.recalled(r, nil)
	case r == nil:
		switch {
		case ev.Exchange != 0 && ev.Exchange == s.earlier.stream:
			s.streamEnded(ev)
		case ev.Unsent && s.notBegun(ev.Exchange):
		default:
			s.answerEnded(ev.Exchange, ev.Status)
		}
	case r.kind == notified && ev.Status != 0:
		s.settleSession(r)
	case ev.Status >= 300:
		s.refused(r, refusal{status: ev.Status, challenge: ev.Challenge, location: ev.Location})
	case ev.Status != 0 && r.isSilent():
		s.acknowledge(r)
	case r.speaks == sessions && !s.stdio() && r.eventID != "" && r.resumes < maxResumes:
		s.resume(r)
	case ev.Status != 0 && ev.Reason != "":
		s.failed(r, ev.Reason, false)
	case ev.Status != 0 && r.stray != nil && r.stray.failed != nil: // nothing else came
		s.endedAstray(r, ev)
	case ev.Status != 0 && r.kind == discover: // a server that knows it answers it
		s.refused(r, refusal{flaw: "the response ended without an answer"})
	case ev.Status != 0:
		s.failed(r, "the response ended without an answer", false)
	default:
		s.failed(r, ev.Reason, ev.Unsent && !r.isTakenUp())
	}
}

// notBegun takes it that a leg which was given up had not left the host: it is not in
// doubt. It reports whether it was one.
func (s *Session) notBegun(exchange int) bool {
	for _, p := range s.calls.places {
		if c := p.item; c != nil && c.given.exchange == exchange && exchange != 0 {
			s.feed(c, engine.Lost{Leg: c.given.leg, Unsent: true}) // cannot fail: it was sent
			return true
		}
	}
	return false
}

// endedAstray takes the end of an event stream that had an error which names no
// request, and no answer. Unless it says that nothing was carried out, it may be
// about anything, and a leg stays in doubt.
func (s *Session) endedAstray(r *request, ev Ended) {
	msg, _ := s.heard(r.stray.failed)
	const reason = "the response ended without an answer"
	switch {
	case r.kind != leg || isRefusal(msg.code):
		s.response(r, Message{Exchange: ev.Exchange, Status: ev.Status, Last: true}, msg)
	case r.speaks == modern && s.mayFallBack() && s.opts.Known == "":
		s.doubt(r, &doubt{reason: s.withStray(r, reason)})
	default:
		s.failed(r, reason, false)
	}
}

// failed takes it that a request will not be answered.
func (s *Session) failed(r *request, reason sentence.Text, unsent bool) {
	switch r.kind {
	case leg:
		s.lose(r, before(s.withStray(r, reason), r.first), unsent)
	case listTools:
		s.unlist(r)
		s.unlisted(r.parent)
	case listening:
		s.streamFailed(r, reason)
	default:
		s.unlist(r)
		if s.speaks == probing || s.speaks == initializing {
			s.giveUp(r, s.withStray(r, reason))
		}
	}
}

// down takes the end of the server's process. A call that waits may start
// another.
func (s *Session) down(ev Down) {
	if !s.stdio() || s.closed {
		return
	}
	s.dropSlices(0)
	var lost []*request
	for _, r := range s.requests.all() {
		if !r.recalls { // for those the host goes on looking
			lost = append(lost, r)
			s.unlist(r)
		}
	}
	was := s.speaks
	s.probeDue = 0
	s.earlier = earlier{}
	s.staleAll()
	if was == sessions {
		s.speaks, s.confirmed = unknown, false // the next process is to be initialized anew, in the version at hand
	}
	var reason sentence.Text = "the server's process ended"
	if ev.Reason != "" {
		reason = sentence.Join(reason, ev.Reason)
	}
	for _, r := range lost {
		if r.kind == leg {
			s.lose(r, reason, false)
		}
		s.orphan(r.parent, reason)
	}
	for was == sessions && len(s.waiting) > 0 {
		s.lose(s.waiting[0], reason, true)
	}
	switch {
	case was == probing && s.mayFallBack(): // some do not survive what they do not know
		s.initializeInstead("")
	case was == probing, was == initializing:
		s.giveUp(nil, reason)
	}
	if s.sub != nil {
		s.subscriptionDown(reason)
	}
}
