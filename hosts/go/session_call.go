package parley

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// sessionCall is a call of a session. Its driver takes what the session's Steps
// had for it out of a queue, whoever made them.
type sessionCall struct {
	session *Session
	begin   engine.Begin
	listens bool // it has an OnNotification of its own
	cancel  context.CancelCauseFunc

	// The session's lock.
	number int  // another one in a core that replaced one
	ended  bool // Done, Parked or Failed has come
	mendable
	legs []*posting // whose exchanges may not have ended, and the last one

	wake     chan struct{} // holds a sign when something was queued
	mu       sync.Mutex
	queue    []turn
	progress int // how much of queue the server can make long
}

// turn is what a driver performs next: an action of its call, or a [*posting].
type turn struct {
	action any
	cause  error // what failed, where the action says that something did
}

// most is how much like it may be queued, 0 for no bound.
func (t turn) most() int {
	switch t.action.(type) {
	case session.Progress:
		return maxProgress
	case session.Notification:
		return maxHooks
	}
	return 0
}

// drive runs a driver on a call. saved is the snapshot that it comes from, if it
// does, and labels are those of its snapshots.
func (s *Session) drive(ctx context.Context, w way, labels engine.Expect, saved []byte, open func() (int, error)) (out Outcome, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.begin.Save = w.saver != nil
	w.begin.Watch = w.watchers.OnLeg != nil || w.watchers.OnPause != nil || isLogged(w.log)
	c := &sessionCall{session: s, begin: w.begin, listens: w.watchers.OnNotification != nil, cancel: cancel, wake: make(chan struct{}, 1)}
	c.mendable = mendable{labels: labels, saved: saved}
	err = s.open(c, open)
	if err != nil {
		return Outcome{}, err
	}
	defer c.free()
	if isLogged(w.log) {
		w.log = w.log.With("call", c.number)
	}
	defer func() { logEnd(w.log, out, err) }()
	d := newDriver(ctx, c, w)
	defer d.end()
	return d.run()
}

// open makes a call.
func (s *Session) open(c *sessionCall, open func() (int, error)) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	if c.number, err = open(); err != nil && s.trapped(err, nil, 0) {
		c.number, err = open()
	}
	if err != nil {
		s.trapped(err, nil, 0)
		return err
	}
	s.calls[c.number] = c
	s.running.Add(1)
	return nil
}

// step feeds an event of the driver.
func (c *sessionCall) step(ev engine.Event, cause error) error {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.lost != nil {
		return c.lost
	}
	switch ev.(type) {
	case engine.Cancel:
		ev = c.canceled()
	case engine.Saved, engine.SaveFailed:
		if c.saving != c.life { // what was saved was for a core that is gone
			return nil
		}
	}
	err := s.advance(session.To{Call: c.number, Event: ev}, cause, c.number)
	if a, ok := ev.(engine.Answer); ok && err == nil && a.Ask < 0 { // who signed in
		if info, err := s.core.Info(c.number); err == nil {
			c.labels.Principal = info.Principal
		}
	}
	if err == ErrInstance && c.lost == nil && s.broken == nil {
		return errRestarted
	}
	return err
}

// canceled says that the caller gave up. A leg that is not begun by now never is.
func (c *sessionCall) canceled() engine.Event {
	last := len(c.legs) - 1
	return engine.Cancel{Unsent: last >= 0 && !c.legs[last].begun}
}

// put queues what the driver is to perform.
func (c *sessionCall) put(t turn) {
	c.ended = c.ended || ends(t.action)
	if p, ok := t.action.(*posting); ok {
		c.legs = append(slices.DeleteFunc(c.legs, (*posting).isOver), p)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if most := t.most(); most > 0 {
		if c.progress >= most { // the driver is too busy to see it
			return
		}
		c.progress++
	}
	c.queue = append(c.queue, t)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take returns what is to be performed next.
func (c *sessionCall) take() (turn, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		select {
		case <-c.wake: // there is nothing to look for
		default:
		}
		return turn{}, false
	}
	t := c.queue[0]
	c.queue[0] = turn{}
	if c.queue = c.queue[1:]; len(c.queue) == 0 {
		c.queue = nil
	}
	if t.most() > 0 {
		c.progress--
	}
	return t, true
}

// forgo drops what was to be performed, but for the end of the call, if that has
// come meanwhile.
func (c *sessionCall) forgo() {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if c.saving != c.life {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress = 0
	c.queue = slices.DeleteFunc(c.queue, func(t turn) bool { return !ends(t.action) })
}

// ends reports whether nothing follows an action.
func ends(action any) bool {
	switch action.(type) {
	case engine.Done, engine.Parked, engine.Failed, gone:
		return true
	}
	return false
}

// inDoubt reports whether a tool may or may not have been called.
func (c *sessionCall) inDoubt() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := s.core.Info(c.number)
	return err == nil && info.InDoubt
}

func (c *sessionCall) snapshot() ([]byte, error) {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case c.lost != nil:
		return nil, c.lost
	case s.broken != nil:
		return nil, s.broken
	}
	snapshot, err := s.core.Snapshot(c.number)
	if err != nil {
		s.trapped(err, nil, c.number)
		return nil, err
	}
	c.took(snapshot)
	return snapshot, nil
}

// toSave is the snapshot to be saved.
func (c *sessionCall) toSave() ([]byte, error) {
	c.session.mu.Lock()
	c.saving = c.life
	c.session.mu.Unlock()
	return c.snapshot()
}

// keeps notes that Save has kept a snapshot.
func (c *sessionCall) keeps(snapshot []byte) {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if bytes.Equal(c.saved, snapshot) {
		c.kept = c.saved
	}
}

// free lets go of the call. One whose driver gave it up is canceled first, so
// that nothing of it stays on the wire.
func (c *sessionCall) free() {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if !c.ended && c.lost == nil {
		s.advance(session.To{Call: c.number, Event: c.canceled()}, nil, c.number)
	}
	if c.lost == nil {
		delete(s.calls, c.number)
	}
	for _, p := range c.legs {
		switch {
		case p.isOver(), p.begun && s.ordered && !p.isRecall(): // over as soon as it is written
		case p.begun: // usually the end of its stream is on its way
			time.AfterFunc(lingering, func() { s.forget(p) })
		default:
			s.over(p)
		}
	}
	if c.lost == nil {
		s.core.Free(c.number)
	}
	s.running.Done()
}

// lingering is how long a server may keep the response to a leg open after its
// call is over.
const lingering = 2 * time.Second

// forget gives up an exchange that nobody waits for.
func (s *Session) forget(p *posting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !p.isOver() {
		s.over(p)
	}
}
