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
	ask    int
	cancel context.CancelFunc
}

// put asks a question in a goroutine of its own, for the first time or again.
func (d *driver) put(a engine.Ask) {
	if slices.ContainsFunc(d.asks, func(q question) bool { return q.ask == a.ID }) {
		return // the call went on in another core, and its dialog is still there
	}
	ctx, cancel := context.WithCancel(d.ctx)
	d.asks = append(d.asks, question{a.ID, cancel})
	go d.ask(ctx, a)
}

func (d *driver) ask(ctx context.Context, q Question) {
	if ctx.Err() != nil { // it was withdrawn, or the call is over, before this goroutine ran
		return
	}
	refuse := func(reason sentence.Text, cause error) happened {
		return happened{engine.Refuse{Ask: q.ID, Reason: reason}, cause, q.ID}
	}
	back := refuse("the asker failed", fmt.Errorf("parley: the callback for %s ended its goroutine", q.Kind)) // runtime.Goexit
	defer func() {
		if p := recover(); p != nil {
			back = refuse("the asker failed", fmt.Errorf("parley: the callback for %s panicked: %v", q.Kind, p))
		}
		select {
		case d.events <- back:
		case <-d.over:
		}
	}()
	raw, err := d.askers.of(q)(ctx, q)
	switch {
	case errors.Is(err, ErrPark):
		back = happened{event: engine.Park{Ask: q.ID}, ask: q.ID}
	case err != nil && q.Kind == engine.KindAuthorize: // what to do about it is in the words
		back = refuse(sentence.Value(strings.TrimPrefix(err.Error(), "oauth: ")), err)
	case err != nil:
		back = refuse("the asker failed", err)
	default:
		back = happened{event: engine.Answer{Ask: q.ID, Raw: raw, Fill: d.askers.Fill}, ask: q.ID}
	}
}

// close ends the context of a question's asker.
func (d *driver) close(ask int) {
	for i, q := range d.asks {
		if q.ask == ask {
			q.cancel()
			d.asks = append(d.asks[:i], d.asks[i+1:]...)
			return
		}
	}
}
