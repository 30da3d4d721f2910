package parley

import "github.com/parley-mcp/parley/engine"

// A driver that waits need not wake for what others can do in its place: who
// brought the response begins to ask, and who asked begins the next leg. They
// hold the session's lock, which the driver needs for whatever it does next.

// ahead performs a turn in place of a driver that waits, if nobody outside is told
// of it and it waits for nothing.
func (d *driver) ahead(t turn) bool {
	switch a := t.action.(type) {
	case *posting:
		if d.follows && !a.isRecall() && d.call.waits() {
			d.call.session.perform(a)
			return true
		}
	case engine.Ask:
		if !d.logs && !d.asked(a.ID) && d.call.waits() { // one that is put again waits for the end of the one before
			d.put(a)
			return true
		}
	case engine.Wait:
		if d.call.waits() {
			d.call.session.wake(d.call, a.Until)
			return true
		}
	}
	return false
}

// holds leaves an answer with its call, without waking a driver that waits: who
// has it so is to call feedAhead soon. It reports false where the driver is to be
// told.
func (d *driver) holds(h happened) bool {
	answer, ok := h.event.(engine.Answer)
	if !ok || answer.Ask < 0 || d.ctx.Err() != nil {
		return false
	}
	c := d.call
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isIdle() {
		return false
	}
	c.events.push(h)
	return true
}

// feedAhead feeds an answer that its call holds, in place of a driver that waits,
// and in a goroutine whose stack has grown to what the engine needs. A driver that
// has woken meanwhile does so itself. What fails it does again, and sees why.
func (d *driver) feedAhead() {
	c := d.call
	s := c.session
	s.mu.Lock()
	if c.lost != nil {
		s.mu.Unlock()
		return
	}
	h, ok := c.takeAhead()
	if !ok {
		s.mu.Unlock()
		return
	}
	d.follows = true
	err := c.advance(h.event, h.cause)
	d.follows = false
	if err != nil {
		s.mu.Unlock()
		c.happen(h)
		return
	}
	q := d.drop(h.ask)
	s.mu.Unlock()
	if q != nil {
		q.end(d.ended())
	}
}

// takeAhead takes an answer that the call holds while its driver waits.
func (c *sessionCall) takeAhead() (h happened, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.idle || c.closed || c.ticked || c.turns.len() > 0 {
		return h, false
	}
	return c.events.pop()
}

// waits reports whether the driver waits, and has nothing to wake for.
func (c *sessionCall) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isIdle()
}

func (c *sessionCall) isIdle() bool {
	return c.idle && !c.closed && !c.ticked && c.turns.len() == 0 && c.events.len() == 0
}
