package parley

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

const (
	// maxOwed is how many messages the server may bring about, such as answers
	// to its pings, before no more of its own are read.
	maxOwed = 256

	maxHooks    = 1024 // calls of hooks that wait, and as many again that are about to be made
	maxProgress = 64   // progress that waits for its call, which is busy saving
)

// step advances the core and sees to what follows.
func (s *Session) step(ev session.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.advance(ev, nil, 0)
}

// advance is step for who holds the lock. cause is what failed, if the event
// says that something did, and call whose event it is.
func (s *Session) advance(ev session.Event, cause error, call int) error {
	return s.advanceIn(nil, ev, cause, call)
}

// advanceIn is advance with the whole body of a message that came in slices, nil
// for any other event: the core says where in it a result stands.
func (s *Session) advanceIn(body []byte, ev session.Event, cause error, call int) error {
	if s.broken != nil {
		return s.broken
	}
	actions, err := s.core.Step(s.clock.now(), ev)
	if err != nil {
		s.trapped(err, ev, call)
		return err
	}
	if to, ok := ev.(session.To); ok && s.calls[to.Call] != nil {
		s.calls[to.Call].happened(to.Event)
	}
	_, heard := ev.(session.Message)
	for _, a := range actions {
		if from, ok := a.(session.From); ok && body != nil {
			if done, ok := from.Action.(engine.Done); ok {
				a = session.From{Call: from.Call, Action: done.In(body)}
			}
		}
		s.route(a, heard, cause)
	}
	clear(actions)
	return nil
}

// route hands an action of a call to its driver, which performs it in its own
// time, and performs any other. heard says that the server brought it about.
func (s *Session) route(action session.Action, heard bool, cause error) {
	switch a := action.(type) {
	case session.Ready:
		s.shape.Known = a.Version
		s.tell(action)
	case session.From:
		s.hand(a.Call, turn{a.Action, cause})
	case session.Progress:
		s.hand(a.Call, turn{action, nil})
	case session.Notification:
		if c := s.calls[a.Call]; c != nil && c.listens {
			c.put(turn{action, nil})
		} else {
			s.tell(action)
		}
	case session.Post:
		s.post(&posting{number: a.Exchange, call: a.Call, leg: a.Leg, action: action}, heard)
	case session.Request:
		s.post(&posting{number: a.Exchange, call: a.Call, leg: a.Leg, action: action}, false)
	case session.Recall:
		s.post(&posting{number: a.Exchange, call: a.Call, leg: a.Leg, action: action}, false)
	case session.Keep:
		s.kept.keep(a)
	case session.Forget:
		s.kept.forget(a.Prefix)
	case session.Listen:
		s.performAt(a.At, s.hold(&posting{number: a.Exchange, action: action}))
	case session.Delete:
		s.bid(s.hold(&posting{number: a.Exchange, action: action, own: true}))
	case session.Abort:
		if p := s.exchanges[a.Exchange]; p != nil {
			s.over(p)
		}
	case session.Wait:
		s.setTimer(a.Until)
	default:
		s.tell(action)
	}
}

// hand queues something for a call, unless it is over: nobody performs anything
// for it.
func (s *Session) hand(call int, t turn) bool {
	c := s.calls[call]
	if c != nil {
		switch t.action.(type) {
		case engine.Wait, session.Progress:
		default:
			c.saved = nil
		}
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
	switch p.session = s; {
	case s.ordered && !p.isRecall():
		p.line = s.line
	case s.life.Err() != nil:
		p.life.end()
	}
	s.exchanges[p.number] = p
	return p
}

// bid begins a Delete once the server has answered what it was told before, such
// as that a task is canceled: a session that is over has nothing to cancel any
// more. It does not wait for long.
func (s *Session) bid(p *posting) {
	var words []*posting
	for _, w := range s.exchanges {
		if _, isPost := w.action.(session.Post); isPost && w.own {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		s.perform(p)
		return
	}
	late := time.AfterFunc(closeTime/2, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		words = nil
		s.eased.Broadcast()
	})
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer late.Stop()
		for slices.ContainsFunc(words, func(w *posting) bool { return !w.isOver() }) {
			s.eased.Wait()
		}
		s.perform(p)
	}()
}

// over forgets an exchange; the transport gives it up if it is under way.
func (s *Session) over(p *posting) {
	p.life.end()
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
	if a, ok := p.action.(session.Recall); ok {
		s.recall(p, a)
		return
	}
	s.outbox.add(errand{begin: p})
}

// hungUp takes the end of the connection, once what was being written on it is
// or is not. Of legs that were not begun it is certain that they were not sent;
// none of them is for the next connection.
func (s *Session) hungUp(ev session.Down, cause error) {
	s.hangUp()
	s.hanging++
	s.outbox.add(errand{do: func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.eased.Broadcast()
		s.hanging--
		s.line, s.hangUp = context.WithCancel(s.life)
		var reason sentence.Text = "the server's process ended"
		if ev.Reason != "" {
			reason = sentence.Join(reason, ev.Reason)
		}
		for _, number := range slices.Sorted(maps.Keys(s.exchanges)) {
			p := s.exchanges[number]
			if p == nil || p.isRecall() {
				continue
			}
			s.over(p)
			if p.call != 0 {
				s.advance(session.To{Call: p.call, Event: engine.Lost{Leg: p.leg, Reason: reason, Unsent: true}}, cause, p.call) // fails if it is over by now
			}
		}
		s.advance(ev, cause, 0)
	}})
}

func (s *Session) performAt(millis int64, p *posting) {
	wait := s.clock.until(millis)
	if millis == 0 || wait <= 0 {
		s.perform(p)
		return
	}
	timer := time.AfterFunc(wait, func() { s.perform(p) })
	context.AfterFunc(p.context(), func() { timer.Stop() })
}

// report takes what came of an exchange. What comes of one that is over is
// dropped, and so is what a core began that is gone. mayWait says that no other
// exchange waits for it to return.
func (s *Session) report(ev session.Event, cause error, mayWait bool, mends int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mends != s.mends {
		return
	}
	if err := s.heard(ev, cause); err != nil && isUsage(err) {
		s.tell(session.Warning{Text: sentence.Say("the transport: {0}", said(err))})
	}
	// Who sends more than can be answered is not read. Who tells that the connection
	// ended goes on when the session has taken that.
	for mayWait && (s.owed > maxOwed || s.hanging > 0) && s.life.Err() == nil {
		s.eased.Wait()
	}
}

func (s *Session) heard(ev session.Event, cause error) error {
	number, ends, unsent := 0, false, false
	switch e := ev.(type) {
	case session.Opened:
		number = e.Exchange
	case session.Message:
		number, ends = e.Exchange, e.Last
	case session.Ended:
		number, ends, unsent = e.Exchange, true, e.Unsent
	case session.Down:
		if s.ordered {
			s.hungUp(e, cause)
		}
		return nil
	default:
		return nil // the rest is not a transport's to say
	}
	for s.sliced[number] { // by another goroutine: it is before this
		s.eased.Wait()
	}
	p := s.exchanges[number]
	if p == nil && !s.ordered {
		return nil
	}
	call := 0
	if p != nil {
		call = p.call
	}
	var body []byte
	if m, ok := ev.(session.Message); ok && len(m.Body) > maxSlice {
		body = m.Body
		if ev, ok = s.feed(p, m, call); !ok {
			return nil
		}
	}
	if p == nil || !ends {
		return s.advanceIn(body, ev, cause, call)
	}
	s.over(p)
	c := s.calls[call]
	s.bringing = p
	err := s.advanceIn(body, ev, cause, call)
	s.bringing = nil
	_, isMessage := ev.(session.Message)
	// At the end of its call the core knows, and should that be gone, nobody does.
	p.answered = err == nil && (unsent || isMessage && (c == nil || !c.ended))
	return err
}

// maxSlice is how much of a message is fed at once: nobody waits longer for the
// session's lock than that takes.
const maxSlice = 256 << 10

// feed feeds all slices of a message but the last one, which it returns. Between
// them others have the lock. It stops where nobody waits for the exchange any
// more.
func (s *Session) feed(p *posting, m session.Message, call int) (last session.Message, goesOn bool) {
	mends := s.mends
	s.sliced[m.Exchange] = true
	defer func() {
		delete(s.sliced, m.Exchange)
		s.eased.Broadcast()
	}()
	for len(m.Body) > maxSlice {
		if s.advance(session.Part{Exchange: m.Exchange, Body: m.Body[:maxSlice]}, nil, call) != nil {
			return m, false
		}
		m.Body = m.Body[maxSlice:]
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
		if s.mends != mends { // it was another core's
			return m, false
		}
		if p != nil && p.isOver() && (!s.ordered || p.isRecall()) {
			s.advance(session.Ended{Exchange: m.Exchange}, nil, 0) // so that the core forgets what it has
			return m, false
		}
	}
	return m, true
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
