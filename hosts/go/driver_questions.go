package parley

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-mcp/parley/engine"
)

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

// put asks a question in a goroutine of its own.
func (d *driver) put(q question, problem string) {
	go d.ask(q.ctx, Question{q.ask, problem})
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
