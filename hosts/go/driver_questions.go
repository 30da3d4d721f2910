package parley

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/sentence"
)

// question is an ask that has an asker.
type question struct {
	Question
	driver *driver
	asking
}

// put asks a question, for the first time or again: in the goroutine that brought
// it, as soon as that can, or else in one of its own. The session's lock is held.
func (d *driver) put(a engine.Ask) {
	if d.asked(a.ID) {
		return // the call went on in another core, and its dialog is still there
	}
	q := &d.first
	if q.driver != nil { // its asker may be under way still
		q = new(question)
	}
	q.Question, q.driver, q.parent = a, d, d.ctx
	d.asks = append(d.asks, q)
	if p := d.call.session.bringing; p == nil || !p.leaves(q) {
		go q.run()
	}
}

// asked reports whether a question is open.
func (d *driver) asked(ask int) bool {
	return slices.ContainsFunc(d.asks, func(q *question) bool { return q.ID == ask })
}

// run asks, in a goroutine of its own, which stays small: what the engine makes of
// an answer is for others.
func (q *question) run() {
	switch h, ok := q.ask(); {
	case !ok:
	case q.driver.holds(h):
		q.driver.call.session.outbox.feed(q.driver)
	default:
		q.driver.call.happen(h)
	}
}

// ask has the asker answer and returns what came of it, if there is something to
// tell. An asker that ends its goroutine tells the driver by itself.
func (q *question) ask() (back happened, ok bool) {
	d := q.driver
	if q.isOver() { // withdrawn, or the call is over, before its goroutine ran
		return back, false
	}
	returned := false
	defer func() {
		if p := recover(); p != nil {
			back, ok = refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s panicked: %v", q.Kind, p)), true
		} else if !returned { // runtime.Goexit
			d.call.happen(refusal(q, "the asker failed", fmt.Errorf("parley: the callback for %s ended its goroutine", q.Kind)))
		}
	}()
	raw, err := d.askers.of(q.Question)(&q.asking, q.Question)
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
	return back, true
}

func refusal(q *question, reason sentence.Text, cause error) happened {
	return happened{engine.Refuse{Ask: q.ID, Reason: reason}, cause, q.ID}
}

// close ends the context of a question's asker.
func (d *driver) close(ask int) {
	s := d.call.session
	s.mu.Lock()
	q := d.drop(ask)
	s.mu.Unlock()
	if q != nil {
		q.end(d.ended())
	}
}

// drop forgets a question, and returns it: its asker's context is to end. Nil if
// there is none. The session's lock is held.
func (d *driver) drop(ask int) *question {
	for i, q := range d.asks {
		if q.ID == ask {
			d.asks = slices.Delete(d.asks, i, i+1)
			return q
		}
	}
	return nil
}
