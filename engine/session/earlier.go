package session

// earlier is what a session of an earlier era holds beside its requests.
type earlier struct {
	ready     Ready
	sessionID string

	stream   int  // exchange of the stream that the server opens nothing on by itself, 0 if there is none
	noStream bool // it offers none
	eventID  string
	retry    int // reconnection time in milliseconds, 0 if the server set none
	breaks   int // of the stream, without an event between

	asks    []*asked  // the server's requests that are not answered
	early   []*asked  // those that wait for a leg of any call, or of their task
	replied []replied // those that were answered
	roots   rootsWait
	told    int64 // the id of notifications/initialized
	level   levelWait

	knows knowledge // of how the tools run
}

const (
	maxResumes   = 5      // streams taken up in a row without an event
	defaultRetry = 1000   // milliseconds
	maxRetry     = 60_000 // milliseconds
)

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
		at = s.now + s.retryDelay(max(e.breaks-1, 0))
	}
	s.last++
	e.stream = s.last
	s.do(Listen{Exchange: e.stream, Jar: s.signIn.jar, Headers: s.streamHeaders(e.sessionID, e.eventID), At: at})
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
	if s.calls.live > 0 || s.sub != nil {
		s.listen()
	}
	if s.sub != nil && e.eventID == "" {
		s.missed()
	}
}

// resume takes up the stream of a request that broke off.
//
// Source: MCP 2025-11-25, basic/transports, Resumability and Redelivery.
func (s *Session) resume(r *request) {
	delay := s.retryDelay(r.resumes)
	r.resumes++
	s.last++
	s.exchanges.take(int64(r.exchange))
	r.exchange, r.epoch = s.last, s.signIn.epoch
	s.exchanges.put(int64(r.exchange), r)
	s.do(Listen{Exchange: r.exchange, Jar: s.signIn.jar, Headers: s.streamHeaders(r.sessionID, r.eventID), At: s.now + delay})
}

// isTakenUp reports whether the exchange at hand is no more the one that the
// request went out in, but a stream that goes on where that broke off.
func (r *request) isTakenUp() bool { return r.exchange != 0 && r.exchange != r.posted }

// retryDelay is how long to wait before a stream is opened again: what the
// server said, and where it broke at once, at least a second and twice as long
// each time.
func (s *Session) retryDelay(breaks int) int64 {
	retry := int64(s.earlier.retry)
	if retry == 0 {
		retry = defaultRetry
	}
	if breaks == 0 {
		return retry
	}
	retry = max(retry, defaultRetry)
	return min(retry<<min(breaks-1, 6), max(retry, maxRetry/2))
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
	r.renewed, r.listed = true, false
	if s.speaks == sessions && r.sessionID == s.earlier.sessionID {
		s.stopListening()
		s.hang(r)
		s.initialize(s.version, "")
		return true
	}
	if s.speaks == sessions { // another request has done it
		s.dispatch(r)
	} else {
		s.hang(r)
	}
	return true
}

func (s *Session) stopListening() {
	if s.earlier.stream != 0 {
		s.abort(s.earlier.stream)
		s.earlier.stream = 0
	}
}

// endSession tells a server that keeps a session that it is over.
func (s *Session) endSession() {
	s.stopListening()
	if s.speaks == sessions && !s.stdio() && s.earlier.sessionID != "" {
		s.last++
		s.do(Delete{Exchange: s.last, Jar: s.signIn.jar, Headers: s.sessionHeaders(s.earlier.sessionID, false)})
	}
}
