package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/engine/internal/jsonrpc"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// JSON-RPC error codes that only servers of MCP 2026-07-28 send.
// Source: basic/index, Error Codes.
const (
	codeHeader     = -32020
	codeCapability = -32021
	codeVersion    = -32022
)

func isModernCode(code int) bool { return code <= codeHeader && code >= codeVersion }

// message takes a message of the server to whom it concerns.
func (s *Session) message(ev Message) {
	r := s.byExchange(ev.Exchange)
	s.see(r, ev.Exchange, ev.SessionID, ev.EventID, ev.Retry)
	msg, bad := s.read(ev.Body)
	switch {
	case r != nil && r.isTakenUp() && ev.Status >= 300:
		s.refused(r, ev.Status, "")
		return
	case bad != nil && ev.Last && (r == nil || r.kind == notified):
		// No answer is due here, so the status says it all: that it was
		// accepted, or that a stream or a DELETE is not offered.
	case bad != nil && r != nil && s.isSilent(r) && ev.Status < 300:
		// No response is due here either.
	case bad != nil && r != nil && (ev.Last || ev.Status >= 300):
		s.refused(r, ev.Status, jsonrpc.Unreadable(ev.Body, bad))
		return
	case bad != nil:
		s.do(Warning{"ignored what is no JSON-RPC message: " + bad.Error()})
	case msg.Method == "":
		s.response(r, ev, msg)
	case msg.ID != nil:
		s.serverRequest(r, ev, msg)
	default:
		s.notification(r, msg)
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
	case eventID == "":
	case r != nil:
		r.eventID, r.resumes = eventID, 0
	case exchange == s.earlier.stream:
		s.earlier.eventID, s.earlier.breaks = eventID, 0
	}
}

// response finds the request that a response is for. Over HTTP it comes in the
// response to that request; in earlier eras it may come on any stream. One to
// a request that is over is ignored.
func (s *Session) response(r *request, ev Message, msg envelope.Message) {
	if s.opts.Transport == Requests {
		s.responded(r, ev.Body)
		return
	}
	target := s.byID(msg.ID)
	own := target != nil && target == r
	switch {
	case isNameless(msg) && ev.Status >= 500 && r != nil && r.kind == leg:
		s.refused(r, ev.Status, "") // a gateway says so: the server behind it may have carried it out
		return
	case isNameless(msg) && (ev.Last || ev.Status >= 300):
		target = r // the server could not read so much as the id
	case target != nil && !own && !s.stdio() && target.speaks == modern:
		target = nil
	}
	if target == nil {
		return
	}
	switch target.kind {
	case discover:
		s.discovered(target, msg)
	case initialize:
		s.initialized(target, msg)
	case listTools:
		s.listed(target, msg)
	case leg:
		s.answered(target, ev, msg, own)
	default:
		s.unlist(target)
	}
}

// responded takes the response to an exchange of a connection that is not the
// session's.
func (s *Session) responded(r *request, body []byte) {
	switch {
	case r == nil:
	case r.kind == leg:
		s.deliver(r, body)
	default:
		s.unlist(r)
	}
}

// isNameless reports whether a response is an error that names no request.
func isNameless(msg envelope.Message) bool {
	return msg.Failed && (msg.ID == nil || string(msg.ID) == "null")
}

// answered takes the response to a leg. own says that it names the leg's id.
func (s *Session) answered(r *request, ev Message, msg envelope.Message, own bool) {
	code := 0
	if msg.Failed {
		code = errorCode(msg.Error)
	}
	switch {
	case r.speaks == sessions:
		if ev.Status == 404 && !own && s.renew(r) {
			return
		}
	case !msg.Failed:
		s.confirm()
	case code == codeVersion && s.reselect(r, msg.Error):
		return
	case isModernCode(code):
		if s.speaks == initializing || s.speaks == sessions { // it knows the code, but by another request not the version
			s.fallBack(r)
			return
		}
		s.confirm()
		if code == codeHeader && s.refresh(r, ev.Body) {
			return
		}
	case (s.speaks == sessions || s.mayFallBack()) && ev.Status >= 300 && !own:
		s.fallBack(r)
		return
	case (s.speaks == sessions || s.mayFallBack()) && s.opts.Known == "":
		s.doubt(r, ev.Body)
		return
	}
	if msg.Result == nil && !msg.Failed {
		s.drop(r)
		s.feed(r.call, engine.Relay{Message: s.incomplete(r.leg, ev.Body)}) // cannot fail: the leg is in flight
		return
	}
	s.deliver(r, ev.Body)
}

// deliver hands a call the response to its leg.
func (s *Session) deliver(r *request, body []byte) {
	s.drop(r)
	if r.method == "tasks/result" { // what the task asked is moot
		s.forgetEarly(r.call, rawjson.Member(r.params, "taskId"))
	}
	s.feed(r.call, engine.Response{Leg: r.leg, Body: body}) // cannot fail: the leg is in flight
}

func errorCode(object []byte) int {
	code, _ := rawjson.Int(rawjson.Member(object, "code"))
	return int(code)
}

// ended takes the end of an exchange.
func (s *Session) ended(ev Ended) {
	r := s.byExchange(ev.Exchange)
	s.see(r, ev.Exchange, ev.SessionID, ev.EventID, ev.Retry)
	switch {
	case r == nil:
		if ev.Exchange != 0 && ev.Exchange == s.earlier.stream {
			s.streamEnded(ev)
		} else {
			s.answerEnded(ev.Exchange, ev.Status)
		}
	case r.kind == notified && ev.Status != 0:
		s.settleSession(r)
	case ev.Status >= 300:
		s.refused(r, ev.Status, "")
	case ev.Status != 0 && s.isSilent(r):
		s.acknowledge(r)
	case r.speaks == sessions && !s.stdio() && r.eventID != "" && r.resumes < maxResumes:
		s.resume(r)
	case ev.Status != 0 && ev.Reason != "":
		s.failed(r, ev.Reason, false)
	case ev.Status != 0:
		s.failed(r, "the response ended without an answer", false)
	default:
		s.failed(r, ev.Reason, ev.Unsent && !r.isTakenUp())
	}
}

// refused takes a response that is no JSON-RPC, usually one with an error
// status.
func (s *Session) refused(r *request, status int, reason string) {
	isRefusal := status >= 400 && status < 500
	if status >= 300 {
		reason = "HTTP status " + rawjson.Itoa(status)
	}
	switch {
	case r.isTakenUp(): // the server has it, and may have carried it out
		s.failed(r, "its response cannot be taken up: "+reason, false)
	case r.speaks == sessions && r.kind == leg && status == 404 && s.renew(r):
	case r.speaks == modern && r.kind == leg && isRefusal && !isAuth(status) && (s.speaks == sessions || s.mayFallBack()):
		s.fallBack(r)
	case r.kind == discover && isRefusal && !isAuth(status) && s.speaks == probing && s.mayFallBack():
		s.unlist(r)
		s.initialize(s.opts.preferred(false))
	default:
		if r.speaks == modern && isRefusal && !isAuth(status) && s.opts.preferred(false) != "" {
			s.confirmed = false // it may have been replaced by one of an earlier era: the next call finds out
		}
		if status == 404 || status == 405 {
			reason += ": is this the server's MCP endpoint?"
		}
		s.failed(r, reason, isRefusal || status == 307 || status == 308) // these ask for the same elsewhere
	}
}

// isAuth lists the statuses that say nothing of the era.
func isAuth(status int) bool {
	return status == 401 || status == 403 || status == 407 || status == 408 || status == 429
}

// failed takes it that a request will not be answered.
func (s *Session) failed(r *request, reason string, unsent bool) {
	switch r.kind {
	case leg:
		s.lose(r, reason, unsent)
	case listTools:
		s.unlist(r)
		s.deliver(r.parent, r.parent.doubted)
	default:
		s.unlist(r)
		if s.speaks == probing || s.speaks == initializing {
			s.giveUp(r.method + ": " + reason)
		}
	}
}

// down takes the end of the server's process. A call that waits may start
// another.
func (s *Session) down(ev Down) {
	if !s.stdio() || s.closed {
		return
	}
	lost := s.requests
	was := s.speaks
	s.requests, s.probeDue = nil, 0
	s.earlier = earlier{}
	if was == sessions {
		s.speaks, s.confirmed = unknown, false // the next process is to be initialized anew, in the version at hand
	}
	reason := "the server's process ended"
	if ev.Reason != "" {
		reason += ": " + ev.Reason
	}
	for _, r := range lost {
		if r.kind == leg {
			s.lose(r, reason, false)
		}
	}
	switch {
	case was == probing && s.mayFallBack(): // some do not survive what they do not know
		s.initialize(s.opts.preferred(false))
	case was == probing, was == initializing:
		s.giveUp(reason)
	}
}

// notification passes on what the server tells.
func (s *Session) notification(r *request, msg envelope.Message) {
	switch msg.Method {
	case "notifications/progress":
		about := r
		if s.opts.Transport != Requests {
			about = s.byID(rawjson.Member(msg.Params, "progressToken"))
		}
		if about != nil && about.kind == leg {
			s.do(Progress{Call: about.call.number, Leg: about.leg, Params: msg.Params})
			s.feed(about.call, engine.Progress{Leg: about.leg}) // cannot fail: the leg is in flight
		}
	case "notifications/cancelled":
		s.serverCancel(r, rawjson.Member(msg.Params, "requestId"))
	case "notifications/elicitation/complete":
		if id, ok := rawjson.Unquote(rawjson.Member(msg.Params, "elicitationId")); ok && s.speaks == sessions {
			for _, c := range append([]*call(nil), s.calls...) {
				s.feed(c, engine.Relay{Message: relay.Completed{ElicitationID: id}}) // cannot fail
			}
		}
	default:
		if msg.Method == "notifications/tasks" || msg.Method == "notifications/tasks/status" {
			if id, ok := rawjson.Unquote(rawjson.Member(msg.Params, "taskId")); ok {
				for _, c := range append([]*call(nil), s.calls...) {
					s.feed(c, engine.Relay{Message: relay.TaskChanged{TaskID: id}}) // cannot fail
				}
			}
		}
		n := Notification{Method: msg.Method, Params: msg.Params}
		if r != nil && r.kind == leg {
			n.Call = r.call.number
		}
		s.do(n)
	}
}
