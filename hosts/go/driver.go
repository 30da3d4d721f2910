package parley

import (
	"context"
	"errors"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// driver performs actions, nothing more: what they mean is the engine's.
type driver struct {
	ctx  context.Context // the caller's
	call driven
	cb   Callbacks

	clock  clock
	timer  *time.Timer
	park   <-chan struct{} // Callbacks.Park until it is closed
	events chan returned
	over   chan struct{} // closed when Run returns, so that no callback blocks on events
	asks   []question
	first  [1]question // the memory of asks while there is one at a time
	cause  error       // what the last failed callback said
}

// driven is what a driver drives: a flow with a Send callback of its own, or a
// call of a session.
type driven interface {
	// step feeds an event. What follows from it comes out of take.
	step(ev engine.Event) error

	// take returns what is to be performed next, nil where there is nothing.
	take() *batch

	// woken gives a sign when there may be something to take although no
	// event was fed. It may be nil.
	woken() <-chan struct{}

	// send performs the batch's next leg and abandon gives up the one in
	// flight.
	send(d *driver, b *batch, a engine.Send)
	abandon()

	// tell sends what nobody waits for.
	tell(d *driver, a engine.Tell)

	snapshot() ([]byte, error)
}

// batch is what one Step had for a call.
type batch struct {
	event   engine.Event // what the driver fed; nil if it happened elsewhere
	actions []engine.Action

	// Of a call of a session: what stands behind each Send, and progress.
	posts    []*posting
	progress *session.Progress
}

// returned is what came back from a callback: an event and, if it failed, why.
type returned struct {
	event    engine.Event
	cause    error
	ask      int // the question it came from
	progress []byte
}

func newDriver(ctx context.Context, call driven, cb Callbacks, clock clock) *driver {
	d := &driver{ctx: ctx, call: call, cb: cb, clock: clock, park: cb.Park, events: make(chan returned), over: make(chan struct{})}
	d.asks = d.first[:0]
	return d
}

func (d *driver) run(begin engine.Event) (Outcome, error) {
	last := returned{event: begin}
	for {
		if last.event != nil {
			err := d.call.step(last.event)
			if err != nil {
				if last, err = d.unusable(last, err); err != nil {
					return Outcome{}, err
				}
				continue
			}
			if answer, ok := last.event.(engine.Answer); ok {
				d.close(answer.Ask)
			}
		}
		for b := d.call.take(); b != nil; b = d.call.take() {
			if out, over, err := d.performAll(b); over {
				return out, err
			}
		}
		last = d.next()
	}
}

// performAll performs a batch, after saving what would be lost without it, and
// reports whether the call is over.
func (d *driver) performAll(b *batch) (out Outcome, over bool, err error) {
	if b.progress != nil {
		d.progress(b.progress.Leg, b.progress.Params)
	}
	if err := d.save(b); err != nil {
		detail := "the call could not be saved"
		if d.ctx.Err() != nil {
			detail = "the caller gave up"
		}
		return out, true, d.unsend(b.actions, detail, err)
	}
	if d.ctx.Err() != nil && sends(b.actions) {
		return out, true, d.unsend(b.actions, "the caller gave up", context.Cause(d.ctx))
	}
	for _, a := range b.actions {
		switch a := a.(type) {
		case engine.Done:
			return Outcome{Result: a.Result, NoStore: a.NoStore}, true, nil
		case engine.Parked:
			snapshot, err := d.call.snapshot()
			return Outcome{Parked: err == nil, Snapshot: snapshot}, true, err
		case engine.Failed:
			if b.event == nil { // no callback has to do with it
				d.cause = nil
			}
			return out, true, d.failed(a)
		case engine.Send:
			d.call.send(d, b, a)
		case engine.Abandon:
			d.call.abandon()
		case engine.Tell:
			d.call.tell(d, a)
		default:
			d.perform(a)
		}
	}
	return out, false, nil
}

func (d *driver) failed(a engine.Failed) error {
	e := &Error{Code: a.Code, Detail: a.Detail, Resumable: a.Resumable, Response: a.Error, Cause: d.cause}
	if a.Resumable {
		var err error
		if e.Snapshot, err = d.call.snapshot(); err != nil {
			e.Resumable = false
			e.Cause = errors.Join(e.Cause, err)
		}
	}
	return e
}

// next waits for whatever happens first; it is no event of the driver's if
// there is something to take.
func (d *driver) next() returned {
	var tick <-chan time.Time
	if d.timer != nil {
		tick = d.timer.C
	}
	select {
	case r := <-d.events:
		d.cause = r.cause
		switch r.event.(type) {
		case engine.Lost, engine.Refuse:
			if d.ctx.Err() != nil { // a callback that minds its context comes back with no news
				return d.canceled()
			}
		}
		switch ev := r.event.(type) {
		case engine.Progress:
			d.progress(ev.Leg, r.progress)
		case engine.Refuse:
			d.close(ev.Ask)
		}
		return r
	case <-d.call.woken():
		return returned{}
	case <-tick:
		d.cause = nil
		return returned{event: engine.Tick{}}
	case <-d.park:
		d.cause, d.park = nil, nil
		return returned{event: engine.Park{}}
	case <-d.ctx.Done():
		select {
		case r := <-d.events: // what comes together with it is not thrown away
			switch r.event.(type) {
			case engine.Answer, engine.Response:
				d.cause = nil
				return r
			}
		default:
		}
		return d.canceled()
	}
}

func (d *driver) canceled() returned {
	d.cause = context.Cause(d.ctx)
	return returned{event: engine.Cancel{}}
}

func (d *driver) progress(leg int, params []byte) {
	if d.cb.OnProgress != nil {
		observe(func() { d.cb.OnProgress(leg, params) })
	}
}

func (d *driver) perform(a engine.Action) {
	switch a := a.(type) {
	case engine.Ask:
		ctx, cancel := context.WithCancel(d.ctx)
		q := question{ask: a, ctx: ctx, cancel: cancel}
		d.asks = append(d.asks, q)
		d.put(q, "")
	case engine.Withdraw:
		d.close(a.Ask)
	case engine.Wait:
		wait := d.clock.until(a.Until)
		if d.timer == nil {
			d.timer = time.NewTimer(wait)
		} else {
			d.timer.Reset(wait)
		}
	case engine.Note:
		if d.cb.OnNote != nil {
			observe(func() { d.cb.OnNote(a) })
		}
	case engine.Task:
		if d.cb.OnTask != nil {
			observe(func() { d.cb.OnTask(a) })
		}
	}
}

// observe calls a callback that only watches: if it panics, the call goes on.
func observe(call func()) {
	defer func() { recover() }()
	call()
}

// feed hands over what a callback returned, unless the call is over by then.
func (d *driver) feed(r returned) {
	select {
	case d.events <- r:
	case <-d.over:
	}
}

// end stops whatever still runs.
func (d *driver) end() {
	close(d.over)
	d.call.abandon()
	for _, q := range d.asks {
		q.cancel()
	}
	if d.timer != nil {
		d.timer.Stop()
	}
}
