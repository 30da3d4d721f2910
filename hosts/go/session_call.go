package parley

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// sessionCall is a call of a session. Its driver takes what the session's Steps
// had for it out of a queue, whoever made them, and what else has happened.
type sessionCall struct {
	session *Session
	driver  *driver
	begin   engine.Begin
	opening opening
	listens bool                    // it has an OnNotification of its own
	cancel  context.CancelCauseFunc // of its context, nil if that is the caller's

	// The session's lock.
	claimed bool // somebody opens it, or has
	opened  bool
	number  int  // another one in a core that replaced one
	ended   bool // Done, Parked or Failed has come
	mendable
	legs  []*posting // whose exchanges may not have ended, and the last one
	alarm *alarm     // nil before it waits for a time
	due   int64      // when it is to be woken

	wake     chan struct{} // holds a sign when something has come
	mu       sync.Mutex
	turns    fifo[turn]
	progress int // how many of turns the server can make many
	events   fifo[happened]
	ticked   bool
	closed   bool // the session is
	idle     bool // its driver waits for a sign

	// The memory of what most calls have no more of.
	firstLegs   [1]*posting
	firstTurns  [2]turn
	firstEvents [1]happened
}

// opening is what makes a call: a request, or a snapshot.
type opening struct {
	resumes bool
	method  string
	text    []byte // params or a snapshot
	options engine.Options
	expect  engine.Expect
}

func (o *opening) in(core SessionCore) (call int, err error) {
	if o.resumes {
		return core.Restore(o.text, o.expect)
	}
	return core.Call(o.method, o.text, o.options)
}

// drive runs a driver on a call. labels are those of its snapshots.
func (s *Session) drive(ctx context.Context, w way, labels engine.Expect, o opening) (out Outcome, err error) {
	w.begin.Save = w.saver != nil
	w.begin.Watch = w.watchers.OnLeg != nil || w.watchers.OnPause != nil || isLogged(w.log)
	run := &struct { // all that a call needs, in one piece
		call   sessionCall
		driver driver
	}{call: sessionCall{session: s, begin: w.begin, opening: o, listens: w.watchers.OnNotification != nil, wake: make(chan struct{}, 1)}}
	c, d := &run.call, &run.driver
	c.driver = d
	c.labels = labels
	if o.resumes {
		c.saved = o.text
	}
	c.legs, c.turns.list, c.events.list = c.firstLegs[:0], c.firstTurns[:0], c.firstEvents[:0]
	if w.saver != nil { // what it does is to end with the session
		ctx, c.cancel = context.WithCancelCause(ctx)
		defer c.cancel(nil)
	}
	d.ctx, d.call, d.way, d.logs = ctx, c, w, isLogged(w.log)
	d.asks = d.firstAsks[:0]
	defer func() {
		if c.opened {
			logEnd(d.log, out, err)
		}
	}()
	defer c.free()
	defer d.end()
	return d.run()
}

// openAhead makes the call and begins it, in place of its driver and in a goroutine
// whose stack has grown to what the engine needs, unless its caller has given up.
// What fails of the beginning the driver does again, and sees why.
func (c *sessionCall) openAhead() {
	s, d := c.session, c.driver
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.claimed || d.ctx.Err() != nil {
		return
	}
	c.claimed = true
	if err := c.open(); err != nil {
		c.put(turn{gone{err}, nil})
		return
	}
	begins := d.begins()
	d.follows = true
	err := c.advance(begins.event, nil)
	d.follows = false
	if err != nil {
		c.happen(begins)
	}
}

// claim makes the call if nobody has begun to. It reports whether it did.
func (c *sessionCall) claim() (mine bool, err error) {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if c.claimed {
		return false, nil
	}
	c.claimed = true
	return true, c.open()
}

// open makes the call. The session's lock is held.
func (c *sessionCall) open() (err error) {
	s := c.session
	if err := s.usable(); err != nil {
		return err
	}
	if c.number, err = c.opening.in(s.core); err != nil && s.trapped(err, nil, 0) {
		c.number, err = c.opening.in(s.core)
	}
	if err != nil {
		s.trapped(err, nil, 0)
		return err
	}
	if c.saved != nil {
		info, err := s.core.Info(c.number)
		if err != nil {
			s.trapped(err, nil, 0)
			return err
		}
		c.flew = info.InDoubt
	}
	s.calls[c.number] = c
	s.running.Add(1)
	c.opened, c.opening = true, opening{} // a call may wait long, and need not hold its snapshot
	if d := c.driver; d.logs {
		d.log = d.log.With("call", c.number)
	}
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
	err := c.advance(ev, cause)
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

// advance is step for who holds the session's lock and has looked.
func (c *sessionCall) advance(ev engine.Event, cause error) error {
	return c.session.advance(session.To{Call: c.number, Event: ev}, cause, c.number)
}

// canceled says that the caller gave up. A leg that is not begun by now never is.
func (c *sessionCall) canceled() engine.Event {
	last := len(c.legs) - 1
	return engine.Cancel{Unsent: last >= 0 && !c.legs[last].begun}
}

// inDoubt reports whether a tool may or may not have been called. Where nobody
// knows any more it may have been, if a leg may have arrived.
func (c *sessionCall) inDoubt() bool {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	flying := c.isFlying()
	if c.lost != nil || s.broken != nil {
		return flying
	}
	info, err := s.core.Info(c.number)
	if err != nil {
		s.trapped(err, nil, c.number)
		return flying
	}
	return info.InDoubt
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
	if !c.opened {
		return
	}
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
	s.unwake(c)
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
