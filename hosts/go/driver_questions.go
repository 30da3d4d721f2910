package parley

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/sentence"
)

// question is an ask whose asker is under way.
type question struct {
	Question
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// put asks a question in a goroutine of its own, for the first time or again.
func (d *driver) put(a engine.Ask) {
	if slices.ContainsFunc(d.asks, func(q *question) bool { return q.ID == a.ID }) {
		return // the call went on in another core, and its dialog is still there
	}
	q := &d.first
	if q.ctx != nil { // its asker may be under way still
		q = new(question)
	}
	q.Question = a
	q.ctx, q.cancel = context.WithCancelCause(d.ctx)
	d.asks = append(d.asks, q)
	go d.ask(q)
}

func (d *driver) ask(q *question) {
	if q.ctx.Err() != nil { // it was withdrawn, or the call is over, before this goroutine ran
		return
	}
	returned := false
	var back happened
	defer func() {
		if p := recover(); p != nil {
			back = refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s panicked: %v", q.Kind, p))
		} else if !returned { // runtime.Goexit
			back = refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s ended its goroutine", q.Kind))
		}
		d.call.happen(back)
	}()
	raw, err := d.askers.of(q.Question)(q.ctx, q.Question)
	returned = true
	switch {
	case errors.Is(err, ErrPark):
		back = happened{event: engine.Park{Ask: q.ID}, ask: q.ID}
	case err != nil && q.Kind == engine.KindAuthorize: // what to do about it is in the words
		back = refusal(q, sentence.Value(strings.TrimPrefix(err.Error(), "oauth: ")), err)
	case err != nil:
		back = refusal(q, "the asker failed", err)
	default:
		back = happened{event: engine.Answer{Ask: q.ID, Raw: raw, Fill: d.askers.Fill}, ask: q.ID}
	}
}

func refusal(q *question, reason sentence.Text, cause error) happened {
	return happened{engine.Refuse{Ask: q.ID, Reason: reason}, cause, q.ID}
}

// close ends the context of a question's asker.
func (d *driver) close(ask int) {
	for i, q := range d.asks {
		if q.ID == ask {
			q.cancel(d.ended())
			d.asks = append(d.asks[:i], d.asks[i+1:]...)
			return
		}
	}
}
