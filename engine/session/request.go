package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/sentence"
)

// request is a JSON-RPC request that has no response yet.
type request struct {
	kind     kind
	exchange int   // 0 while it waits for the version to be known
	posted   int   // the exchange that it was sent in last; another than exchange is its stream taken up
	id       int64 // of the request as it was sent last

	call   *call // of a leg
	leg    int
	method string
	params []byte

	capabilities []byte // of a call that this is not a leg of

	speaks    speaks        // what it was sent as: modern or sessions
	refreshed bool          // the tool's definition was fetched anew for it
	listed    bool          // the tools were asked for before it, in the session at hand
	asTask    bool          // it was sent as a task, which its params do not ask for
	renewed   bool          // the session was begun anew for it
	sessionID string        // that it was sent in
	reselects int           // versions it was refused for
	doubted   *doubt        // what came of it, while the era is found out
	first     sentence.Text // why its first attempt, in another era, failed
	stray     *stray        // that came in its response, over HTTP
	parent    *request      // the leg that it is made for, nil if it is for none
	child     *request      // outstanding that is made for it, nil if none is
	pages     int

	epoch      int  // of the sign-ins when it was sent
	challenges int  // that it was answered with
	shut       bool // the call was told that it waits for somebody to sign in
	waits      bool // the call says when it is sent

	recalls       bool // it is the host that is asked, for a result that it may have kept
	authorization int  // that the transport had when it was answered

	asked   int    // questions of the server that it was asked
	eventID string // of the last event of its stream
	resumes int    // streams taken up without an event
}

// kind is what a request is for.
type kind uint8

const (
	leg        kind = iota // of a call
	discover               // server/discover
	initialize             // initialize
	notified               // notifications/initialized, after which requests may be sent
	listTools              // tools/list, for the header fields of a leg
	tell                   // whose answer nobody waits for
	listening              // of the subscription
)

// begin puts a call's leg on its way.
func (s *Session) begin(r *request) {
	if r.call.leg != nil {
		s.drop(r.call.leg)
	}
	r.call.leg = r
	if !s.lookUp(r) {
		s.put(r)
	}
}

// put sends a leg, or lets it wait until it is known how.
func (s *Session) put(r *request) {
	switch {
	case s.closed:
		s.lose(r, "the session is closed", true)
	case s.speaks == modern || s.speaks == sessions:
		s.dispatch(r)
	case s.speaks == unknown && s.inline() && !r.call.flow.IsOfEarlierEra():
		s.post(r)
	default:
		s.waiting = append(s.waiting, r)
		s.negotiate()
		if s.isStarting() {
			s.shut(r, true)
		}
	}
}

// resend sends the leg of a call that waited for somebody to sign in, or for what the
// server asked before it.
func (s *Session) resend(c *call) {
	r := c.leg
	r.waits = false
	switch {
	case r.child != nil: // it is sent after that
	case !s.isWaiting(r):
		s.put(r)
	case s.speaks == modern, s.speaks == sessions && !s.holdsBack():
		s.post(r)
	}
}

// isWaiting reports whether a leg is among those that wait.
func (s *Session) isWaiting(r *request) bool {
	for _, other := range s.waiting {
		if other == r {
			return true
		}
	}
	return false
}

// post sends a request, for the first time or again, with a fresh id, unless its call
// says when it is sent.
func (s *Session) post(r *request) {
	if r.waits {
		s.hang(r)
		return
	}
	s.unlist(r)
	r.speaks, r.doubted, r.stray = modern, nil, nil
	if r.kind == leg {
		r.first = ""
	}
	if s.speaks == sessions || r.kind == initialize {
		r.speaks = sessions
	}
	if r.call != nil && !s.introduce(r, s.dialect(r.call)) || !s.asTask(r) {
		return
	}
	s.last++
	r.id, r.posted, r.exchange = s.above+int64(s.last), s.last, s.last
	r.eventID, r.resumes, r.sessionID, r.epoch = "", 0, s.earlier.sessionID, s.signIn.epoch
	if s.opts.Transport == Requests {
		s.request(r)
		return
	}
	message := s.envelope(r)
	body, flaw := s.spell(r, &message)
	if flaw != "" {
		if r.kind == leg {
			s.lose(r, flaw, true)
		}
		return
	}
	s.list(r)
	p := Post{Exchange: r.exchange, Leg: r.leg, Jar: s.signIn.jar, Body: s.line(body)}
	if r.kind == leg {
		p.Call = r.call.number
		r.call.flow.UseID(r.id)
	}
	if !s.stdio() {
		p.Headers = s.headers(r, &message)
	}
	s.do(p)
	if r.kind == leg && r.speaks == sessions {
		s.listen()
		s.askEarly(false)
		if s.stdio() && r.isSilent() {
			s.acknowledge(r)
		}
	}
}

// envelope is a request with what goes around its params, in its version.
func (s *Session) envelope(r *request) envelope.Request {
	e := envelope.Request{
		ID: r.id, Quoted: s.opts.StringIDs, Method: r.method, Params: r.params,
		Earlier: r.speaks == sessions, ProtocolVersion: s.version, ClientInfo: s.opts.ClientInfo,
		Capabilities: s.opts.Capabilities, LogLevel: s.opts.LogLevel, Progress: r.kind == leg,
	}
	switch {
	case r.kind == leg:
		e.Capabilities = r.call.capabilities
	case r.capabilities != nil:
		e.Capabilities = r.capabilities
	}
	if r.asTask {
		e.Params = askingForTask(r.params)
	}
	return e
}

// spell is the text of a request, in the dialect of its call, or why it has none.
func (s *Session) spell(r *request, e *envelope.Request) (body []byte, flaw sentence.Text) {
	if r.kind == leg && r.dialect().AsksBeside() {
		var ok bool
		if e.Params, e.Beside, ok = r.dialect().Lift(r.params); !ok {
			return nil, "its requestState or inputResponses are not of the dialect that the server speaks"
		}
	}
	if r.isSilent() {
		return s.silentBody(r, e.Beside), ""
	}
	body, bad := envelope.Append(nil, e)
	if bad != nil { // Call has seen to it that it cannot be
		return nil, bad.Detail
	}
	return body, ""
}

// request hands a request to the connection that is not the session's.
func (s *Session) request(r *request) {
	s.list(r)
	q := Request{Exchange: r.exchange, Leg: r.leg, Method: r.method, Params: r.params, Capabilities: r.capabilities}
	if r.kind == leg {
		q.Call, q.Capabilities = r.call.number, r.call.capabilities
	}
	s.do(q)
}

// send sends a message that is no request.
func (s *Session) send(p Post, sessionID string) (exchange int) {
	s.last++
	p.Exchange, p.Jar, p.Body = s.last, s.signIn.jar, s.line(p.Body)
	if !s.stdio() {
		p.Headers = s.sessionHeaders(sessionID, true)
	}
	s.do(p)
	return s.last
}

// line takes line breaks out of a message that goes out as a line. Outside of
// strings JSON takes a space for them, and inside there are none.
func (s *Session) line(body []byte) []byte {
	if s.stdio() {
		for i, c := range body {
			if c == '\n' || c == '\r' {
				body[i] = ' '
			}
		}
	}
	return body
}

// abandon ends a request that is no longer wanted. Over HTTP closing the
// response stream says so; elsewhere, and in earlier eras, it is a
// notification, and never for what is not outstanding.
//
// Source: MCP 2026-07-28, basic/patterns/cancellation.
func (s *Session) abandon(r *request) {
	wasSent := r.exchange != 0
	if wasSent && r.kind == leg && r.recalls {
		s.abort(r.exchange)
		wasSent = false
	}
	if wasSent && r.kind == leg && !r.isTakenUp() {
		r.call.given = given{r.exchange, r.leg}
	}
	s.drop(r)
	if !wasSent {
		if r.kind == leg {
			s.feed(r.call, engine.Lost{Leg: r.leg, Unsent: !r.mayHaveRun()}) // so it is not in doubt, unless it was sent before
		}
		return
	}
	if (s.stdio() || r.speaks == sessions) && r.kind != initialize && r.kind != notified { // initialize MUST NOT be canceled
		t := &text{}
		t.Put(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`)
		envelope.PutID(&t.Writer, r.id, s.opts.StringIDs)
		t.Put("}}")
		s.send(Post{Cancels: r.exchange, Body: t.Dst}, r.sessionID)
	}
	if !s.stdio() {
		s.abort(r.exchange)
	}
}

// drop forgets a request, and what was asked on its behalf.
func (s *Session) drop(r *request) {
	s.unlist(r)
	s.takeChallenged(func(h *challenged) bool { return h.request == r || h.request != nil && h.request.parent == r })
	if r.kind != leg {
		return
	}
	if r.call.leg == r {
		r.call.leg = nil
	}
	s.disown(r.call)
	if r.child != nil {
		s.abandon(r.child)
	}
	s.calmDown()
}

// list adds a request to those outstanding.
func (s *Session) list(r *request) {
	s.requests.put(r.id, r)
	s.exchanges.put(int64(r.exchange), r)
	if r.parent != nil {
		r.parent.child = r
	}
}

// unlist takes a request out of those outstanding and those waiting.
func (s *Session) unlist(r *request) {
	if s.requests.get(r.id) == r {
		s.requests.take(r.id)
		s.exchanges.take(int64(r.exchange))
		if r.parent != nil {
			r.parent.child = nil
		}
		if r.recalls {
			r.recalls = false
			s.cache.lookups--
		}
	}
	if r.exchange != 0 {
		return
	}
	for i := range s.waiting {
		if s.waiting[i] == r {
			s.waiting = cut(s.waiting, i)
			break
		}
	}
}

// cut takes one out of a list, of which mostly the first goes.
func cut(list []*request, i int) []*request {
	if i == 0 {
		list[0] = nil
		return list[1:]
	}
	copy(list[i:], list[i+1:])
	list[len(list)-1] = nil
	return list[:len(list)-1]
}

// byExchange finds the outstanding request of an exchange: the one sent in it,
// unless its stream was taken up in another.
func (s *Session) byExchange(exchange int) *request { return s.exchanges.get(int64(exchange)) }
