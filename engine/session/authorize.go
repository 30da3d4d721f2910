package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// signIn is what the session knows of authorization: what the server has
// answered with a challenge waits until somebody has signed in.
type signIn struct {
	epoch      int          // how often somebody has
	account    string       // that signed in last, or had before the session's first call; "" if that is not known
	jar        int          // how often that was another account
	challenged []challenged // what waits, the oldest first
	asker      *call        // that is asked, nil if none is
	asked      string       // the challenge that it is asked for
}

const (
	maxChallenges = 3       // sign-ins for one request; for one start of the server, together
	maxChallenge  = 8 << 10 // bytes of WWW-Authenticate that are read
	codeForbidden = 403
)

// challenged takes a response by which the server wants authorization: 401, or
// 403 where a wider scope would do. It reports whether it was one. Servers MUST
// check that before they do anything else, so nothing was carried out.
//
// Source: MCP 2026-07-28, basic/authorization, Error Handling, Scope Challenge
// Handling.
func (s *Session) challenged(r *request, exchange, status int, challenge string, body []byte) bool {
	if s.opts.Transport != HTTP || status != 401 && status != codeForbidden {
		return false
	}
	if len(challenge) > maxChallenge {
		challenge = ""
	}
	if status == codeForbidden && !rawjson.Is(rawjson.Member(bearer(challenge), "error"), "insufficient_scope") {
		return false
	}
	h := challenged{request: r, status: status, challenge: challenge, said: said.Words(body)}
	if r == nil {
		return s.challengedBeside(h, exchange)
	}
	switch {
	case s.leadsOn(r):
		s.fallBack(r, h.words())
		return true
	case r.kind == tell: // nobody waits for it
		s.unlist(r)
		return true
	case r.kind == listening:
		s.streamChallenged(r, h.words())
		return true
	case r.isStart() && len(s.waiting) == 0 && s.sub != nil: // nobody but the subscription waits for it
		s.unlist(r)
		s.forget()
		if r.epoch < s.signIn.epoch {
			s.openSubscription()
		} else {
			s.shutSubscription(h.words())
		}
		return true
	case r.epoch < s.signIn.epoch: // somebody has signed in meanwhile
		s.suspend(h)
		s.release(s.takeChallenged(func(other *challenged) bool { return other.request == r }))
		return true
	case r.challenges == maxChallenges, r.isStart() && s.starts == maxChallenges:
		s.deny(r, sentence.Say("{0}, still, after {1} sign-ins", h.words(), sentence.Value(rawjson.Itoa(maxChallenges))))
		return true
	}
	r.challenges++
	if r.isStart() {
		s.starts++
	}
	s.suspend(h)
	return true
}

// leadsOn reports whether a challenge may be how a gateway in front of a server of
// an earlier era refuses what it does not know: that is tried before the call fails
// for want of a sign-in, and before somebody has to sign in a second time. A call
// in the middle of rounds has its answer already: no such server began them.
func (s *Session) leadsOn(r *request) bool {
	return r.kind == leg && r.speaks == modern && (!r.call.authorizes || r.challenges > 0) && (s.speaks == unknown || s.speaks == initializing) && s.mayFallBack() &&
		!r.call.flow.IsOfThisEra()
}

// challengedBeside takes a challenge to what is no request: an answer to the
// server, which waits, or its own stream, which is opened again after the next
// sign-in.
func (s *Session) challengedBeside(h challenged, exchange int) bool {
	e := &s.earlier
	if exchange != 0 && exchange == e.stream {
		e.stream, e.noStream = 0, true
		s.unlistened = true
		return true
	}
	for i, a := range e.replied {
		if a.exchange != exchange || a.body == nil {
			continue
		}
		e.replied = append(e.replied[:i], e.replied[i+1:]...)
		h.answer = a
		switch {
		case a.unsent && a.sessionID == e.sessionID:
			s.rootsRefused(a)
		case s.callOf(&h) == nil: // nobody waits for it
		case a.epoch < s.signIn.epoch:
			s.answer(a)
		default:
			s.suspend(h)
		}
		return true
	}
	return false
}

// askToSignIn asks one call, for the oldest that waits, if none is asked. It
// is done last in a Step, because a call may have been withdrawn in it.
func (s *Session) askToSignIn() {
	if c := s.signIn.asker; c != nil && c.leg == nil { // its call is over
		s.signIn.asker = nil
	}
	for !s.closed && s.signIn.asker == nil && len(s.signIn.challenged) > 0 {
		h := s.signIn.challenged[0]
		c := s.callOf(&h)
		switch {
		case c == nil || c.leg == nil:
			s.signIn.challenged = s.signIn.challenged[1:]
			if h.request != nil && h.request.isStart() { // the next call begins to speak with the server
				s.forget()
			}
		case !c.authorizes:
			s.denyAll(c, h.wordsFor(c))
		default:
			s.signIn.asker, s.signIn.asked = c, h.what()
			s.feed(c, engine.Relay{Message: relay.Challenged{Leg: c.leg.leg, Unsent: h.isUnsent(), Params: h.params()}}) // cannot fail: the leg is in flight
		}
		if c := s.signIn.asker; c != nil && c.leg == nil { // it has been asked too often
			s.signIn.asker = nil
		}
	}
}

// authorized takes it that somebody has signed in: everything that waits goes
// out again, whatever it was challenged with.
func (s *Session) authorized(account string) {
	s.signIn.epoch++
	s.signIn.asker = nil
	changed := s.becomes(account)
	s.answerRootsAgain()
	s.release(s.takeChallenged(nil))
	if s.unlistened {
		s.unlistened, s.earlier.noStream = false, false
		s.listen()
	}
	switch sub := s.sub; {
	case sub == nil:
	case sub.shut:
		sub.shut = false
		s.openSubscription()
	case changed:
		s.replaceStream()
	}
}

// replaced takes it that another account has signed in than that of a call, which
// has ended. What waits still waits.
func (s *Session) replaced(m relay.Replaced) {
	if s.becomes(m.Account) && s.sub != nil && !s.sub.shut {
		s.replaceStream()
	}
}

// becomes notes whose the session is, and reports whether that is another account
// than before. Cookies are an account's, and so is a session of an earlier era:
// another account gets its own.
func (s *Session) becomes(account string) (changed bool) {
	before := s.signIn.account
	if account == "" {
		return false
	}
	s.signIn.account = account
	if before == "" || account == before {
		return false
	}
	s.signIn.jar++
	if s.speaks == sessions {
		s.stopListening()
		s.initialize(s.version, "")
	}
	return true
}

// replaceStream opens the stream of changes anew: it is an account's, and what
// changed for the other account in between is not known.
func (s *Session) replaceStream() {
	if sub := s.sub; s.speaks == modern && (sub.stream != nil || sub.next != nil) {
		sub.missed = sub.missed || !sub.said.isEmpty()
		s.openSubscription()
	}
}

// toSignIn hands a call what the host did with the question to sign in.
func (s *Session) toSignIn(c *call, ev engine.Event) (handled bool, err *engine.Error) {
	did := relay.Authorize{}
	switch e := ev.(type) {
	case engine.Answer:
		if did.Ask = e.Ask; e.Ask < 0 {
			did.Raw = append([]byte{}, e.Raw...)
		}
	case engine.Refuse:
		did.Ask, did.Reason = e.Ask, e.Reason
	case engine.Park:
		did.Ask, did.Park = e.Ask, true
	}
	if did.Ask >= 0 {
		return false, nil
	}
	if err = s.feed(c, engine.Relay{Message: did}); err == nil && c.leg == nil && did.Raw == nil && !did.Park && s.signIn.asker == c {
		s.notAuthorized(c)
	}
	return true, err
}

// notAuthorized takes it that nobody signs in: who waits for the same fails
// too.
func (s *Session) notAuthorized(c *call) {
	for _, h := range s.takeChallenged(func(h *challenged) bool { return h.what() == s.signIn.asked }) {
		if other := s.callOf(&h); other != nil && other != c {
			s.denyAll(other, "nobody signed in")
		}
	}
	s.signIn.asker = nil
}

// deny ends the call that a request is of for want of authorization, or all
// that wait for it.
func (s *Session) deny(r *request, words sentence.Text) {
	switch {
	case r.call != nil:
		if !r.isTakenUp() { // it is over
			s.unlist(r)
			r.exchange = 0
		}
		s.denyAll(r.call, words)
	case r.parent != nil:
		s.unlist(r)
		s.denyAll(r.parent.call, words)
	default:
		s.unlist(r)
		for len(s.waiting) > 0 {
			s.denyAll(s.waiting[0].call, words)
		}
		s.forget()
	}
}

// denyAll ends a call, and with it all that it waits for.
func (s *Session) denyAll(c *call, words sentence.Text) {
	if r := c.leg; r != nil {
		s.feed(c, engine.Relay{Message: relay.Challenged{Leg: r.leg, Unsent: !r.isTakenUp(), Denied: words}}) // cannot fail: the leg is in flight
	}
}
