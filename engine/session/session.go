package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/sentence"
)

// Session is a client of one server. It is a deterministic machine: same
// options and same events, same actions. A Session is not safe for concurrent
// use.
type Session struct {
	opts   Options
	states bool // a request of the server may carry a state that the answer echoes: of SEP-1685
	now    int64

	calls    table[call] // by number
	lastCall int
	declares engine.Can // of the last call that said no more than what it can
	declared []byte     // what that declared, nil before

	last      int            // exchange of a request, a reply or a stream
	above     int64          // how far ids are above exchanges; it never falls, so neither do ids
	requests  table[request] // outstanding on the wire, by id
	exchanges table[request] // the same, by the exchange at hand
	waiting   []*request     // legs that wait for the version to be known

	stray       stray // that came last, over stdio
	respelled   bool  // it was told that the server spells ids anew
	versionless bool  // it was told that the server leaves out "jsonrpc"

	speaks    speaks
	version   string   // that is spoken or, before that is known, would be
	confirmed bool     // the server has shown that it speaks it
	tried     []string // versions it has refused
	late      *Ready   // what the server said of itself after initialize was sent, nil if nothing
	probeDue  int64    // when server/discover, or notifications/initialized, has taken too long, 0 if neither is waited for
	waitUntil int64    // the Wait the host holds

	earlier earlier
	tools   []tool

	signIn     signIn
	starts     int  // sign-ins for the start at hand
	unlistened bool // the server's stream waits for one

	sub   *subscription // nil if the host has none
	cache cache

	whole  message.Body   // at hand, if it came in one piece
	slices []slices       // of messages whose end has not come
	most   int            // bytes of a member that are kept
	warned ignored        // what was told of already
	says   relay.Response // to a call, of a message
	saying engine.Event   // of what says is
	spoken drafts.Dialect // that a call was told last
	speak  engine.Event   // of that, nil before

	closed bool
	few    [4]Action // the memory of out, unless there are more
	out    []Action
}

// speaks is what is known of the server's protocol version.
type speaks uint8

const (
	unknown      speaks = iota
	probing             // server/discover is in flight, and requests wait for it
	initializing        // initialize is in flight, and requests wait for it
	modern              // every request carries its version
	sessions            // initialize was answered: an earlier era
)

// New makes a session. It fails with [fault.Options].
func New(opts Options) (*Session, error) {
	if bad := opts.settle(); bad != nil {
		return nil, bad
	}
	s := &Session{opts: opts, states: opts.dialect == drafts.SEP1685, above: opts.FirstID - 1, most: minKept}
	s.saying = engine.Relay{Message: &s.says}
	s.forget()
	return s, nil
}

// Step advances the session by one event and returns every action that follows
// from it, in order. The slice is in memory of the session, which the next Step
// uses again: who keeps it, copies it, and who has done with it may clear it,
// to let go of what it holds. now is the host's clock in Unix milliseconds; a
// clock that goes backwards is held. An error is a usage error and leaves the
// session as it was; a call that fails says so with an [engine.Failed] action.
func (s *Session) Step(now int64, ev Event) ([]Action, error) {
	s.now = max(s.now, now)
	s.few = [len(s.few)]Action{}
	s.out = s.few[:0]
	var err *engine.Error
	switch ev := ev.(type) {
	case To:
		err = s.to(ev)
	case Part:
		s.part(ev)
	case Message:
		s.message(ev)
	case Ended:
		s.ended(ev)
	case Down:
		s.down(ev)
	case Opened:
		s.opened(ev.Exchange)
	case Tick:
		s.tick()
	case Close:
		s.close()
	case Subscribe:
		err = s.subscribe(ev.Filter, ev.Missed)
	default:
		err = newError(fault.Order, "unknown event")
	}
	if err != nil {
		return nil, err
	}
	s.askToSignIn()
	if s.speaks == sessions && len(s.waiting) > 0 {
		s.sendWaiting()
	}
	if due := s.due(); due != s.waitUntil {
		s.waitUntil = due
		s.do(Wait{Until: due})
	}
	return s.out, nil
}

// due is when the session needs a [Tick], 0 if it needs none.
func (s *Session) due() int64 {
	due := sooner(s.probeDue, sooner(s.nextRecallDue(), s.legsDue()))
	if s.sub != nil {
		due = sooner(due, s.sub.due)
	}
	return due
}

// sooner is the sooner of two times, of which 0 is none.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// to hands a call an event of the host.
func (s *Session) to(ev To) *engine.Error {
	c := s.calls.get(int64(ev.Call))
	if c == nil {
		return unknownCall(ev.Call)
	}
	if handled, err := s.toSignIn(c, ev.Event); handled {
		return err
	}
	switch ev.Event.(type) {
	case engine.Begin:
		err := s.feed(c, ev.Event)
		c.hasBegun = c.hasBegun || err == nil
		return err
	case engine.Cancel:
		if c.hasBegun || c.isNew {
			break
		}
		if !c.givenUp { // it stays as it was
			c.givenUp = true
			s.do(From{c.number, engine.Failed{Code: fault.Canceled, Detail: "the caller gave up", Resumable: true}})
		}
		return nil
	case engine.Answer, engine.Refuse, engine.Saved, engine.SaveFailed, engine.Park, engine.Tick:
	default:
		return newError(fault.Order, "this event is the session's to say")
	}
	return s.feed(c, ev.Event)
}

// lose tells a call that no answer to its leg will come.
func (s *Session) lose(r *request, reason sentence.Text, unsent bool) {
	if r.shut {
		s.feed(r.call, engine.Relay{Message: relay.Released{Leg: r.leg, Lost: true}}) // cannot fail
	}
	s.drop(r)
	s.feed(r.call, engine.Lost{Leg: r.leg, Reason: reason, Unsent: unsent}) // cannot fail: the leg is in flight
}

// close ends the session.
func (s *Session) close() {
	if s.closed {
		return
	}
	s.closed, s.sub = true, nil
	s.probeDue = 0
	for _, h := range s.takeChallenged(nil) {
		if r := h.request; r != nil && r.kind == leg && !r.isTakenUp() {
			s.lose(r, "the session was closed", true)
		}
	}
	for _, r := range append(append([]*request(nil), s.waiting...), s.requests.all()...) {
		if r.kind == tell && r.exchange != 0 { // nobody waits for its answer, and it is on its way
			continue
		}
		if r.kind != leg {
			if s.requests.get(r.id) == r { // it did not end with the leg that it was made for
				s.abandon(r)
			}
			s.orphan(r.parent, "the session was closed")
			continue
		}
		sent := r.exchange != 0 && !r.recalls
		switch {
		case r.mayHaveRun():
			s.decide(r)
			continue
		case sent:
			s.abandon(r)
		case r.exchange != 0:
			s.abort(r.exchange)
		}
		s.lose(r, "the session was closed", !sent)
	}
	s.endSession()
}

func (s *Session) stdio() bool { return s.opts.Transport == Stdio }

func (s *Session) do(a Action) { s.out = append(s.out, a) }
