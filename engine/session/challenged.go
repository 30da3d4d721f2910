package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// challenged is an exchange that was answered with a challenge: of a request, of an answer to a
// question of the server, or of the server's own stream.
type challenged struct {
	request   *request
	answer    replied // if its body is not nil
	challenge string
	status    int
	said      string // by the server
}

// isStart reports whether a request begins to speak with the server.
func (r *request) isStart() bool {
	return r.kind == discover || r.kind == initialize || r.kind == notified
}

// suspend keeps what was challenged, and stops the clocks of who waits for it. One
// that the server is at work on keeps its id: only its stream was refused.
func (s *Session) suspend(h challenged) {
	r := h.request
	s.signIn.challenged = append(s.signIn.challenged, h)
	switch {
	case r == nil:
		s.shut(s.callOf(&h).leg, false)
	case r.isStart():
		s.unlist(r)
		for _, waiting := range append([]*request(nil), s.waiting...) {
			s.shut(waiting, true)
		}
	case r.kind == leg:
		if !r.isTakenUp() {
			s.unlist(r)
			r.exchange = 0
		}
		s.shut(r, h.isUnsent())
	default:
		s.unlist(r)
		s.shut(r.parent, true)
	}
}

// isUnsent reports whether the leg that waits was not carried out.
func (h *challenged) isUnsent() bool {
	return h.request != nil && !(h.request.kind == leg && h.request.isTakenUp())
}

// shut tells a call that its leg waits.
func (s *Session) shut(r *request, unsent bool) {
	r.shut, r.waits = true, unsent
	s.feed(r.call, engine.Relay{Message: relay.Challenged{Leg: r.leg, Unsent: unsent}}) // cannot fail: the leg is in flight
}

// isStarting reports whether the start of the server waits.
func (s *Session) isStarting() bool {
	for i := range s.signIn.challenged {
		if r := s.signIn.challenged[i].request; r != nil && r.isStart() {
			return true
		}
	}
	return false
}

// callOf is the call that is asked to sign in for what waits, nil if none is
// left or none can.
func (s *Session) callOf(h *challenged) *call {
	r := h.request
	switch {
	case r == nil:
		if r := s.requests.get(h.answer.leg); r != nil && r.kind == leg {
			return r.call
		}
		return nil
	case r.parent != nil:
		return r.parent.call
	case r.call != nil:
		return r.call
	}
	for _, waiting := range s.waiting {
		if waiting.call.authorizes {
			return waiting.call
		}
	}
	if len(s.waiting) > 0 {
		return s.waiting[0].call
	}
	return nil
}

// takeChallenged takes out of what waits all that is wanted, nil for everything.
func (s *Session) takeChallenged(wanted func(*challenged) bool) (taken []challenged) {
	if len(s.signIn.challenged) == 0 {
		return nil
	}
	kept := s.signIn.challenged[:0:0]
	for i := range s.signIn.challenged {
		if h := &s.signIn.challenged[i]; wanted == nil || wanted(h) {
			taken = append(taken, *h)
		} else {
			kept = append(kept, *h)
		}
	}
	s.signIn.challenged = kept
	return taken
}

// release sends again what waited: a stream is taken up where it broke off, an
// answer goes out byte for byte, a request gets a new id.
func (s *Session) release(list []challenged) {
	for i := range list {
		h := &list[i]
		r := h.request
		switch {
		case r == nil:
			if c := s.callOf(h); c != nil { // else nobody waits for it
				s.open(c.leg)
				s.answer(h.answer)
			}
		case r.kind == leg:
			s.open(r)
			if r.call.leg == r && r.isTakenUp() { // otherwise its time was up, or its call sends it again
				s.resume(r)
			}
		case r.kind == notified:
			s.sayInitialized()
		default:
			s.post(r)
			if r.parent != nil {
				s.open(r.parent)
			}
		}
		if r != nil && r.isStart() {
			for _, waiting := range append([]*request(nil), s.waiting...) {
				s.open(waiting)
			}
		}
	}
}

// open tells a call that its leg can go out again.
func (s *Session) open(r *request) {
	r.shut = false
	s.feed(r.call, engine.Relay{Message: relay.Released{Leg: r.leg}}) // cannot fail: the leg is in flight
}

// what tells apart what people are asked to sign in for.
func (h *challenged) what() string { return rawjson.Itoa(h.status) + h.challenge }

// wordsFor are the words for a call that nobody signs in for: of its first attempt in
// another era, if that was challenged as well and the server said more to it.
func (h *challenged) wordsFor(c *call) sentence.Text {
	words := h.words()
	if c.leg != nil && h.said == "" && contains([]byte(c.leg.first), string(words)) {
		return c.leg.first
	}
	return words
}

// words say what was answered.
func (h *challenged) words() sentence.Text {
	words := sentence.Text("the server wants authorization (HTTP status 401)")
	if h.status == codeForbidden {
		words = "the server wants a wider authorization (HTTP status 403)"
	}
	return quoting(words, h.said)
}
