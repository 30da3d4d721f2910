package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/internal/rawjson"
)

// earlier is what a session of an earlier era holds beside its requests.
type earlier struct {
	ready     Ready
	sessionID string

	stream   int  // exchange of the stream that the server opens nothing on by itself, 0 if there is none
	noStream bool // it offers none
	eventID  string
	retry    int // reconnection time in milliseconds, 0 if the server set none
	breaks   int // of the stream, without an event between

	asks    []served       // the server's requests that are not answered
	early   []earlyRequest // those that came while no call was in flight
	replied []replied      // those that were answered
}

// served is a request of the server that a call was asked.
type served struct {
	id        []byte
	call      *call
	leg       int    // id of the request
	sessionID string // that it was asked in

	// Where the transport does not tell which call it belongs to, it is
	// passed on if that call ends first.
	guessed bool
	method  string
	params  []byte
}

type earlyRequest struct {
	id     []byte
	method string
	params []byte
}

const (
	maxEarly     = 16     // requests kept for the next call
	maxOpen      = 256    // requests of the server that are not answered, beside one a call
	maxResumes   = 5      // streams taken up in a row without an event
	defaultRetry = 1000   // milliseconds
	maxRetry     = 60_000 // milliseconds
)

// JSON-RPC error codes that answer a request of the server.
const (
	codeMethodNotFound = -32601
	codeInternal       = -32603
)

// serverRequest takes a request of the server: servers of earlier eras ask so.
func (s *Session) serverRequest(r *request, exchange int, msg envelope.Message) {
	isEarlier := s.speaks == sessions || s.speaks == initializing && (s.stdio() || r != nil && r.kind == leg && r.speaks == sessions)
	if !isEarlier {
		// Servers of this version MUST NOT send requests (basic/transports).
		s.do(Warning{"ignored a request of the server, " + msg.Method + ": servers of this protocol version send none"})
		return
	}
	switch {
	case !rawjson.IsString(msg.ID) && !rawjson.IsNumber(msg.ID) || len(msg.ID) > 256:
		s.do(Warning{"ignored a request of the server whose id is unusable"})
	case msg.Method == "ping":
		s.reply(s.sessionOf(r), engine.Reply{Request: msg.ID, Result: []byte("{}")})
	case msg.Method != string(engine.Elicit) && msg.Method != string(engine.Sample) && msg.Method != string(engine.ListRoots):
		s.reply(s.sessionOf(r), engine.Reply{Request: msg.ID, Code: codeMethodNotFound, Message: "Method not found"})
	case r == nil && !s.stdio() && exchange != s.earlier.stream: // no other call's person is to answer it
		s.reply(s.sessionOf(r), engine.Reply{Request: msg.ID, Code: codeInternal, Message: "the request that this belongs to is over"})
	default:
		s.ask(r, msg.ID, msg.Method, msg.Params)
	}
}

// ask puts a question of the server to the call that it belongs to. Where the
// transport does not tell, that is the one that was asked least, of these the
// one in flight for longest; where none is, the next, because servers ask for
// roots as soon as they are initialized.
func (s *Session) ask(r *request, id []byte, method string, params []byte) {
	sessionID := s.sessionOf(r)
	for i := range s.earlier.asks {
		if s.earlier.asks[i].is(id, sessionID) {
			return // a resumed stream may bring it again
		}
	}
	guessed := r == nil || r.kind != leg
	if s.earlier.isReplied(id, sessionID, r, guessed) {
		return
	}
	if guessed {
		r = s.leastAsked()
	}
	switch {
	case len(s.earlier.asks) >= maxOpen+len(s.calls), r == nil && len(s.earlier.early) == maxEarly:
		s.reply(sessionID, engine.Reply{Request: id, Code: codeInternal, Message: "too many requests at once"})
	case r == nil:
		s.earlier.early = append(s.earlier.early, earlyRequest{clone(id), method, clone(params)})
	default:
		r.asked++
		s.earlier.asks = append(s.earlier.asks, served{clone(id), r.call, r.id, sessionID, guessed, method, clone(params)})
		if bad := s.feed(r.call, engine.ServerAsk{Leg: r.leg, Request: id, Method: method, Params: params}); bad != nil {
			s.answerAsk(r.call, engine.Reply{Request: id, Code: codeInternal, Message: "not possible in this call"})
		}
	}
}

// is tells requests of the server apart: each of its sessions has ids of its own.
func (a *served) is(id []byte, sessionID string) bool {
	return string(a.id) == string(id) && a.sessionID == sessionID
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
	for _, r := range s.requests {
		if r.kind == leg && r.speaks == sessions && (least == nil || r.asked < least.asked) {
			least = r
		}
	}
	return least
}

// askEarly asks what the server asked while no call was in flight.
func (s *Session) askEarly() {
	early := s.earlier.early
	s.earlier.early = nil
	for _, e := range early {
		s.ask(nil, e.id, e.method, e.params)
	}
}

// serverCancel takes back a request of the server.
func (s *Session) serverCancel(r *request, id []byte) {
	e := &s.earlier
	for i := range e.early {
		if string(e.early[i].id) == string(id) {
			e.early = append(e.early[:i], e.early[i+1:]...)
			return
		}
	}
	for i := range e.asks {
		if e.asks[i].is(id, s.sessionOf(r)) {
			c := e.asks[i].call
			e.asks = append(e.asks[:i], e.asks[i+1:]...)
			s.feed(c, engine.ServerCancel{Request: id}) // cannot fail
			return
		}
	}
}

// disown lets go of what the server asked a call. What may have been for
// another is asked there: the server still waits.
func (s *Session) disown(c *call) {
	e := &s.earlier
	var over []served
	kept := e.asks[:0]
	for _, ask := range e.asks {
		if ask.call == c {
			over = append(over, ask)
		} else {
			kept = append(kept, ask)
		}
	}
	clear(e.asks[len(kept):])
	e.asks = kept
	for _, ask := range over {
		if ask.guessed && ask.sessionID == e.sessionID && !s.closed && s.leastAsked() != nil {
			s.ask(nil, ask.id, ask.method, ask.params)
		}
	}
}

// listen opens the stream on which the server may ask and tell by itself.
//
// Source: MCP 2025-11-25, basic/transports, Listening for Messages from the
// Server.
func (s *Session) listen() {
	e := &s.earlier
	if s.stdio() || e.noStream || e.stream != 0 {
		return
	}
	var at int64
	if e.breaks > 0 || e.eventID != "" {
		at = s.now + s.retryDelay(e.breaks)
	}
	s.last++
	e.stream = s.last
	s.do(Listen{Exchange: e.stream, Headers: s.streamHeaders(e.sessionID, e.eventID), At: at})
}

// streamEnded opens the server's stream again, unless it offers none.
func (s *Session) streamEnded(ev Ended) {
	e := &s.earlier
	e.stream = 0
	if ev.Status >= 300 {
		e.noStream = true
		return
	}
	e.breaks++
	if len(s.calls) > 0 {
		s.listen()
	}
}

// resume takes up the stream of a request that broke off.
//
// Source: MCP 2025-11-25, basic/transports, Resumability and Redelivery.
func (s *Session) resume(r *request) {
	delay := s.retryDelay(r.resumes)
	r.resumes++
	s.last++
	r.exchange = s.last
	s.do(Listen{Exchange: r.exchange, Headers: s.streamHeaders(r.sessionID, r.eventID), At: s.now + delay})
}

// isTakenUp reports whether the exchange at hand is no more the one that the
// request went out in, but a stream that goes on where that broke off.
func (r *request) isTakenUp() bool { return r.exchange != 0 && r.exchange != r.id }

// retryDelay is how long to wait before a stream is opened again: what the
// server said, and twice as long each time it broke at once.
func (s *Session) retryDelay(breaks int) int64 {
	retry := int64(s.earlier.retry)
	if retry == 0 {
		retry = defaultRetry
	}
	return min(retry<<min(max(breaks-1, 0), 6), max(retry, maxRetry/2))
}

func (s *Session) streamHeaders(sessionID, eventID string) []Header {
	headers := append(s.sessionHeaders(sessionID, false), header("Accept", "text/event-stream"))
	if eventID != "" {
		headers = append(headers, header("Last-Event-ID", eventID))
	}
	return headers
}

// renew begins the session anew for a request that the server refused because
// it knows the session no more.
//
// Source: MCP 2025-11-25, basic/transports, Session Management.
func (s *Session) renew(r *request) bool {
	if r.renewed || s.earlier.sessionID == "" && s.speaks == sessions {
		return false
	}
	r.renewed = true
	if s.speaks == sessions && r.sessionID == s.earlier.sessionID {
		s.stopListening()
		s.hang(r)
		s.initialize(s.version)
		return true
	}
	if s.speaks == sessions { // another request has done it
		s.post(r)
	} else {
		s.hang(r)
	}
	return true
}

func (s *Session) stopListening() {
	if s.earlier.stream != 0 {
		s.do(Abort{s.earlier.stream})
		s.earlier.stream = 0
	}
}

// endSession tells a server that keeps a session that it is over.
func (s *Session) endSession() {
	s.stopListening()
	if s.speaks == sessions && !s.stdio() && s.earlier.sessionID != "" {
		s.last++
		s.do(Delete{Exchange: s.last, Headers: s.sessionHeaders(s.earlier.sessionID, false)})
	}
}
