package session

import (
	"time"

	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// forget goes back to knowing nothing of the server but what the options say.
func (s *Session) forget() {
	if s.opts.Transport == Requests {
		s.speaks, s.confirmed, s.version = modern, true, latest
		return
	}
	s.speaks, s.confirmed, s.probeDue, s.starts, s.late = unknown, false, 0, 0, nil
	s.takeChallenged(func(h *challenged) bool { return h.request != nil && h.request.isStart() })
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
		s.initialize(s.version, "")
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
	switch told := s.requests.get(s.earlier.told); {
	case s.speaks == probing:
		s.initializeInstead("") // the probe stays outstanding: see discovered
	case s.speaks == initializing && told != nil:
		s.settleSession(told)
	}
}

// initializeInstead begins a session of an earlier era, because a request of the
// modern one was refused: first says why.
func (s *Session) initializeInstead(first sentence.Text) {
	s.initialize(s.opts.preferred(false), first)
}

// discovered takes the answer to server/discover: a DiscoverResult or one of
// the errors that only modern servers send mean modern, any other error means
// an earlier era. One that comes after the time for it, because the server was slow
// to start, counts if initialize is refused.
//
// Source: MCP 2026-07-28, basic/versioning, Backward Compatibility.
func (s *Session) discovered(r *request, status int, msg inbound) {
	if e := proves(status); msg.failed && (e == gateway || e == aboutThis) && !isModernCode(msg.code) {
		s.refused(r, refusal{status: status, words: said.OfError(msg.error)})
		return
	}
	s.unlist(r)
	s.probeDue = 0
	if s.speaks != probing && s.speaks != initializing {
		return
	}
	supported, ready, refusal := []byte(nil), Ready{}, sentence.Text("")
	switch {
	case !msg.failed:
		ready = s.readyWith(msg.in, rawjson.Member(msg.in.Text(message.Meta), "io.modelcontextprotocol/serverInfo"))
		if supported = versions(msg.in.Text(message.SupportedVersions)); supported == nil { // a server that answers everything
			refusal = "the result names no supportedVersions"
		}
	case msg.code == codeVersion:
		supported = versions(rawjson.Member(rawjson.Member(msg.error, "data"), "supported"))
	case !isModernCode(msg.code):
		refusal = errorReason(msg.error)
	}
	if refusal != "" && (msg.failed || s.mayFallBack()) {
		switch {
		case s.speaks == initializing: // under way already
		case s.mayFallBack():
			s.initializeInstead(to(r, refusal))
		default:
			s.giveUp(r, refusal)
		}
		return
	}
	version := s.version
	if supported != nil {
		version = s.pick(supported)
	}
	switch {
	case isModern(version) && s.speaks == initializing: // it may have begun to speak as it is asked to: what it answers to that decides
		ready.Version = version
		s.late = &ready
	case isModern(version):
		s.version = version
		s.settle(ready)
	case s.speaks == initializing: // under way already
	case version != "":
		s.initialize(version, "")
	default:
		s.giveUp(nil, speaksOthers(supported))
	}
}

// speaksOthers says that a server speaks no version that may be spoken here.
func speaksOthers(supported []byte) sentence.Text {
	names := ""
	var e rawjson.Elements
	for e.Start(supported); e.Next(); {
		if name, ok := rawjson.Unquote(e.Value); ok && len(names) < maxVersion {
			if names != "" {
				names += ", "
			}
			names += clip(name)
		}
	}
	if names == "" {
		return "the server speaks none of the versions that may be spoken here"
	}
	return sentence.Say("the server speaks {0}, which may not be spoken here", sentence.Value(names))
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
// know what a modern request is: first is how it said so.
func (s *Session) fallBack(r *request, first sentence.Text) {
	r.first = first
	if s.speaks == sessions {
		s.dispatch(r)
		return
	}
	s.hang(r)
	if s.speaks == unknown || s.speaks == modern {
		s.initializeInstead("")
	}
}

// doubt is what came of a leg that servers of any era may answer so. It is kept
// back until the era is known.
type doubt struct {
	message *message.Message // the error that it was answered with, nil if it was not answered
	refused bool             // which says that nothing was carried out
	reason  sentence.Text    // why it was not
}

// doubt keeps back what came of a leg, and asks which era it is.
func (s *Session) doubt(r *request, d *doubt) {
	r.doubted = d
	switch {
	case s.speaks != sessions: // otherwise another request has found out
		s.hang(r)
		if s.speaks == unknown || s.speaks == modern {
			s.probe()
		}
	case s.mayRepeat(r):
		s.dispatch(r)
	default:
		s.decide(r)
	}
}

// mayRepeat reports whether a leg that waited may go out. One that a server of an
// earlier era was sent without a session goes out again in one, unless it may have
// been a tool call that was carried out: a server that gives its sessions an id
// carries out nothing without one.
//
// Source: MCP 2025-11-25, basic/transports, Session Management 3.
func (s *Session) mayRepeat(r *request) bool {
	if r.doubted == nil {
		return true
	}
	return s.speaks == sessions && (r.method != "tools/call" || s.earlier.sessionID != "" || r.doubted.refused)
}

// mayHaveRun reports whether a leg that waits was sent before, and may have been
// carried out.
func (r *request) mayHaveRun() bool { return r.doubted != nil && r.doubted.message == nil }

// isRefusal reports whether a JSON-RPC error says that a request was not carried
// out: the codes that JSON-RPC reserves, but for the one of a failure within.
func isRefusal(code int) bool { return code >= -32768 && code <= -32000 && code != codeInternal }

// decide tells a call what came of its leg.
func (s *Session) decide(r *request) {
	d := r.doubted
	r.doubted = nil
	if d.message != nil {
		s.deliver(r, d.message)
	} else {
		s.lose(r, d.reason, false)
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

// giveUp ends the search for a version: what waited was not sent. start is the
// request that failed, nil if none did.
func (s *Session) giveUp(start *request, reason sentence.Text) {
	s.forget()
	for len(s.waiting) > 0 {
		r := s.waiting[0]
		first, answered := r.first, r.doubted != nil
		if d := r.doubted; answered && d.message != nil && d.refused { // an answer only to who speaks the server's version
			first = errorReason(d.message.Text(message.Error))
			answered = first == reason // to everything
		}
		if answered {
			s.decide(r)
		} else {
			s.lose(r, s.whyNot(start, first, reason), true)
		}
	}
	if s.sub != nil {
		s.retrySubscription(s.whyNot(start, "", reason))
	}
}

// whyNot is why a leg was not sent: what came of the start of the server, and
// before it of the leg's first attempt.
func (s *Session) whyNot(start *request, first, reason sentence.Text) sentence.Text {
	if start == nil {
		return before(reason, first)
	}
	if first == "" {
		first = start.first
	}
	if first == reason || first == sentence.Join("server/discover", reason) { // it need not be said twice
		return reason
	}
	return before(to(start, reason), first)
}
