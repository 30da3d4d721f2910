package parley

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
)

// driver performs actions, nothing more: what they mean is the engine's.
type driver struct {
	ctx          context.Context // the caller's
	flow         Flow
	cb           Callbacks
	capabilities []byte

	started time.Time
	timer   *time.Timer
	events  chan returned
	over    chan struct{}      // closed when Run returns, so that no callback blocks on events
	leg     context.CancelFunc // ends the context of the leg in flight
	asks    []question
	first   [1]question // the memory of asks while there is one at a time
	cause   error       // what the last failed callback said
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
	progress []byte
}

func newDriver(ctx context.Context, flow Flow, cb Callbacks, capabilities []byte) *driver {
	d := &driver{
		ctx: ctx, flow: flow, cb: cb, capabilities: capabilities, started: time.Now(),
		events: make(chan returned), over: make(chan struct{}),
	}
	d.asks = d.first[:0]
	return d
}

func (d *driver) run(event engine.Event) (Outcome, error) {
	for {
		actions, err := d.flow.Step(d.now(), event)
		if err != nil {
			if event, err = d.unusable(event, err); err != nil {
				return Outcome{}, err
			}
			continue
		}
		if answer, ok := event.(engine.Answer); ok {
			d.close(answer.Ask)
		}
		if err := d.save(event, actions); err != nil {
			return Outcome{}, d.unsend(actions, "the call could not be saved", err)
		}
		if d.ctx.Err() != nil && sends(actions) {
			return Outcome{}, d.unsend(actions, "the caller gave up", context.Cause(d.ctx))
		}
		for _, a := range actions {
			switch a := a.(type) {
			case engine.Done:
				return Outcome{Result: a.Result}, nil
			case engine.Parked:
				snapshot, err := d.flow.Snapshot()
				return Outcome{Parked: err == nil, Snapshot: snapshot}, err
			case engine.Failed:
				return Outcome{}, d.failed(a)
			default:
				d.perform(a)
			}
		}
		event = d.next()
	}
}

func (d *driver) failed(a engine.Failed) error {
	e := &Error{Code: a.Code, Detail: a.Detail, Resumable: a.Resumable, Response: a.Error, Cause: d.cause}
	if a.Resumable {
		var err error
		if e.Snapshot, err = d.flow.Snapshot(); err != nil {
			e.Resumable = false
			e.Cause = errors.Join(e.Cause, err)
		}
	}
	return e
}

// unusable puts a question again whose answer could not be sent, or refuses it
// when that was tried too often. Any other usage error ends the call.
func (d *driver) unusable(event engine.Event, err error) (engine.Event, error) {
	answer, ok := event.(engine.Answer)
	var problem *engine.Error
	if !ok || !errors.As(err, &problem) || problem.Code != engine.ErrAnswer {
		return nil, err
	}
	for i := range d.asks {
		q := &d.asks[i]
		if q.ask.ID != answer.Ask {
			continue
		}
		q.tries++
		if q.tries < maxTries {
			d.put(*q, problem.Detail)
			return d.next(), nil
		}
	}
	d.cause = err
	return engine.Refuse{Ask: answer.Ask, Reason: "the callback's answer cannot be sent"}, nil
}

// save keeps a snapshot where something would be lost without it.
func (d *driver) save(event engine.Event, actions []engine.Action) error {
	if d.cb.Save == nil {
		return nil
	}
	_, worth := event.(engine.Answer)
	for _, a := range actions {
		switch a.(type) {
		case engine.Send, engine.Ask:
			worth = true
		case engine.Done:
			return nil
		}
	}
	if !worth {
		return nil
	}
	snapshot, err := d.flow.Snapshot()
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
			d.flow.Step(d.now(), engine.Lost{Leg: send.Leg, Unsent: true}) // cannot fail: the leg is in flight
		}
	}
	snapshot, err := d.flow.Snapshot()
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

// next waits for whatever happens first.
func (d *driver) next() engine.Event {
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
				d.cause = context.Cause(d.ctx)
				return engine.Cancel{}
			}
		}
		switch ev := r.event.(type) {
		case engine.Progress:
			if d.cb.OnProgress != nil {
				observe(func() { d.cb.OnProgress(ev.Leg, r.progress) })
			}
		case engine.Refuse:
			d.close(ev.Ask)
		}
		return r.event
	case <-tick:
		d.cause = nil
		return engine.Tick{}
	case <-d.ctx.Done():
		d.cause = context.Cause(d.ctx)
		return engine.Cancel{}
	}
}

func (d *driver) perform(a engine.Action) {
	switch a := a.(type) {
	case engine.Send:
		d.endLeg()
		ctx, cancel := context.WithCancel(d.ctx)
		d.leg = cancel
		go d.send(ctx, a)
	case engine.Abandon:
		d.endLeg()
	case engine.Ask:
		ctx, cancel := context.WithCancel(d.ctx)
		q := question{ask: a, ctx: ctx, cancel: cancel}
		d.asks = append(d.asks, q)
		d.put(q, "")
	case engine.Withdraw:
		d.close(a.Ask)
	case engine.Wait:
		wait := time.Until(d.started.Add(time.Duration(a.Until-d.started.UnixMilli()) * time.Millisecond))
		if d.timer == nil {
			d.timer = time.NewTimer(wait)
		} else {
			d.timer.Reset(wait)
		}
	case engine.Note:
		if d.cb.OnNote != nil {
			observe(func() { d.cb.OnNote(a) })
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

func (d *driver) send(ctx context.Context, a engine.Send) {
	lost := func(reason string, unsent bool, cause error) returned {
		return returned{event: engine.Lost{Leg: a.Leg, Reason: reason, Unsent: unsent}, cause: cause}
	}
	var back returned
	defer func() {
		if p := recover(); p != nil {
			back = lost("the Send callback panicked", false, fmt.Errorf("parley: Send panicked: %v", p))
		} else if back.event == nil { // runtime.Goexit
			back = lost("the Send callback did not return", false, errors.New("parley: Send ended its goroutine"))
		}
		d.feed(back)
	}()
	body, err := d.cb.Send(ctx, Request{
		Leg: a.Leg, Method: a.Method, Params: a.Params, Capabilities: d.capabilities,
		Progress: func(params []byte) { d.feed(returned{event: engine.Progress{Leg: a.Leg}, progress: params}) },
	})
	if err != nil {
		back = lost("the transport failed", errors.Is(err, ErrUnsent), err)
	} else {
		back = returned{event: engine.Response{Leg: a.Leg, Body: body}}
	}
}

func (d *driver) ask(ctx context.Context, q Question) {
	refuse := func(reason string, cause error) returned {
		return returned{event: engine.Refuse{Ask: q.ID, Reason: reason}, cause: cause}
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
		back = returned{event: engine.Park{}}
	case err != nil:
		back = refuse("the callback failed", err)
	default:
		back = returned{event: engine.Answer{Ask: q.ID, Raw: raw}}
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

func (d *driver) endLeg() {
	if d.leg != nil {
		d.leg()
		d.leg = nil
	}
}

// now is the time in Unix milliseconds by the monotonic clock, so that setting
// the wall clock ends no leg.
func (d *driver) now() int64 {
	return d.started.UnixMilli() + time.Since(d.started).Milliseconds()
}

// end stops whatever still runs.
func (d *driver) end() {
	close(d.over)
	d.endLeg()
	for _, q := range d.asks {
		q.cancel()
	}
	if d.timer != nil {
		d.timer.Stop()
	}
}
