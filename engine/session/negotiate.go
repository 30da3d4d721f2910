package session

import (
	"time"

	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// forget goes back to knowing nothing of the server but what the options say.
func (s *Session) forget() {
	if s.opts.Transport == Requests {
		s.speaks, s.confirmed, s.version = modern, true, latest
		return
	}
	s.speaks, s.confirmed, s.probeDue, s.starts = unknown, false, 0, 0
	s.takeHeld(func(h *held) bool { return h.request != nil && h.request.isStart() })
	s.version = s.opts.Known
	if s.version == "" {
		s.version = s.opts.preferred(true)
	}
	if s.version == "" {
		s.version = s.opts.preferred(false)
	}
	// Known or pinned, there is nothing to find out.
	if isModern(s.version) && !s.opts.Discover && (s.opts.Known != "" || s.opts.preferred(false) == "") {
		s.speaks = modern
	}
}

// inline reports whether a request may go out before the version is known: a
// server of another era refuses it, over HTTP, without harm.
//
// Source: MCP 2026-07-28, basic/versioning, Backward Compatibility.
func (s *Session) inline() bool {
	return !s.stdio() && !s.opts.Discover && isModern(s.version)
}

// negotiate finds out what the server speaks, unless that is under way. Over
// stdio server/discover goes first.
func (s *Session) negotiate() {
	if s.speaks != unknown {
		return
	}
	if isModern(s.version) {
		s.probe()
	} else {
		s.initialize(s.version)
	}
}

func (s *Session) probe() {
	s.speaks = probing
	if s.stdio() && s.mayFallBack() {
		s.probeDue = s.now + int64((s.opts.ProbeTimeout+time.Millisecond-1)/time.Millisecond)
	}
	s.post(&request{kind: discover, method: "server/discover", params: []byte("{}")})
}

// tick does what is due.
func (s *Session) tick() {
	if s.sub != nil {
		s.subscriptionDue()
	}
	if s.cache.lookups > 0 {
		s.recallDue()
	}
	if s.probeDue == 0 || s.now < s.probeDue {
		s.waitUntil = 0 // the timer is used up
		return
	}
	s.probeDue = 0
	if s.speaks == probing {
		s.initialize(s.opts.preferred(false)) // the probe stays outstanding: see discovered
	}
}

// discovered takes the answer to server/discover: a DiscoverResult or one of
// the errors that only modern servers send mean modern, any other error means
// an earlier era. One that comes after the time for it still counts while
// initialize is unanswered: the server was slow to start.
//
// Source: MCP 2026-07-28, basic/versioning, Backward Compatibility.
func (s *Session) discovered(r *request, msg inbound) {
	s.unlist(r)
	s.probeDue = 0
	if s.speaks != probing && s.speaks != initializing {
		return
	}
	supported, ready := []byte(nil), Ready{}
	if msg.failed {
		switch code := errorCode(msg.error); {
		case code == codeVersion:
			supported = rawjson.Member(rawjson.Member(msg.error, "data"), "supported")
		case isModernCode(code):
		case s.speaks == probing && s.mayFallBack():
			s.initialize(s.opts.preferred(false))
			return
		case s.speaks == probing:
			s.giveUp(sentence.Join(sentence.Value("server/discover"), count("JSON-RPC error {0}", code)))
			return
		default:
			return
		}
	} else {
		supported = msg.in.Text(message.SupportedVersions)
		ready = s.readyWith(msg.in, rawjson.Member(msg.in.Text(message.Meta), "io.modelcontextprotocol/serverInfo"))
	}
	version := s.version
	if supported != nil {
		version = s.pick(supported)
	}
	switch {
	case isModern(version):
		s.forgetInitialize()
		s.version = version
		s.settle(ready)
	case s.speaks == initializing: // under way already
	case version != "":
		s.initialize(version)
	default:
		s.giveUp("the server speaks none of the versions that may be spoken here")
	}
}

// forgetInitialize ignores what initialize will be answered with.
func (s *Session) forgetInitialize() {
	for _, r := range s.requests.all() {
		if r.kind == initialize {
			s.unlist(r)
			return
		}
	}
}

// settle begins to speak a modern version: what waited goes out.
func (s *Session) settle(ready Ready) {
	s.speaks, s.confirmed, s.starts = modern, true, 0
	ready.Version = s.version
	s.do(ready)
	s.flush()
}

// confirm takes it from an answer that the server is modern.
func (s *Session) confirm() {
	if s.speaks == unknown || s.speaks == modern && !s.confirmed {
		s.settle(Ready{})
	}
}

// flush sends what waited.
func (s *Session) flush() {
	s.sendWaiting()
	if s.sub != nil && s.sub.next == nil && (s.sub.stream == nil || s.sub.news) {
		s.openSubscription()
	}
}

// hang lets a leg wait again.
func (s *Session) hang(r *request) {
	s.unlist(r)
	r.exchange = 0
	s.waiting = append(s.waiting, r)
}

// mayFallBack reports whether the server may still turn out to be of an
// earlier era.
func (s *Session) mayFallBack() bool { return !s.confirmed && s.opts.preferred(false) != "" }

// fallBack sends a leg as an earlier era would, because the server does not
// know what a modern request is.
func (s *Session) fallBack(r *request) {
	if s.speaks == sessions {
		s.dispatch(r)
		return
	}
	s.hang(r)
	if s.speaks == unknown || s.speaks == modern {
		s.initialize(s.opts.preferred(false))
	}
}

// doubt keeps an error back that servers of any era may send, and asks which
// era it is.
func (s *Session) doubt(r *request, in *message.Message) {
	if s.speaks == sessions { // another request has found out
		s.dispatch(r)
		return
	}
	r.doubted = s.kept(in)
	s.hang(r)
	if s.speaks == unknown || s.speaks == modern {
		s.probe()
	}
}

// calmDown ends the search for a version when nobody waits for it any more, so
// that a server that does not answer is asked anew by the next call. A process
// is left in peace: it may be starting.
func (s *Session) calmDown() {
	if len(s.waiting) > 0 || s.stdio() || s.speaks != probing && s.speaks != initializing {
		return
	}
	all := s.requests.all()
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; r.kind == discover || r.kind == initialize || r.kind == notified {
			s.abandon(r)
		}
	}
	isShut := s.isStarting()
	s.forget()
	if s.sub != nil {
		if isShut {
			s.shutSubscription("the server wants authorization")
		} else {
			s.retrySubscription("the server has not answered yet")
		}
	}
}

// giveUp ends the search for a version: what waited was not sent.
func (s *Session) giveUp(reason sentence.Text) {
	s.forget()
	for len(s.waiting) > 0 {
		if r := s.waiting[0]; r.doubted != nil {
			s.deliver(r, r.doubted)
		} else {
			s.lose(r, reason, true)
		}
	}
	if s.sub != nil {
		s.retrySubscription(reason)
	}
}
