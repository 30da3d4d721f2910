package parley

import (
	"slices"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// turn is what a driver performs next: an action of its call, or a [*posting].
type turn struct {
	action any
	cause  error // what failed, where the action says that something did
}

// most is how much like it may be queued, 0 for no bound.
func (t turn) most() int {
	switch t.action.(type) {
	case session.Progress:
		return maxProgress
	case session.Notification:
		return maxHooks
	}
	return 0
}

// put queues what the driver is to perform.
func (c *sessionCall) put(t turn) {
	c.ended = c.ended || ends(t.action)
	if p, ok := t.action.(*posting); ok {
		if last := len(c.legs) - 1; last >= 0 && c.legs[last].begun {
			c.flew = false // that one is over, and what was before it
		}
		c.legs = append(slices.DeleteFunc(c.legs, (*posting).isOver), p)
	}
	if c.driver.ahead(t) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if most := t.most(); most > 0 {
		if c.progress >= most { // the driver is too busy to see it
			return
		}
		c.progress++
	}
	c.turns.push(t)
	c.sign()
}

// sign wakes the driver.
func (c *sessionCall) sign() {
	c.idle = false
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// take returns what is to be performed next.
func (c *sessionCall) take() (turn, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.turns.pop()
	if t.most() > 0 {
		c.progress--
	}
	return t, ok
}

// happen queues what came of an asker.
func (c *sessionCall) happen(h happened) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events.push(h)
	c.sign()
}

// tick takes note that the driver's timer fired.
func (c *sessionCall) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ticked = true
	c.sign()
}

// close takes note that the session is closed.
func (c *sessionCall) close() {
	if c.cancel != nil {
		c.cancel(ErrSessionClosed)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.sign()
}

func (c *sessionCall) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// news is what happened first, without an event if there are turns to take.
func (c *sessionCall) news() (h happened, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.wake: // it is looked for now
	default:
	}
	if c.turns.len() > 0 {
		return happened{}, true
	}
	if h, ok = c.events.pop(); ok {
		return h, true
	}
	if ok = c.ticked; ok {
		c.ticked = false
		h.event = engine.Tick{}
	}
	c.idle = !ok
	return h, ok
}

// busy takes note that the driver waits no longer.
func (c *sessionCall) busy() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = false
}

// answered is an answer that has come, if one has; what else came of askers is
// dropped.
func (c *sessionCall) answered() (h happened, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = false
	for h, ok = c.events.pop(); ok; h, ok = c.events.pop() {
		if _, isAnswer := h.event.(engine.Answer); isAnswer {
			return h, true
		}
	}
	return h, false
}

// forgo drops what was to be performed, but for the end of the call, if that has
// come meanwhile.
func (c *sessionCall) forgo() {
	c.session.mu.Lock()
	defer c.session.mu.Unlock()
	if c.saving != c.life {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress = 0
	c.turns.keep(func(t turn) bool { return ends(t.action) })
}

// ends reports whether nothing follows an action.
func ends(action any) bool {
	switch action.(type) {
	case engine.Done, engine.Parked, engine.Failed, gone:
		return true
	}
	return false
}
