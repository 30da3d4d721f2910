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
		if !d.logs && d.call.waits() {
			d.put(a)
			return true
		}
	case engine.Wait:
		if d.call.waits() {
			d.wait(a)
			return true
		}
	}
	return false
}

// answered takes what came of an asker, in a goroutine whose stack has grown to
// what the engine needs. An answer is fed in place of a driver that waits, unless
// the caller has given up. What fails the driver does again, and sees why.
func (d *driver) answered(h happened) {
	answer, ok := h.event.(engine.Answer)
	if !ok || answer.Ask < 0 || d.ctx.Err() != nil || !d.feedAhead(h) {
		d.call.happen(h)
	}
}

func (d *driver) feedAhead(h happened) bool {
	c := d.call
	s := c.session
	s.mu.Lock()
	if c.lost != nil || !c.waits() {
		s.mu.Unlock()
		return false
	}
	d.follows = true
	err := c.advance(h.event, h.cause)
	d.follows = false
	if err != nil {
		s.mu.Unlock()
		return false
	}
	cancel := d.drop(h.ask)
	s.mu.Unlock()
	if cancel != nil {
		cancel(d.ended())
	}
	return true
}

// waits reports whether the driver waits, and has nothing to wake for.
func (c *sessionCall) waits() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.idle && !c.closed && !c.ticked && c.turns.len() == 0 && c.events.len() == 0
}
