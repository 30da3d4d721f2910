package parley

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// isUsage reports whether an error of a core is the caller's mistake. After any other the
// core is gone.
func isUsage(err error) bool {
	var usage *engine.Error
	return errors.As(err, &usage)
}

// use returns the machine at hand, or makes one.
func (s *Session) use() (*machine, error) {
	switch {
	case s.closed && s.machine == nil:
		return nil, ErrSessionClosed
	case s.broken != nil:
		return nil, s.broken
	case s.machine != nil:
		return s.machine, nil
	}
	core, err := s.engine.NewSessionCore(s.shape)
	if err != nil {
		return nil, err
	}
	s.machine = newMachine(core)
	return s.machine, nil
}

func newMachine(core SessionCore) *machine {
	m := &machine{core: core, calls: map[int]*call{}, exchanges: map[int]*exchange{}, sliced: map[int]bool{}}
	m.line, m.hangUp = context.WithCancel(context.Background())
	return m
}

// drawID is the first id of a session: in all likelihood no other session's call began
// with it.
func drawID() int64 { return 1 + rand.Int64N(1<<20) }

// trapped looks at an error of a core. If that is no mistake of the caller's, nothing in
// the core can be trusted any more: its calls fail, each with the snapshot that was saved
// last. The session makes another core when it is next used.
func (s *Session) trapped(m *machine, err error) {
	if isUsage(err) || s.machine != m {
		return
	}
	s.machine = nil
	for _, c := range m.calls {
		c.fail(err)
	}
	if m.isSubscribed {
		s.tell(session.Subscribed{Reason: said(err), Over: true})
	}
	s.results.own.Forget(context.Background(), "") // another core does not know whose the private results are
	m.finish()
	s.shape.FirstID = drawID() // which ids the one before used is not known
	if t, ok := s.transport.(interface{ reset() }); ok {
		t.reset()
	} else if s.isOrdered() {
		s.broken = err // the server is in the middle of a conversation with the core before
	}
	s.eased.Broadcast()
}

// end ends the contexts of all that the core has begun.
func (m *machine) end() {
	m.ended = true
	m.hangUp()
	for _, x := range m.exchanges {
		if x.cancel != nil {
			x.cancel()
		}
	}
}

// finish ends all that the core has begun, and the core.
func (m *machine) finish() {
	m.end()
	for _, x := range m.exchanges {
		x.finish()
	}
	if m.timer != nil {
		m.timer.Stop()
	}
	m.core.Close()
}

// fail ends a call because of a trap: with the snapshot that was saved last, whose doubt is
// its own, or without one if the call does not save.
func (c *call) fail(trap error) {
	if c.ended {
		return
	}
	e := &Error{Code: fault.Instance, Detail: "no snapshot of it was saved", Cause: trap, InDoubt: c.performed && (c.method == "tools/call" || c.method == "")}
	if info, err := engine.SnapshotInfo(c.saved); err == nil {
		e.InDoubt = info.InDoubt || c.saver == nil && c.performed && info.Method == "tools/call"
		if c.saver != nil {
			e.Detail, e.Snapshot, e.Resumable = "resume it from the snapshot that was saved last", c.saved, true
		}
	}
	c.put(news{action: ending{err: e}})
}
