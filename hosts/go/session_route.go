package parley

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

const (
	// maxOwed is how many messages the server may bring about, such as answers
	// to its pings, before no more of its own are read.
	maxOwed = 256

	maxHooks    = 1024 // calls of hooks that wait, and as many again that are about to be made
	maxProgress = 64   // progress that waits for its call, which is busy saving
)

// posting is an exchange to be performed: a Post, Request, Listen or Delete.
type posting struct {
	number int
	call   int // whose leg it is, 0 if nobody's
	leg    int
	action session.Action
	ctx    context.Context
	cancel context.CancelFunc
	own    bool // neither a call's leg nor a stream of the server's

	// The session's lock.
	owed  bool // the server brought it about
	begun bool // the transport has it
	ended bool
}

func (p *posting) isOver() bool { return p.ended }

// step advances the core and sees to what follows.
func (s *Session) step(ev session.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.advance(ev, nil)
}

// advance is step for who holds the lock. cause is what failed, if the event
// says that something did.
func (s *Session) advance(ev session.Event, cause error) error {
	if s.broken != nil {
		return s.broken
	}
	actions, err := s.core.Step(s.clock.now(), ev)
	if err != nil {
		return s.minded(err)
	}
	_, heard := ev.(session.Message)
	for _, a := range actions {
		s.route(a, heard, cause)
	}
	return nil
}

// minded looks at an error of the core. A usage error is the caller's; any
// other means that the core is gone, and its calls with it.
func (s *Session) minded(err error) error {
	var usage *engine.Error
	if !errors.As(err, &usage) {
		s.broken = err
		for _, c := range s.calls {
			c.cancel(err)
		}
	}
	return err
}

// route hands an action of a call to its driver, which performs it in its own
// time, and performs any other. heard says that the server brought it about.
func (s *Session) route(a session.Action, heard bool, cause error) {
	switch a := a.(type) {
	case session.From:
		s.hand(a.Call, turn{a.Action, cause})
	case session.Progress:
		s.hand(a.Call, turn{a, nil})
	case session.Notification:
		if c := s.calls[a.Call]; c != nil && c.listens {
			c.put(turn{a, nil})
		} else {
			s.tell(a)
		}
	case session.Post:
		s.post(&posting{number: a.Exchange, call: a.Call, leg: a.Leg, action: a}, heard)
	case session.Request:
		s.post(&posting{number: a.Exchange, call: a.Call, leg: a.Leg, action: a}, false)
	case session.Listen:
		s.performAt(a.At, s.hold(&posting{number: a.Exchange, action: a}))
	case session.Delete:
		s.perform(s.hold(&posting{number: a.Exchange, action: a, own: true}))
	case session.Abort:
		if p := s.exchanges[a.Exchange]; p != nil {
			s.over(p)
		}
	case session.Wait:
		s.setTimer(a.Until)
	default:
		s.tell(a)
	}
}

// hand queues something for a call, unless it is over: nobody performs anything
// for it.
func (s *Session) hand(call int, t turn) bool {
	c := s.calls[call]
	if c != nil {
		c.put(t)
	}
	return c != nil
}

// post hands a leg to its call, which may have to save before it goes out, and
// performs any other.
func (s *Session) post(p *posting, heard bool) {
	s.hold(p)
	if p.call != 0 {
		if !s.hand(p.call, turn{p, nil}) {
			s.over(p)
		}
		return
	}
	p.own = true
	if p.owed = heard; heard {
		s.owed++
	}
	s.perform(p)
}

// hold registers an exchange.
func (s *Session) hold(p *posting) *posting {
	if s.ordered {
		p.ctx, p.cancel = s.line, func() {}
	} else {
		p.ctx, p.cancel = context.WithCancel(s.life)
	}
	s.exchanges[p.number] = p
	return p
}

// over forgets an exchange; the transport gives it up if it is under way.
func (s *Session) over(p *posting) {
	p.cancel()
	p.ended = true
	if s.exchanges[p.number] == p {
		delete(s.exchanges, p.number)
	}
	if p.owed {
		p.owed = false
		s.owed--
	}
	s.eased.Broadcast()
}

// perform begins an exchange when those before it have begun.
func (s *Session) perform(p *posting) {
	s.outbox.add(func() {
		s.mu.Lock()
		p.begun = !p.ended && p.ctx.Err() == nil
		s.mu.Unlock()
		if !p.begun {
			return
		}
		var returned atomic.Bool
		report := func(ev session.Event, cause error) { s.report(ev, cause, returned.Load()) }
		defer func() {
			returned.Store(true)
			if r := recover(); r != nil {
				s.report(session.Ended{Exchange: p.number, Reason: "the transport panicked"}, fmt.Errorf("parley: the transport panicked: %v", r), false)
			}
			if s.ordered { // it has no end of its own
				s.mu.Lock()
				s.over(p)
				s.mu.Unlock()
			}
		}()
		s.transport.Perform(p.ctx, p.action, report)
	}, 0)
}

// hungUp takes the end of the connection, once what was being written on it is
// or is not. Of legs that were not begun it is certain that they were not sent;
// none of them is for the next connection.
func (s *Session) hungUp(ev session.Down, cause error) {
	s.hangUp()
	s.outbox.add(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.line, s.hangUp = context.WithCancel(s.life)
		reason := "the server's process ended"
		if ev.Reason != "" {
			reason += ": " + ev.Reason
		}
		for _, number := range slices.Sorted(maps.Keys(s.exchanges)) {
			p := s.exchanges[number]
			if p == nil {
				continue
			}
			s.over(p)
			if p.call != 0 {
				s.advance(session.To{Call: p.call, Event: engine.Lost{Leg: p.leg, Reason: reason, Unsent: true}}, cause) // fails if it is over by now
			}
		}
		s.advance(ev, cause)
	}, 0)
}

func (s *Session) performAt(millis int64, p *posting) {
	wait := s.clock.until(millis)
	if millis == 0 || wait <= 0 {
		s.perform(p)
		return
	}
	timer := time.AfterFunc(wait, func() { s.perform(p) })
	context.AfterFunc(p.ctx, func() { timer.Stop() })
}

// report takes what came of an exchange. What comes of one that is over is
// dropped. mayWait says that no other exchange waits for it to return.
func (s *Session) report(ev session.Event, cause error, mayWait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.heard(ev, cause); err != nil && s.broken == nil {
		s.tell(session.Warning{Text: "the transport: " + err.Error()})
	}
	// Who sends more than can be answered is not read.
	for mayWait && s.owed > maxOwed && s.life.Err() == nil {
		s.eased.Wait()
	}
}

func (s *Session) heard(ev session.Event, cause error) error {
	number, ends := 0, false
	switch e := ev.(type) {
	case session.Message:
		number, ends = e.Exchange, e.Last
	case session.Ended:
		number, ends = e.Exchange, true
	case session.Down:
		if s.ordered {
			s.hungUp(e, cause)
		}
		return nil
	default:
		return nil // the rest is not a transport's to say
	}
	p := s.exchanges[number]
	if p == nil && !s.ordered {
		return nil
	}
	if p != nil && ends {
		s.over(p)
	}
	return s.advance(ev, cause)
}

func (s *Session) setTimer(until int64) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if until != 0 {
		s.timer = time.AfterFunc(s.clock.until(until), func() { s.step(session.Tick{}) })
	}
}
