package parley

import (
	"context"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// sessionCall is a call of a session. Its driver takes what the session's
// Steps had for it out of a box, whoever made them.
type sessionCall struct {
	session *Session
	number  int
	cancel  context.CancelCauseFunc
	next    *batch // of the Step being routed; the session's lock
	ended   bool   // Done, Parked or Failed has come; the session's lock

	posted []*posting // the driver's
	taken  *batch     // the driver's: the last one
	left   []*posting // the driver's: of those before it, what it did not perform

	wake     chan struct{} // holds a sign when the box was filled from elsewhere
	mu       sync.Mutex
	box      []*batch
	progress int // how many of box
}

func (c *sessionCall) step(ev engine.Event) error {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	s.feeding = c
	defer func() { s.feeding = nil }()
	return s.advance(session.To{Call: c.number, Event: ev})
}

func (c *sessionCall) put(b *batch) {
	for _, a := range b.actions {
		switch a.(type) {
		case engine.Done, engine.Parked, engine.Failed:
			c.ended = true
		}
	}
	c.mu.Lock()
	c.box = append(c.box, b)
	c.mu.Unlock()
	if b.event != nil {
		return // the driver is about to look
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// report puts progress into the box, unless the driver is too busy to see it.
func (c *sessionCall) report(p *session.Progress) {
	c.mu.Lock()
	busy := c.progress >= maxProgress
	if !busy {
		c.progress++
	}
	c.mu.Unlock()
	if !busy {
		c.put(&batch{progress: p})
	}
}

func (c *sessionCall) take() *batch {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.box) == 0 {
		return nil
	}
	b := c.box[0]
	if c.taken != nil {
		c.left = append(c.left, c.taken.posts...)
	}
	c.taken = b
	c.box[0] = nil
	if c.box = c.box[1:]; len(c.box) == 0 {
		c.box = nil
	}
	if b.progress != nil {
		c.progress--
	}
	return b
}

func (c *sessionCall) woken() <-chan struct{} { return c.wake }

func (c *sessionCall) send(_ *driver, b *batch, _ engine.Send) {
	p := b.posts[0]
	b.posts = b.posts[1:]
	c.posted = append(c.posted, p)
	c.session.perform(p)
}

func (c *sessionCall) abandon() {} // the session's Abort does

func (c *sessionCall) tell(*driver, engine.Tell) {} // the session posts it

func (c *sessionCall) snapshot() ([]byte, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	snapshot, err := s.core.Snapshot(c.number)
	if err != nil {
		return nil, s.minded(err)
	}
	return snapshot, nil
}

// free lets go of the call. One whose driver gave it up is canceled first, so
// that nothing of it stays on the wire.
func (c *sessionCall) free() {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.ended {
		s.advance(session.To{Call: c.number, Event: engine.Cancel{}})
	}
	delete(s.calls, c.number)
	for _, p := range c.left {
		s.over(p)
	}
	if c.taken != nil { // what it did not perform, because it could not save, say
		c.box = append(c.box, c.taken)
	}
	for _, b := range c.box {
		for _, p := range b.posts {
			s.over(p)
		}
	}
	for _, p := range c.posted {
		if s.exchanges[p.number] == p { // usually the end of its stream is on its way
			time.AfterFunc(lingering, func() { s.forget(p) })
		}
	}
	s.core.Free(c.number)
	s.running.Done()
}

// lingering is how long a server may keep the response to a leg open after its
// call is over.
const lingering = 2 * time.Second

// forget gives up an exchange that nobody waits for.
func (s *Session) forget(p *posting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exchanges[p.number] == p {
		s.over(p)
	}
}
