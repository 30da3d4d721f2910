package parley

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
)

// legs is a flow whose legs go out by Callbacks.Send.
type legs struct {
	flow         Flow
	clock        clock
	capabilities []byte
	next         batch
	full         bool
	leg          context.CancelFunc // ends the context of the leg in flight
}

func (l *legs) step(ev engine.Event) error {
	actions, err := l.flow.Step(l.clock.now(), ev)
	if err == nil {
		l.next, l.full = batch{event: ev, actions: actions}, true
	}
	return err
}

func (l *legs) take() *batch {
	if !l.full {
		return nil
	}
	l.full = false
	return &l.next
}

func (l *legs) woken() <-chan struct{} { return nil }

func (l *legs) snapshot() ([]byte, error) { return l.flow.Snapshot() }

func (l *legs) send(d *driver, _ *batch, a engine.Send) {
	l.abandon()
	ctx, cancel := context.WithCancel(d.ctx)
	l.leg = cancel
	go d.send(ctx, a, l.capabilities)
}

func (l *legs) abandon() {
	if l.leg != nil {
		l.leg()
		l.leg = nil
	}
}

// tell sends what nobody waits for, also when the caller gave up.
func (l *legs) tell(d *driver, a engine.Tell) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(d.ctx), tellTime)
	go observe(func() {
		defer cancel()
		d.cb.Send(ctx, Request{Method: a.Method, Params: a.Params, Capabilities: l.capabilities})
	})
}

// tellTime bounds how long the cancellation of a task may take.
const tellTime = 5 * time.Second

// send performs one leg by the callback.
func (d *driver) send(ctx context.Context, a engine.Send, capabilities []byte) {
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
		Leg: a.Leg, Method: a.Method, Params: a.Params, Capabilities: capabilities,
		Progress: func(params []byte) { d.feed(returned{event: engine.Progress{Leg: a.Leg}, progress: params}) },
	})
	if err != nil {
		back = lost("the transport failed", errors.Is(err, ErrUnsent), err)
	} else {
		back = returned{event: engine.Response{Leg: a.Leg, Body: body}}
	}
}
