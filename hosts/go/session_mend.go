package parley

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// mendable is what a call can go on with in another core, should the instance
// of its own trap.
type mendable struct {
	labels engine.Expect // of its snapshots
	saved  []byte        // its last snapshot, nil if something has happened since
	kept   []byte        // the one that its Save has kept
	flew   bool          // a leg that was not answered had gone out before its legs here
	begun  bool
	life   int   // how often it went on in another core
	saving int   // its life when it was last to be saved
	lost   error // why it cannot go on
}

// errRestarted says that the call goes on in another core, where what happened
// is to be told again.
var errRestarted = errors.New("parley: the engine's instance was replaced")

// isUsage reports whether an error of a core is the caller's mistake. After any
// other the core is gone.
func isUsage(err error) bool {
	var usage *engine.Error
	return errors.As(err, &usage)
}

// took notes a snapshot. What runs natively is never replaced.
func (c *sessionCall) took(snapshot []byte) {
	if _, native := c.session.core.(nativeCore); !native {
		c.saved = slices.Clone(snapshot)
	}
}

// happened takes note of an event of the call: what Saved and Tick may change
// is told by actions.
func (c *sessionCall) happened(ev engine.Event) {
	switch ev.(type) {
	case engine.Saved, engine.Tick:
	default:
		c.begun, c.saved = true, nil
	}
}

// trapped looks at an error of the core. After one that is no mistake of the
// caller's there is another core. It reports whether the old one was gone
// before, so that what was to be done may be tried again. ev is the event at
// which it was seen, and call whose that is.
func (s *Session) trapped(err error, ev session.Event, call int) (again bool) {
	if isUsage(err) || s.broken != nil {
		return false
	}
	again = err == ErrInstance // because of another session on the same instance
	var culprit *sessionCall
	_, heard := ev.(session.Message)
	if _, ok := ev.(session.Part); ok {
		heard = true
	}
	if !again {
		culprit = s.calls[call]
	}
	if !again && heard && culprit == nil { // it would only come again
		if s.isSubscribed() {
			s.tell(session.Subscribed{Reason: said(err), Over: true})
		}
		s.filter = session.Filter{}
	}
	s.mend(err, culprit, heard)
	return again && s.broken == nil
}

func (s *Session) isSubscribed() bool {
	f := &s.filter
	return f.ToolsListChanged || f.PromptsListChanged || f.ResourcesListChanged || len(f.ResourceSubscriptions) > 0
}

// mend replaces a core that is gone. Calls of which a snapshot is up to date
// go on; the others are lost, and so is the culprit. heard says that it was at
// what the server said that the core was lost.
func (s *Session) mend(trap error, culprit *sessionCall, heard bool) {
	calls := slices.SortedFunc(maps.Values(s.calls), func(a, b *sessionCall) int { return a.number - b.number })
	saved := make(map[*sessionCall][]byte, len(calls))
	flying := map[*sessionCall]bool{culprit: heard}
	for _, c := range calls {
		saved[c] = c.saved
	}
	for {
		for _, c := range calls {
			c.saved = saved[c]
			flying[c] = flying[c] || c.isFlying()
		}
		s.reset()
		clear(s.calls)
		if s.renew(trap); s.broken != nil {
			culprit = nil
			for _, c := range calls {
				s.lose(c, trap, flying[c])
			}
			return
		}
		if culprit != nil {
			s.lose(culprit, trap, flying[culprit])
			calls = slices.DeleteFunc(calls, func(c *sessionCall) bool { return c == culprit })
		}
		if culprit = s.goOn(calls, trap, flying); culprit == nil {
			break
		}
	}
	if s.isSubscribed() {
		s.advance(session.Subscribe{Filter: s.filter, Missed: true}, nil, 0)
	}
}

// reset gives up everything that the core began.
func (s *Session) reset() {
	s.mends++
	for _, p := range s.exchanges {
		s.over(p)
	}
	s.setTimer(0)
	s.kept.own.Forget(s.life, "") // another core does not know whose the private results are
	if t, ok := s.transport.(interface{ reset() }); ok {
		t.reset()
	}
	if s.ordered {
		s.hangUp()
		s.line, s.hangUp = context.WithCancel(s.life)
	}
}

// renew makes another core. What ids the one before used is not known.
func (s *Session) renew(trap error) {
	s.core.Close()
	if _, resets := s.transport.(interface{ reset() }); s.ordered && !resets {
		s.broken = trap // the server is in the middle of a conversation with the one before
		return
	}
	s.shape.FirstID = drawID()
	core, err := s.engine.NewSessionCore(s.shape)
	if err != nil {
		s.broken = errors.Join(trap, err)
		return
	}
	s.core = core
}

// drawID is the first id of a session: nobody else's call began with it, in all
// likelihood.
func drawID() int64 { return 1 + rand.Int64N(1<<20) }

// goOn continues calls in a new core, and returns the one at which that is gone,
// too.
func (s *Session) goOn(calls []*sessionCall, trap error, flying map[*sessionCall]bool) (culprit *sessionCall) {
	for _, c := range calls {
		if c.lost != nil {
			continue
		}
		if c.saved == nil || c.ended {
			s.lose(c, trap, flying[c])
			continue
		}
		number, err := s.core.Restore(c.saved, c.labels)
		if err == nil {
			c.restart(number)
			c.flew = flying[c]
			s.calls[number] = c
			err = s.beginAgain(c, !flying[c], trap)
		}
		switch {
		case err == nil:
		case isUsage(err):
			delete(s.calls, number)
			s.lose(c, trap, flying[c])
		default:
			return c
		}
	}
	return nil
}

// settleDoubt looks whether a call is in doubt by its snapshot. If its leg was
// held back it is not, which the snapshot learns.
//
// What it begins for that is not performed: it has a core of its own.
func (s *Session) settleDoubt(c *sessionCall, flying *bool) {
	core, err := s.engine.NewSessionCore(s.shape)
	if err != nil {
		return
	}
	defer core.Close()
	number, err := core.Restore(c.saved, c.labels)
	if err != nil {
		return
	}
	info, err := core.Info(number)
	if err != nil {
		return
	}
	if *flying || !info.InDoubt {
		*flying = info.InDoubt
		return
	}
	for _, ev := range []engine.Event{engine.Begin{Unsent: true}, engine.Cancel{Unsent: true}} {
		if _, err := core.Step(s.clock.now(), session.To{Call: number, Event: ev}); err != nil {
			return
		}
	}
	snapshot, err := core.Snapshot(number)
	if err != nil {
		return
	}
	c.saved = snapshot
	if info, err := core.Info(number); err == nil {
		*flying = info.InDoubt // by a leg before
	}
}

// beginAgain lets a call go on that had begun. What else it began with was for
// then.
func (s *Session) beginAgain(c *sessionCall, unsent bool, trap error) error {
	if !c.begun {
		return nil
	}
	begin := engine.Begin{Save: c.begin.Save, Watch: c.begin.Watch, Unsent: unsent, Kept: c.kept != nil && bytes.Equal(c.kept, c.saved)}
	actions, err := s.core.Step(s.clock.now(), session.To{Call: c.number, Event: begin})
	for _, a := range actions {
		s.route(a, false, trap)
	}
	return err
}

// restart drops what the driver had not performed yet.
func (c *sessionCall) restart(number int) {
	c.number = number
	c.life++
	c.legs = nil
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turns, c.progress = fifo[turn]{}, 0
}

// isFlying reports whether a leg may have arrived that is not answered. Only the
// last message of an exchange tells that it was.
func (c *sessionCall) isFlying() bool {
	last := len(c.legs) - 1
	if last < 0 {
		return c.flew
	}
	p := c.legs[last]
	if !p.begun {
		return c.flew
	}
	return !p.answered && !p.isRecall()
}

// gone is the end of a call whose core is gone, or that could not be made.
type gone struct{ err error }

// lose ends a call that cannot go on by itself. flying says that a leg of it may
// have arrived; its snapshot knows whether that matters.
func (s *Session) lose(c *sessionCall, trap error, flying bool) {
	if c.ended { // the end is still to be performed
		c.lost = trap
		return
	}
	if c.saved != nil && s.broken == nil {
		s.settleDoubt(c, &flying)
	}
	e := &Error{Detail: "the engine's instance is gone", Cause: trap, InDoubt: flying, Snapshot: c.saved, Resumable: c.saved != nil}
	c.restart(0)
	c.lost = e
	c.put(turn{gone{e}, trap})
}
