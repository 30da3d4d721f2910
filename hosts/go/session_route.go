package parley

import (
	"context"
	"errors"
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

// posting is an exchange to be performed: a Post, Listen or Delete.
type posting struct {
	number    int
	call, leg int // whose leg it is, 0 if nobody's
	action    session.Action
	ctx       context.Context
	cancel    context.CancelFunc
	own       bool // neither a call's leg nor a stream of the server's
	owed      bool // the server brought it about
}

// step advances the core and sees to what follows.
func (s *Session) step(ev session.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.advance(ev)
}

// advance is step for who holds the lock.
func (s *Session) advance(ev session.Event) error {
	if s.broken != nil {
		return s.broken
	}
	actions, err := s.core.Step(s.clock.now(), ev)
	if err != nil {
		return s.minded(err)
	}
	s.route(ev, actions)
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

// route hands the actions of a call to its driver, which performs them in its
// own time, and performs the others.
func (s *Session) route(ev session.Event, actions []session.Action) {
	_, heard := ev.(session.Message)
	var touched []*sessionCall
	next := func(call int) *batch {
		c := s.calls[call]
		if c == nil {
			return nil // it is over: nobody performs anything for it
		}
		if c.next == nil {
			c.next = &batch{}
			touched = append(touched, c)
		}
		return c.next
	}
	if s.feeding != nil {
		next(s.feeding.number).event = ev.(session.To).Event // also if nothing follows: an answer is to be saved
	}
	for _, a := range actions {
		switch a := a.(type) {
		case session.From:
			if b := next(a.Call); b != nil {
				b.actions = append(b.actions, a.Action)
			}
		case session.Post:
			p := s.posting(a.Exchange, a)
			if a.Call == 0 {
				if p.owed = heard; heard {
					s.owed++
				}
				s.perform(p)
			} else if b := next(a.Call); b != nil {
				b.actions = append(b.actions, engine.Send{Leg: a.Leg})
				b.posts = append(b.posts, p)
			} else {
				s.over(p)
			}
		case session.Listen:
			s.performAt(a.At, s.posting(a.Exchange, a))
		case session.Delete:
			s.perform(s.posting(a.Exchange, a))
		case session.Abort:
			if p := s.exchanges[a.Exchange]; p != nil {
				s.over(p)
			}
		case session.Progress:
			if c := s.calls[a.Call]; c != nil {
				c.report(&a)
			}
		case session.Wait:
			s.setTimer(a.Until)
		default:
			s.tell(a)
		}
	}
	for _, c := range touched {
		c.put(c.next)
		c.next = nil
	}
}

// posting registers an exchange.
func (s *Session) posting(number int, a session.Action) *posting {
	p := &posting{number: number, action: a}
	switch a := a.(type) {
	case session.Post:
		p.call, p.leg, p.own = a.Call, a.Leg, a.Call == 0
	case session.Delete:
		p.own = true
	}
	if s.ordered {
		p.ctx, p.cancel = s.line, func() {}
	} else {
		p.ctx, p.cancel = context.WithCancel(s.life)
	}
	s.exchanges[number] = p
	return p
}

// over forgets an exchange; the transport gives it up if it is under way.
func (s *Session) over(p *posting) {
	p.cancel()
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
		expected := s.exchanges[p.number] == p && p.ctx.Err() == nil
		if s.ordered {
			delete(s.exchanges, p.number) // it has no end of its own
		}
		s.mu.Unlock()
		var begun atomic.Bool
		report := func(ev session.Event) { s.report(ev, begun.Load()) }
		defer func() {
			begun.Store(true)
			if recover() != nil {
				s.report(session.Ended{Exchange: p.number, Reason: "the transport panicked"}, false)
			}
			if s.ordered {
				s.mu.Lock()
				s.over(p)
				s.mu.Unlock()
			}
		}()
		if expected {
			s.transport.Perform(p.ctx, p.action, report)
		}
	}, 0)
}

// down takes the end of the connection. Of legs that wait to be sent it is
// certain that they were not; none of them is for the next connection.
func (s *Session) down(ev session.Down) error {
	waiting := s.exchanges
	s.exchanges = map[int]*posting{}
	s.hangUp()
	s.line, s.hangUp = context.WithCancel(s.life)
	for _, number := range slices.Sorted(maps.Keys(waiting)) {
		if p := waiting[number]; p.call != 0 {
			s.advance(session.To{Call: p.call, Event: engine.Lost{Leg: p.leg, Reason: ev.Reason, Unsent: true}}) // fails if it is over by now
		}
	}
	return s.advance(ev)
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
func (s *Session) report(ev session.Event, mayWait bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	switch e := ev.(type) {
	case session.Message:
		if !s.ordered && s.exchanges[e.Exchange] == nil {
			return
		}
		if p := s.exchanges[e.Exchange]; p != nil && e.Last {
			s.over(p)
		}
		err = s.advance(ev)
	case session.Ended:
		p := s.exchanges[e.Exchange]
		if p == nil && !s.ordered {
			return
		}
		if p != nil {
			s.over(p)
		}
		err = s.advance(ev)
	case session.Down:
		if !s.ordered {
			return
		}
		err = s.down(e)
	default:
		return // the rest is not a transport's to say
	}
	if err != nil && s.broken == nil {
		s.tell(session.Warning{Text: "the transport: " + err.Error()})
	}
	// Who sends more than can be answered is not read.
	for mayWait && s.owed > maxOwed && s.life.Err() == nil {
		s.eased.Wait()
	}
}

// tell calls a hook, in order with the others and without the lock.
func (s *Session) tell(a session.Action) {
	if s.broken == ErrSessionClosed {
		return
	}
	switch a := a.(type) {
	case session.Ready:
		if s.opts.OnReady != nil {
			s.hooks.add(func() { s.opts.OnReady(a) }, 0)
		}
	case session.Warning:
		if s.opts.OnWarning != nil {
			s.hooks.add(func() { s.opts.OnWarning(a.Text) }, maxHooks)
		}
	case session.Notification:
		if s.opts.OnNotification == nil {
			return
		}
		lost := !s.hooks.add(func() { s.opts.OnNotification(a.Method, a.Params) }, maxHooks)
		if lost && !s.losing && s.opts.OnWarning != nil {
			s.hooks.add(func() { s.opts.OnWarning("notifications are lost, because OnNotification takes too long") }, 0)
		}
		s.losing = lost
	}
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
