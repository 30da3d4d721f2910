package parley

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/sentence"
)

// exchange is a Post, Request, Recall, Listen or Delete to be performed. The session's
// lock guards it.
type exchange struct {
	machine *machine
	number  int
	call    *call // of its leg, nil if it is no leg
	action  session.Action
	own     bool // neither a call's leg nor a stream of the server's
	owed    bool // the server brought it about

	ctx    context.Context
	cancel context.CancelFunc // nil over one connection, which the exchange ends with
	begun  bool               // the transport has it
	done   atomic.Bool        // and has returned from Perform
	isOver bool
}

// isRecall reports whether it is not for the transport.
func (x *exchange) isRecall() bool {
	_, ok := x.action.(session.Recall)
	return ok
}

// hold registers an exchange.
func (m *machine) hold(s *Session, x *exchange) *exchange {
	x.machine = m
	if s.isOrdered() && !x.isRecall() {
		x.ctx = m.line
	} else {
		x.ctx, x.cancel = context.WithCancel(context.Background())
	}
	if x.owed {
		m.owed++
	}
	m.exchanges[x.number] = x
	if c := x.call; c != nil {
		c.legs = append(slices.DeleteFunc(c.legs, func(x *exchange) bool { return x.isOver }), x)
	}
	return x
}

// drop takes back an exchange that has not begun, and returns its end; nil if there is
// none.
func (m *machine) drop(number int) *session.Ended {
	x := m.exchanges[number]
	if x == nil || x.begun {
		return nil
	}
	x.finish()
	return &session.Ended{Exchange: number, Unsent: true}
}

// over forgets an exchange; the transport gives it up if it is under way.
func (s *Session) over(x *exchange) {
	x.finish()
	s.eased.Broadcast()
}

func (x *exchange) finish() {
	m := x.machine
	x.isOver, x.call = true, nil
	if x.cancel != nil {
		x.cancel()
	}
	if m.exchanges[x.number] == x {
		delete(m.exchanges, x.number)
	}
	if x.owed {
		x.owed = false
		m.owed--
	}
}

// begin has an exchange performed when those before it have begun. A leg goes through the
// goroutine of its call, after what its watchers are told first.
func (s *Session) begin(x *exchange) {
	if x.call != nil {
		x.call.put(news{action: x})
	} else {
		s.sends.add(errand{send: x})
	}
}

// beginAt begins an exchange at a time, in Unix milliseconds; 0 is at once.
func (s *Session) beginAt(millis int64, x *exchange) {
	wait := s.clock.until(millis)
	if millis == 0 || wait <= 0 {
		s.begin(x)
		return
	}
	timer := time.AfterFunc(wait, func() { s.begin(x) })
	context.AfterFunc(x.ctx, func() { timer.Stop() })
}

// beginLast begins a Delete once the server has answered what it was told before, such as
// that a task is canceled: a session that is over has nothing to cancel any more. It does
// not wait for long.
func (s *Session) beginLast(m *machine, x *exchange) {
	var before []*exchange
	for _, other := range m.exchanges {
		if _, isPost := other.action.(session.Post); isPost && other.own {
			before = append(before, other)
		}
	}
	late := time.AfterFunc(closeTime/2, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		before = nil
		s.eased.Broadcast()
	})
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer late.Stop()
		for slices.ContainsFunc(before, func(other *exchange) bool { return !other.isOver }) {
			s.eased.Wait()
		}
		s.begin(x)
	}()
}

// send has the transport perform an exchange, unless it is not wanted any more.
func (s *Session) send(x *exchange) {
	if !s.starts(x) {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			s.report(x.machine, session.Ended{Exchange: x.number, Reason: "the transport panicked"}, fmt.Errorf("parley: the transport panicked: %v", r), false)
		}
		x.done.Store(true)
		if s.isOrdered() { // it has no end of its own
			s.mu.Lock()
			defer s.mu.Unlock()
			s.over(x)
		}
	}()
	s.transport.Perform(x.ctx, x.action, func(ev session.Event, cause error) { s.report(x.machine, ev, cause, x.done.Load()) })
}

// starts reports whether an exchange is wanted still. From now on it may have been
// performed.
func (s *Session) starts(x *exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x.begun = !x.isOver && x.ctx.Err() == nil
	if x.begun && x.call != nil && !x.isRecall() {
		x.call.performed = true
	}
	return x.begun
}

// hungUp takes the end of the connection, once what was being written on it is or is not.
// Exchanges that were not begun were not sent, and are not for the next connection.
func (s *Session) hungUp(m *machine, ev session.Down, cause error) {
	m.hangUp()
	m.hanging++
	s.sends.add(errand{do: func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer s.eased.Broadcast()
		if m.hanging--; s.machine != m {
			return
		}
		m.line, m.hangUp = context.WithCancel(context.Background())
		var reason sentence.Text = "the server's process ended"
		if ev.Reason != "" {
			reason = sentence.Join(reason, ev.Reason)
		}
		for _, number := range slices.Sorted(maps.Keys(m.exchanges)) {
			x := m.exchanges[number]
			if x == nil || x.isRecall() {
				continue
			}
			if s.over(x); s.advance(m, session.Ended{Exchange: number, Reason: reason, Unsent: true}, nil, cause) != nil {
				return
			}
		}
		s.advance(m, ev, nil, cause)
	}})
}
