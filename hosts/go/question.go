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

// question is an open question: cancel ends the context of its asker.
type question struct {
	id     int
	cancel context.CancelFunc
}

// ask has an asker answer in a goroutine of its own.
func (c *call) ask(q Question) {
	ctx, cancel := context.WithCancel(c.ctx)
	c.asks = append(c.asks, question{q.ID, cancel})
	go c.answer(ctx, q)
}

// closeAsk ends the context of a question's asker.
func (c *call) closeAsk(id int) {
	c.asks = slices.DeleteFunc(c.asks, func(q question) bool {
		if q.id == id {
			q.cancel()
		}
		return q.id == id
	})
}

// answer calls the asker and reports what came of it.
func (c *call) answer(ctx context.Context, q Question) {
	if ctx.Err() != nil { // withdrawn, or the call is over, before the goroutine ran
		return
	}
	var result askResult
	defer func() {
		if p := recover(); p != nil {
			result = refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s panicked: %v", q.Kind, p))
		} else if result.event == nil { // runtime.Goexit
			result = refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s ended its goroutine", q.Kind))
		}
		c.report(result)
	}()
	raw, err := c.askers.of(q)(ctx, q)
	switch {
	case errors.Is(err, ErrPark):
		result = askResult{event: engine.Park{Ask: q.ID}, ask: q.ID}
	case err != nil && q.Kind == engine.KindAuthorize: // what to do about it is in the words
		result = refusal(q, sentence.Value(strings.TrimPrefix(err.Error(), "oauth: ")), err)
	case err != nil:
		result = refusal(q, "the asker failed", err)
	default:
		result = askResult{event: engine.Answer{Ask: q.ID, Raw: raw, Fill: c.askers.Fill}, ask: q.ID}
	}
}

func refusal(q Question, reason sentence.Text, cause error) askResult {
	return askResult{event: engine.Refuse{Ask: q.ID, Reason: reason}, cause: cause, ask: q.ID}
}

// save keeps a snapshot and reports what became of it.
func (c *call) save(snapshot []byte) {
	var err error
	returned := false
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parley: Save panicked: %v", p)
		} else if !returned { // runtime.Goexit
			err = errors.New("parley: Save did not return")
		}
		if err != nil {
			c.report(askResult{event: engine.SaveFailed{}, cause: err})
			return
		}
		logSave(c.log, snapshot)
		c.report(askResult{event: engine.Saved{}, saved: snapshot})
	}()
	err = c.saver(c.ctx, snapshot)
	returned = true
}
