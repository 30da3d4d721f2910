package session

import (
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/sentence"
)

// evidence is what an HTTP status proves of the server and of the request.
type evidence uint8

const (
	answered  evidence = iota // 2xx: the message decides
	moved                     // 3xx: the request was not carried out; the server is elsewhere
	aboutThis                 // 4xx about this request or its sender: not carried out, and any era says so
	refusing                  // other 4xx and 501: not carried out, and a server of another era says so
	broken                    // 500: it may have been carried out; a server of another era says so, too
	gateway                   // other 5xx: what is in front of the server says so, which proves nothing
)

// proves is the evidence of a status. The one table: what follows from it is in
// [Session.refused].
//
// Source: RFC 9110, 15; MCP 2026-07-28, basic/versioning, Backward Compatibility.
func proves(status int) evidence {
	switch status {
	case 303: // the answer to a request that was carried out is elsewhere
		return gateway
	case 401, 402, 403, 407, 408, 413, 414, 421, 423, 425, 429, 431, 451:
		return aboutThis
	case 500:
		return broken
	case 501:
		return refusing
	}
	switch {
	case status < 300:
		return answered
	case status < 400:
		return moved
	case status < 500:
		return refusing
	}
	return gateway
}

// refusal is a response by which a request is not answered.
type refusal struct {
	status    int
	challenge string        // as in [Message]
	location  string        // as in [Message]
	words     string        // what the server says
	flaw      sentence.Text // what is wrong with a body, where the status says nothing
}

// refusal is what a message refuses with, and what the server says in it.
func (ev *Message) refusal(words string) refusal {
	return refusal{status: ev.Status, challenge: ev.Challenge, location: ev.Location, words: words}
}

// refused takes a refusal: an error status, or a body that is no JSON-RPC.
// A gateway in front of an old server may forbid what it does not know, so 403
// without a challenge is taken for the refusal of a server.
func (s *Session) refused(r *request, x refusal) {
	e := proves(x.status)
	if x.status == codeForbidden && x.challenge == "" {
		e = refusing
	}
	reason := x.reason(r)
	mayFallBack := s.speaks == sessions || s.mayFallBack()
	switch {
	case r.kind == listening:
		s.streamStatus(r, x.status, reason)
	case r.isTakenUp(): // the server has it, and may have carried it out
		s.failed(r, sentence.Say("its response cannot be taken up: {0}", reason), false)
	case r.kind == leg && r.speaks == sessions && r.isOutOfSession(x.status) && s.renew(r):
	case r.kind == leg && r.speaks == modern && e == refusing && mayFallBack:
		s.fallBack(r, reason)
	case r.kind == leg && r.speaks == modern && e == broken && mayFallBack && s.opts.Known == "":
		s.doubt(r, &doubt{reason: reason})
	case r.kind == discover && s.speaks == probing && s.mayFallBack() && (e == answered || e == refusing || e == broken):
		s.unlist(r)
		s.initializeInstead(to(r, reason))
	case r.kind == initialize && s.speaks == initializing && (e == refusing || e == broken):
		s.unlist(r)
		s.initializeRefused(r, 0, []byte(x.words), reason)
	default:
		if r.speaks == modern && e == refusing && s.opts.preferred(false) != "" {
			s.confirmed = false // it may have been replaced by one of an earlier era: the next call finds out
		}
		s.failed(r, reason, e == moved || e == aboutThis || e == refusing)
	}
}

// isOutOfSession reports whether a status says that the server does not know the
// session that a request was sent in: 404 in the specification, and 400, 409 or 410
// at servers that lost their memory.
//
// Source: MCP 2025-11-25, basic/transports, Session Management.
func (r *request) isOutOfSession(status int) bool {
	return status == 404 || (status == 400 || status == 409 || status == 410) && r.sessionID != ""
}

// reason is a refusal in words, with what to do about it if that is known.
func (x *refusal) reason(r *request) sentence.Text {
	if x.flaw != "" {
		return x.flaw
	}
	reason := count("HTTP status {0}", x.status)
	if hint := x.hint(); hint != "" && r.kind != listening && !r.isTakenUp() {
		reason = sentence.Say("{0} ({1})", reason, hint)
	}
	return quoting(reason, x.words)
}

// hint is what an error status means to the person, "" if its number says it.
func (x *refusal) hint() sentence.Text {
	switch status := x.status; {
	case status == 303: // which has the answer, and the request was carried out
		return ""
	case x.location != "":
		return sentence.Say("the server has moved to {0}, and redirects are not followed: give that URL", sentence.Value(x.location))
	case status >= 300 && status < 400:
		return "the server has moved, and redirects are not followed: give its new URL"
	case status == codeForbidden:
		return "the server does not allow it"
	case status == 404, status == 405:
		return "is this the server's MCP endpoint?"
	case status == 407:
		return "a proxy wants authorization"
	case status == 413, status == 414, status == 431:
		return "the request is too long for the server, or for a proxy in front of it"
	case status == 429:
		return "the server has had too many requests: wait a while, then try again"
	case status >= 502 && status <= 504:
		return "a proxy in front of the server gets no answer from it"
	}
	return ""
}

// quoting adds what the server says.
func quoting(reason sentence.Text, words string) sentence.Text {
	if words == "" {
		return reason
	}
	return sentence.Say("{0}: the server says “{1}”", reason, sentence.Value(words))
}

// errorReason is a JSON-RPC error in words.
func errorReason(object []byte) sentence.Text {
	return quoting(count("JSON-RPC error {0}", errorCode(object)), said.OfError(object))
}

// to says which request was answered so, unless it is a call's own.
func to(r *request, reason sentence.Text) sentence.Text {
	if r.kind == leg {
		return reason
	}
	return sentence.Join(sentence.Value(r.method), reason)
}

// before is why something failed, with why the attempt in another era did first.
func before(reason, first sentence.Text) sentence.Text {
	if first == "" || first == reason {
		return reason
	}
	return sentence.Say("{0}; before that: {1}", reason, first)
}
