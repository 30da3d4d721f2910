package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// asked is a request of the server.
type asked struct {
	id     []byte
	method string
	params []byte
	state  []byte // that the answer carries too (SEP-1685); nil if it has none

	call      *call  // that was asked it, or that it was taken back from; nil if none
	leg       int64  // id of the request; 0 until the call has taken it, so that what it refuses by itself has none
	sessionID string // that it was asked in

	// Where the transport does not tell which call it belongs to, it is
	// passed on if that call ends first.
	guessed bool

	isForRoots bool
	unsent     bool // the leg of the call waits for the answer
}

const (
	maxParams = 1 << 20 // bytes of one request's params, and of all that wait for a leg: as much as one round of a call holds
	maxEarly  = 16      // requests that wait for a leg, beside one a call
	maxOpen   = 256     // requests of the server that are not answered, beside one a call
)

// JSON-RPC error codes that answer a request of the server.
const (
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternal       = -32603
)

// serverRequest takes a request of the server: servers of earlier eras ask so.
func (s *Session) serverRequest(r *request, ev Message, msg inbound) {
	isEarlier := s.speaks == sessions || s.speaks == initializing && (s.stdio() || r != nil && r.kind == leg && r.speaks == sessions)
	if !isEarlier {
		// Servers of this version MUST NOT send requests (basic/transports).
		s.do(Warning{sentence.About("ignored a request of the server, {0}: servers of this protocol version send none", msg.method)})
		return
	}
	q := &asked{id: msg.id, method: msg.method, params: msg.params, sessionID: s.sessionOf(r)}
	var flaw sentence.Text
	if s.states {
		q.state, flaw = drafts.State(msg.in)
	}
	switch {
	case !rawjson.IsString(msg.id) && !rawjson.IsNumber(msg.id) || len(msg.id) > 256: // null as well: no answer could name it
		s.do(Warning{"ignored a request of the server whose id is unusable"})
	case flaw != "":
		s.replyError(q, codeInvalidParams, flaw.String())
	case msg.in.Len(message.Params) > maxParams:
		s.replyError(q, codeInvalidParams, "the request is too long")
	case msg.method == "ping":
		s.reply(q, relay.Reply{Result: []byte("{}")})
	case msg.method != string(engine.KindElicit) && msg.method != string(engine.KindSample) && msg.method != string(engine.KindListRoots):
		s.replyError(q, codeMethodNotFound, "Method not found")
	case r == nil && !s.stdio() && ev.Exchange != s.earlier.stream: // no other call's person is to answer it
		s.replyError(q, codeInternal, "the request that this belongs to is over")
	default:
		q.id, q.params = clone(q.id), clone(q.params)
		q.isForRoots = s.isForRoots(q)
		s.ask(r, q)
	}
}

// ask puts a question of the server to the call that it belongs to: the one on
// whose stream it came. Where the transport does not tell, it is the one with
// the task that the question names. Otherwise it is the one that was asked
// least, of these the one in flight for longest; where none is, the next,
// because servers ask for roots as soon as they are initialized.
func (s *Session) ask(r *request, q *asked) {
	e := &s.earlier
	q.guessed = r == nil || r.kind != leg
	if at(e.asks, q.id, q.sessionID) >= 0 || e.isReplied(q.id, q.sessionID, r, q.guessed) {
		return // a resumed stream may bring it again
	}
	task := q.task()
	switch {
	case task != nil && (q.guessed || r.method == "tasks/get"): // which is over before a person has answered
		if !q.guessed {
			q.call = r.call
		}
		r, q.guessed = s.resultLeg(task), true
	case q.guessed:
		if r = s.rootsAsker(q); r == nil {
			r = s.leastAsked()
		}
	}
	switch {
	case len(e.asks) >= maxOpen+s.calls.live, r == nil && !e.hasRoom(q, maxEarly+s.calls.live):
		s.replyError(q, codeInternal, "too many requests at once")
	case r != nil:
		r.asked++
		q.call, q.leg, q.unsent = r.call, 0, r.exchange == 0
		e.asks = append(e.asks, q)
		if bad := s.feed(r.call, engine.Relay{Message: relay.ServerAsk{Leg: r.leg, Request: q.id, Method: q.method, Params: q.params, Unsent: q.unsent}}); bad != nil {
			s.answerAsk(r.call, relay.Reply{Request: q.id, Code: codeInternal, Message: "not possible in this call"})
		}
		switch {
		case q.call != r.call: // it was passed on meanwhile
		case q.unsent:
			r.waits = at(e.asks, q.id, q.sessionID) >= 0
		default:
			q.leg = r.id
		}
	case at(e.early, q.id, q.sessionID) < 0:
		e.early = append(e.early, q)
	}
}

// hasRoom reports whether a request may wait for a leg beside those that do.
func (e *earlier) hasRoom(q *asked, most int) bool {
	size := q.size()
	for _, other := range e.early {
		size += other.size()
	}
	return len(e.early) < most && size <= maxParams
}

func (q *asked) size() int { return len(q.params) + len(q.state) }

// at is the place of a request of the server, -1 if it is not there. Each of
// its sessions has ids of its own.
func at(list []*asked, id []byte, sessionID string) int {
	for i, q := range list {
		if string(q.id) == string(id) && q.sessionID == sessionID {
			return i
		}
	}
	return -1
}

func without(list []*asked, i int) []*asked {
	copy(list[i:], list[i+1:])
	list[len(list)-1] = nil
	return list[:len(list)-1]
}

// sessionOf is the session that a message belongs to which came in the response
// to a request, nil if that is not known. A leg may be in flight still in one
// that another leg found ended.
func (s *Session) sessionOf(r *request) string {
	if r != nil && r.kind == leg && r.speaks == sessions {
		return r.sessionID
	}
	return s.earlier.sessionID
}

// leastAsked is the leg in flight that the server asked least, nil if there is
// none.
func (s *Session) leastAsked() (least *request) {
	for _, p := range s.requests.places {
		r := p.item
		if r == nil || r.kind != leg || r.speaks != sessions {
			continue
		}
		if least == nil || r.asked < least.asked {
			least = r
		}
	}
	return least
}

// askEarly asks what the server asked before there was a leg for it, all of it
// or only for roots.
func (s *Session) askEarly(onlyRoots bool) {
	early := s.earlier.early
	s.earlier.early = nil
	for _, q := range early {
		if onlyRoots && !q.isForRoots {
			s.earlier.early = append(s.earlier.early, q)
			continue
		}
		q.sessionID = s.earlier.sessionID
		s.ask(nil, q)
	}
}

// forgetEarly lets go of what waits for a leg and is of a call or of its task,
// nil if only the call ended.
func (s *Session) forgetEarly(c *call, task []byte) {
	e := &s.earlier
	for i := len(e.early) - 1; i >= 0; i-- {
		if q := e.early[i]; q.call == c || task != nil && string(q.task()) == string(task) {
			e.early = without(e.early, i)
		}
	}
}

// serverCancel takes back a request of the server.
func (s *Session) serverCancel(r *request, id []byte) {
	e := &s.earlier
	sessionID := s.sessionOf(r)
	if i := at(e.early, id, sessionID); i >= 0 {
		e.early = without(e.early, i)
	} else if i := at(e.asks, id, sessionID); i >= 0 {
		s.takeBack(i)
	}
}

// takeBack withdraws what a call was asked.
func (s *Session) takeBack(i int) {
	e := &s.earlier
	q := e.asks[i]
	e.asks = without(e.asks, i)
	s.feed(q.call, engine.Relay{Message: relay.ServerCancel{Request: q.id}}) // cannot fail
}

// disown lets go of what the server asked a call. What may have been for
// another is asked there, and what is of a task is asked again while its
// tasks/result waits: the server still waits.
func (s *Session) disown(c *call) {
	e := &s.earlier
	var over []*asked
	for i := 0; i < len(e.asks); {
		if q := e.asks[i]; q.call == c {
			over = append(over, q)
			e.asks = without(e.asks, i)
		} else {
			i++
		}
	}
	for _, q := range over {
		isWaitedFor := q.task() != nil || q.unsent || q.guessed && s.leastAsked() != nil
		if q.unsent {
			q.call, q.unsent = nil, false
		}
		if q.sessionID == e.sessionID && !s.closed && isWaitedFor {
			s.ask(nil, q)
		}
	}
}
