package parley

import (
	"context"
	"errors"
	"log/slog"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// driver performs a call's actions, nothing more: what they mean is the
// engine's.
type driver struct {
	ctx  context.Context // the caller's
	call *sessionCall
	way

	logs bool // more than warnings

	// The session's lock, as others perform turns in place of a driver that waits.
	asks    []*question
	follows bool // the answer that is fed has a caller who waits for what follows

	// The memory of what most calls have no more of.
	firstAsks [1]*question
	first     question
}

// way is how a call is driven, whether it begins or goes on.
type way struct {
	begin    engine.Begin
	askers   *Askers
	watchers Watchers
	saver    func(context.Context, []byte) error
	park     <-chan struct{} // until it is closed
	log      *slog.Logger
}

// happened is what came of an asker: an event and, if it failed, why.
type happened struct {
	event engine.Event
	cause error
	ask   int // the question whose asker it was, 0 if none
}

func (d *driver) run() (Outcome, error) {
	next := d.canceled()
	if d.call.idle = !d.isGone(); d.call.idle && d.call.session.outbox.add(errand{open: d.call}) {
		next = d.next()
	}
	switch mine, err := d.call.claim(); {
	case err != nil:
		return Outcome{}, err
	case mine && d.isGone(): // before it began
		return Outcome{}, d.failed(engine.Failed{Code: fault.Canceled, Detail: "the caller gave up", Resumable: true}, d.why())
	case mine:
		d.call.happen(next)
		next = d.begins()
	}
	for {
		err := d.feed(next)
		if err != nil && err != errRestarted {
			return Outcome{}, d.endedBy(err)
		}
		again := err == errRestarted
		for t, ok := d.call.take(); ok; t, ok = d.call.take() {
			switch a := t.action.(type) {
			case engine.Done:
				return Outcome{Result: a.Result, NoStore: a.NoStore, Cached: a.Cached, Next: a.Next, Lacks: a.Lacks}, nil
			case engine.Parked:
				snapshot, err := d.call.snapshot()
				return Outcome{Parked: err == nil, Snapshot: snapshot}, err
			case engine.Failed:
				return Outcome{}, d.failed(a, t.cause)
			case gone:
				return Outcome{}, a.err
			}
			if err := d.perform(t); err != nil && err != errRestarted {
				return Outcome{}, d.endedBy(err)
			}
		}
		if !again { // after what has happened meanwhile, otherwise
			next = d.next()
		}
	}
}

// begins is the first event of the call.
func (d *driver) begins() happened {
	if d.begin == (engine.Begin{}) {
		return happened{event: engine.Begin{}} // which takes no memory as a constant
	}
	return happened{event: d.begin}
}

// endedBy is why a call cannot go on at an error. One whose core is gone says
// more itself.
func (d *driver) endedBy(err error) error {
	for t, ok := d.call.take(); ok; t, ok = d.call.take() {
		if a, ok := t.action.(gone); ok {
			return a.err
		}
	}
	return err
}

// feed tells the call what happened; nothing, if there is only something to
// take.
func (d *driver) feed(h happened) error {
	if h.event == nil {
		return nil
	}
	err := d.call.step(h.event, h.cause)
	if h.ask != 0 && err != errRestarted {
		d.close(h.ask)
	}
	if park, ok := h.event.(engine.Park); ok && park.Ask == 0 && errors.Is(err, fault.NotParkable) {
		return nil // Request.Park, where the call cannot be parked
	}
	return err
}

func (d *driver) failed(a engine.Failed, cause error) error {
	e := &Error{Code: a.Code, Detail: a.Detail.String(), Sentence: a.Detail, Resumable: a.Resumable, InDoubt: d.call.inDoubt(), Response: a.Error, Cause: cause}
	if a.Resumable {
		var err error
		if e.Snapshot, err = d.call.snapshot(); err != nil {
			e.Resumable = false
			e.Cause = errors.Join(e.Cause, err)
		}
	}
	return e
}

// isGone reports whether the caller gave up, or the session was closed.
func (d *driver) isGone() bool { return d.ctx.Err() != nil || d.call.isClosed() }

// why is the cause of that.
func (d *driver) why() error {
	if d.ctx.Err() != nil {
		return context.Cause(d.ctx)
	}
	return ErrSessionClosed
}

// next waits for whatever happens first. What comes together with the end of
// the caller's context is not thrown away, if it is news.
func (d *driver) next() happened {
	for {
		h, ok := d.call.news()
		switch _, refused := h.event.(engine.Refuse); {
		case refused && d.isGone():
			return d.canceled() // an asker that minds its context
		case ok:
			return h
		case d.call.isClosed():
			return d.canceled()
		}
		select {
		case <-d.call.wake:
		case <-d.park:
			d.park = nil
			d.call.busy()
			return happened{event: engine.Park{}}
		case <-d.ctx.Done():
			if h, ok := d.call.answered(); ok {
				return h
			}
			return d.canceled()
		case <-d.call.session.life.Done(): // of a session that was closed before the call was made
			return d.canceled()
		}
	}
}

func (d *driver) canceled() happened {
	return happened{event: engine.Cancel{}, cause: d.why()}
}

func (d *driver) perform(t turn) error {
	switch a := t.action.(type) {
	case *posting:
		if d.isGone() {
			return d.feed(d.canceled())
		}
		d.call.session.perform(a)
	case engine.Save:
		return d.feed(d.save())
	case engine.Ask:
		logAction(d.log, t.action)
		d.call.session.mu.Lock()
		d.put(a)
		d.call.session.mu.Unlock()
	case engine.Withdraw:
		d.close(a.Ask)
	case engine.Wait:
		d.call.session.mu.Lock()
		d.call.session.wake(d.call, a.Until)
		d.call.session.mu.Unlock()
	default:
		observe(func() { logAction(d.log, a) })
		observe(func() { d.watchers.tell(a) })
	}
	return nil
}

// observe calls what must not take anything down with it.
func observe(call func()) {
	defer func() { recover() }()
	call()
}

// end stops whatever still runs.
func (d *driver) end() {
	s := d.call.session
	s.mu.Lock()
	asks := d.asks
	d.asks = nil
	s.mu.Unlock()
	for _, q := range asks {
		q.end(d.ended())
	}
}

// ended is the cause that askers find whose call is over.
func (d *driver) ended() error {
	if d.isGone() {
		return d.why()
	}
	return nil
}
