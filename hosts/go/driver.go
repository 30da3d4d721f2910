package parley

import (
	"context"
	"errors"
	"fmt"
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

// question is an ask whose callback is under way.
type question struct {
	ask    engine.Ask
	ctx    context.Context
	cancel context.CancelFunc
	tries  int // answers that could not be sent
}

// maxTries is how often a callback may answer one question with what cannot be
// sent. A person corrects an answer; a program would go on forever.
const maxTries = 20

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

// unusable puts a question again whose answer could not be sent, or that cannot
// be parked, or refuses it when that was tried too often. Any other usage error
// ends the call.
func (d *driver) unusable(last returned, err error) (returned, error) {
	var problem *engine.Error
	if !errors.As(err, &problem) || problem.Code != engine.ErrAnswer && problem.Code != engine.ErrNotParkable {
		return returned{}, err
	}
	if last.ask == 0 { // Callbacks.Park, where the call cannot be parked
		return returned{}, nil
	}
	for i := range d.asks {
		q := &d.asks[i]
		if q.ask.ID != last.ask {
			continue
		}
		q.tries++
		if q.tries < maxTries {
			d.put(*q, problem.Detail)
			return returned{}, nil
		}
	}
	d.cause = err
	d.close(last.ask)
	return returned{event: engine.Refuse{Ask: last.ask, Reason: "what the callback answers cannot be used"}}, nil
}

// save keeps a snapshot where something would be lost without it.
func (d *driver) save(b *batch) error {
	if d.cb.Save == nil {
		return nil
	}
	_, worth := b.event.(engine.Answer)
	for _, a := range b.actions {
		switch a.(type) {
		case engine.Send, engine.Ask, engine.Task: // a task goes on at the server, and may be polled only much later
			worth = true
		case engine.Done:
			return nil
		}
	}
	if !worth {
		return nil
	}
	snapshot, err := d.call.snapshot()
	if err != nil {
		return err
	}
	return d.guard("Save", func() error { return d.cb.Save(d.ctx, snapshot) })
}

func sends(actions []engine.Action) bool {
	for _, a := range actions {
		if _, ok := a.(engine.Send); ok {
			return true
		}
	}
	return false
}

// unsend ends the call before its actions were performed: a leg among them was
// certainly not sent, so nothing is in doubt.
func (d *driver) unsend(actions []engine.Action, detail string, cause error) error {
	for _, a := range actions {
		if send, ok := a.(engine.Send); ok {
			d.call.step(engine.Lost{Leg: send.Leg, Unsent: true}) // fails if the leg is over by now
		}
	}
	snapshot, err := d.call.snapshot()
	if d.ctx.Err() != nil { // the server may be at work on a task
		d.call.step(engine.Cancel{}) // fails if the call is over by now
		for b := d.call.take(); b != nil; b = d.call.take() {
			for _, a := range b.actions {
				if tell, ok := a.(engine.Tell); ok {
					d.call.tell(d, tell)
				}
			}
		}
	}
	return &Error{Code: engine.ErrCanceled, Detail: detail, Resumable: err == nil, Snapshot: snapshot, Cause: errors.Join(cause, err)}
}

// guard calls a callback in a goroutine of its own and waits for it or for the
// end of the caller's context.
func (d *driver) guard(name string, call func() error) error {
	result := make(chan error, 1)
	go func() {
		err := fmt.Errorf("parley: %s did not return", name) // runtime.Goexit
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("parley: %s panicked: %v", name, p)
			}
			result <- err
		}()
		err = call()
	}()
	select {
	case err := <-result:
		return err
	case <-d.ctx.Done():
		return context.Cause(d.ctx)
	}
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

// put asks a question in a goroutine of its own.
func (d *driver) put(q question, problem string) {
	go d.ask(q.ctx, Question{q.ask, problem})
}

// feed hands over what a callback returned, unless the call is over by then.
func (d *driver) feed(r returned) {
	select {
	case d.events <- r:
	case <-d.over:
	}
}

func (d *driver) ask(ctx context.Context, q Question) {
	if ctx.Err() != nil { // it was withdrawn, or the call is over, before this goroutine ran
		return
	}
	refuse := func(reason string, cause error) returned {
		return returned{event: engine.Refuse{Ask: q.ID, Reason: reason}, cause: cause, ask: q.ID}
	}
	var back returned
	defer func() {
		if p := recover(); p != nil {
			back = refuse("the callback panicked", fmt.Errorf("parley: the callback for %s panicked: %v", q.Kind, p))
		} else if back.event == nil { // runtime.Goexit
			back = refuse("the callback did not return", fmt.Errorf("parley: the callback for %s ended its goroutine", q.Kind))
		}
		d.feed(back)
	}()
	raw, err := d.cb.of(q.Ask)(ctx, q)
	switch {
	case errors.Is(err, ErrPark):
		back = returned{event: engine.Park{}, ask: q.ID}
	case err != nil:
		back = refuse("the callback failed", err)
	default:
		back = returned{event: engine.Answer{Ask: q.ID, Raw: raw}, ask: q.ID}
	}
}

// close ends the context of a question's callback.
func (d *driver) close(ask int) {
	for i, q := range d.asks {
		if q.ask.ID == ask {
			q.cancel()
			d.asks = append(d.asks[:i], d.asks[i+1:]...)
			return
		}
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

// clock tells the time in Unix milliseconds by the monotonic clock, so that
// setting the wall clock ends no leg.
type clock struct{ started time.Time }

func (c clock) now() int64 {
	return c.started.UnixMilli() + time.Since(c.started).Milliseconds()
}

func (c clock) until(millis int64) time.Duration {
	return time.Until(c.started.Add(time.Duration(millis-c.started.UnixMilli()) * time.Millisecond))
}
