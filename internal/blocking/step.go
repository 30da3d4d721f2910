package blocking

import (
	"slices"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/enginewire"
)

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
		c.close(ev.Ask)
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
		c.task = a
	case engine.Note:
		c.notes = append(c.notes, a)
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

// put keeps a question. One whose answer could not be used comes again, and is
// the next.
func (c *Call) put(a engine.Ask) {
	if a.Problem != "" {
		c.close(a.ID)
		c.asks = slices.Insert(c.asks, 0, a)
	} else {
		c.asks = append(c.asks, a)
	}
}

func (c *Call) close(ask int) {
	c.asks = slices.DeleteFunc(c.asks, func(a engine.Ask) bool { return a.ID == ask })
}

// end makes the outcome of the last action, with a snapshot where the call can
// go on.
func (c *Call) end(a engine.Action) {
	var snapshot []byte
	failed, fails := a.(engine.Failed)
	if _, done := a.(engine.Done); !done && (!fails || failed.Resumable) {
		var err error
		if snapshot, err = c.flow.Snapshot(); err != nil && !fails { // nothing can be parked
			c.fail(err)
			return
		}
		if fails {
			failed.Resumable = err == nil
			a = failed
		}
	}
	c.outcome = enginewire.PluginOutcome(a, snapshot, c.notes)
}
