package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/rawjson"
)

// rootsWait holds legs back at the beginning of a session of an earlier era in
// which roots were declared. A server that wants roots asks for them as soon as
// it is initialized, and looks at the folders before a tool may use them: a leg
// that leaves at once is there before both.
type rootsWait struct {
	until   int64    // legs wait until then, in Unix milliseconds
	awaited bool     // for the first roots/list; otherwise the server has its answer
	opening bool     // the server's own stream is not open yet, on which it would ask
	refused *replied // the answer, if the server wanted authorization for it
}

// Measured with the official filesystem server, on two cores: 250 ms was enough in 300 calls
// of 300 beside three busy loops, 100 ms too short in 4 of 60. From initialized to roots/list
// it took 80 ms at most, from the answer until the folders were allowed 224. A ping told no
// more: the folders are looked at in other threads.
const (
	rootsTime = 250 // milliseconds for the first roots/list, and for what the server makes of the answer
	openTime  = 500 // milliseconds for its own stream to open
)

// declaresRoots reports whether servers of earlier eras are told that they may
// ask for roots.
func (o *Options) declaresRoots() bool {
	return rawjson.IsObject(rawjson.Member(o.Capabilities, "roots"))
}

// awaitRoots begins the wait, once a session.
func (s *Session) awaitRoots() {
	switch {
	case !s.opts.declaresRoots():
	case s.stdio():
		s.earlier.roots = rootsWait{until: s.now + rootsTime, awaited: true}
	default:
		s.earlier.roots = rootsWait{until: s.now + openTime, awaited: true, opening: true}
	}
}

// opened takes it that a stream is open: the server can ask from now on.
func (s *Session) opened(exchange int) {
	e := &s.earlier
	if w := &e.roots; w.opening && exchange != 0 && exchange == e.stream && s.now < w.until {
		w.opening, w.until = false, s.now+rootsTime
	}
}

// holdsBack reports whether legs wait.
func (s *Session) holdsBack() bool {
	w := &s.earlier.roots
	return s.asksForRoots() || s.now < w.until && !(w.awaited && s.earlier.noStream) || s.setsLevel()
}

// asksForRoots reports whether the server waits for roots, and legs for that.
func (s *Session) asksForRoots() bool {
	for _, q := range s.earlier.early {
		if q.isForRoots {
			return true
		}
	}
	for _, q := range s.earlier.asks {
		if q.unsent {
			return true
		}
	}
	return false
}

// legsDue is when the wait is over, 0 if no leg waits or the wait has no end: that for a
// person has none.
func (s *Session) legsDue() int64 {
	switch {
	case s.speaks != sessions || s.firstReady() == nil || s.asksForRoots():
		return 0
	case s.earlier.roots.until <= s.now && s.setsLevel():
		return s.earlier.level.until
	}
	return s.earlier.roots.until
}

// firstReady is the first leg that waits for the session alone, nil if there is none.
func (s *Session) firstReady() *request {
	for _, r := range s.waiting {
		if !r.waits {
			return r
		}
	}
	return nil
}

// dispatch sends a leg in the version at hand, unless it has to wait.
func (s *Session) dispatch(r *request) {
	if s.speaks == sessions && s.holdsBack() {
		s.hang(r)
	} else {
		s.post(r)
	}
}

// sendWaiting sends the legs that wait, or has one of them asked what holds them
// back.
func (s *Session) sendWaiting() {
	for _, r := range append([]*request(nil), s.waiting...) {
		if r.call.leg == r && !s.mayRepeat(r) {
			s.decide(r)
		}
	}
	if s.speaks == sessions && s.holdsBack() {
		s.askEarly(true)
		return
	}
	waiting := s.waiting
	s.waiting = nil
	for _, r := range waiting {
		if r.call.leg == r { // it was not dropped meanwhile
			s.post(r)
		}
	}
}

// rootsAsker is the leg that is asked for roots while it waits: the first. Nil if
// none waits, or something else is asked.
func (s *Session) rootsAsker(q *asked) *request {
	if !q.isForRoots || s.speaks != sessions {
		return nil
	}
	for _, r := range append([]*request(nil), s.waiting...) {
		if r.call.leg == r && !r.shut && s.introduce(r, s.dialect(r.call)) {
			return r
		}
	}
	return nil
}

// rootsAnswered counts the time that the server needs for the folders that it
// was told, if it was told any.
func (s *Session) rootsAnswered(hasRoots bool) {
	w := &s.earlier.roots
	if hasRoots {
		w.until = s.now + rootsTime
	} else if w.awaited {
		w.until = 0
	}
	w.awaited, w.opening = false, false
}

// rootsRefused takes it that the server wants authorization for the answer. The
// leg that waits goes out, and somebody is asked to sign in for that.
func (s *Session) rootsRefused(a replied) {
	s.earlier.roots.refused = &a
	if a.epoch < s.signIn.epoch { // somebody has meanwhile
		s.answerRootsAgain()
	}
}

// answerRootsAgain sends the answer again that was refused, and holds legs back
// once more.
func (s *Session) answerRootsAgain() {
	if a := s.earlier.roots.refused; a != nil {
		s.earlier.roots.refused = nil
		s.answer(*a)
		s.rootsAnswered(true)
	}
}

// takeBackRoots withdraws what waiting legs were asked in a session that is
// over. The next session asks anew.
func (s *Session) takeBackRoots() {
	e := &s.earlier
	for i := len(e.asks) - 1; i >= 0; i-- {
		if e.asks[i].unsent {
			s.takeBack(i)
		}
	}
}

// isForRoots reports whether a request of the server asks for its folders, and
// not for those of a task.
func (s *Session) isForRoots(q *asked) bool {
	return q.method == string(engine.KindListRoots) && s.opts.declaresRoots() && q.task() == nil
}
