package blocking

import "github.com/parley-mcp/parley/engine"

// feed feeds an event of the driver's own making.
func (c *Call) feed(ev engine.Event) {
	if err := c.step(ev); err != nil {
		c.fail(err)
	}
}

// step feeds an event and keeps what follows from it.
func (c *Call) step(ev engine.Event) error {
	actions, err := c.flow.Step(c.now, ev)
	if err != nil {
		return err
	}
	switch ev := ev.(type) {
	case engine.Response:
		c.over(ev.Leg)
	case engine.Lost:
		c.over(ev.Leg)
	case engine.Answer:
		if !asksAgain(actions, ev.Ask) {
			c.close(ev.Ask)
		}
	case engine.Refuse:
		c.close(ev.Ask)
	}
	c.waited = false
	for _, a := range actions {
		c.keep(a)
	}
	// The engine says nothing where a Wait is over or goes on: a tick asks it.
	if _, tick := ev.(engine.Tick); !tick && !c.waited && c.until > 0 && c.outcome == nil {
		c.until = 0
		return c.step(engine.Tick{})
	}
	return nil
}

func (c *Call) keep(a engine.Action) {
	switch a := a.(type) {
	case engine.Send:
		c.send, c.leg = &a, a.Leg
	case engine.Abandon:
		c.over(a.Leg)
	case engine.Tell:
		c.tells = append(c.tells, a)
	case engine.Ask:
		c.put(a)
	case engine.Withdraw:
		c.close(a.Ask)
	case engine.Wait:
		c.until, c.waited = a.Until, true
	case engine.Task:
		c.task = object(a)
	case engine.Note:
		if c.notes != nil {
			c.notes = append(c.notes, ',')
		}
		c.notes = append(c.notes, object(a)...)
	case engine.Done, engine.Parked, engine.Failed:
		c.end(a)
	}
}

// over says that no answer to a leg is awaited any more.
func (c *Call) over(leg int) {
	if c.leg == leg {
		c.leg = 0
	}
}

// asksAgain reports whether a question comes again because its answer could not
// be used.
func asksAgain(actions []engine.Action, ask int) bool {
	for _, a := range actions {
		if again, ok := a.(engine.Ask); ok && again.ID == ask {
			return true
		}
	}
	return false
}

// put keeps a question. One whose answer could not be used comes again, and
// takes the place of what it was.
func (c *Call) put(a engine.Ask) {
	for i := range c.asks {
		if c.asks[i].ID == a.ID {
			c.asks[i] = a
			return
		}
	}
	c.asks = append(c.asks, a)
}

func (c *Call) close(ask int) {
	for i := range c.asks {
		if c.asks[i].ID == ask {
			c.asks = append(c.asks[:i], c.asks[i+1:]...)
			return
		}
	}
}

// end makes the outcome of the last action, with a snapshot where the call can
// go on.
func (c *Call) end(a engine.Action) {
	var snapshot []byte
	if failed, ok := a.(engine.Failed); !ok || failed.Resumable {
		var err error
		if _, done := a.(engine.Done); !done {
			snapshot, err = c.flow.Snapshot()
		}
		if err != nil && !ok { // nothing can be parked
			c.fail(err)
			return
		}
		failed.Resumable = err == nil
		if ok {
			a = failed
		}
	}
	c.outcome = object(a)
	if snapshot != nil {
		c.outcome = joinText(c.outcome, "snapshot", snapshot)
	}
	if c.notes != nil {
		c.outcome = joinJSON(c.outcome, "notes", append(append([]byte{'['}, c.notes...), ']'))
	}
}
