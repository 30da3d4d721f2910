package blocking

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/sentence"
)

// Answer takes what the callback answered. data is used as memory.
func (c *Client) Answer(data []byte) {
	ask := 0
	if c.asking() {
		ask = c.call.asks[0].ID
	}
	ev, now, bad := wire.DecodePluginAnswer(data, c.call.number, ask)
	if bad == nil && !c.fits(ev) {
		bad = &engine.Error{Detail: "an event of this type is no answer here"}
	}
	var err error
	if bad != nil {
		err = bad
	} else {
		c.now = max(c.now, now)
		if err = c.take(ev); err == nil && c.wait != 0 && c.now >= c.wait && c.closing == 0 {
			err = c.step(session.Tick{})
		}
	}
	if err != nil {
		c.flawed(sentence.Join(sentence.Value(callbackNames[c.current]), err.(*engine.Error).Detail), ask)
	}
}

func (c *Client) asking() bool { return c.current != Post && c.current != Receive }

// fits reports whether an event can be what a callback came back with.
func (c *Client) fits(ev session.Event) bool {
	to, ok := ev.(session.To)
	if !ok { // of the session's own
		return !c.asking()
	}
	switch to.Event.(type) {
	case engine.Answer, engine.Refuse:
		return c.asking()
	case engine.Park, engine.Cancel, engine.Tick:
		return true
	}
	return false
}

// take takes an event that fits.
func (c *Client) take(ev session.Event) error {
	switch ev := ev.(type) {
	case session.To:
		return c.takeForCall(ev)
	case session.Opened:
		return c.heard(ev, ev.Exchange, false)
	case session.Message:
		return c.heard(ev, ev.Exchange, ev.Last)
	case session.Ended:
		if c.stdio && !c.outgoing.wasPosted(ev.Exchange) {
			return unknownExchange()
		}
		return c.heard(ev, ev.Exchange, true)
	case session.Down:
		if !c.stdio {
			return &engine.Error{Detail: "down is for a session over stdio"}
		}
	}
	return c.step(ev)
}

func unknownExchange() *engine.Error {
	return &engine.Error{Detail: "exchange is not the number of one that was posted"}
}

// heard takes what came of an exchange; of one that is over nothing counts.
func (c *Client) heard(ev session.Event, exchange int, last bool) error {
	if !c.stdio {
		if !c.outgoing.wasPosted(exchange) {
			return unknownExchange()
		}
		if !c.outgoing.isOpen(exchange) {
			return nil
		}
		if last {
			c.outgoing.over(exchange)
		}
	}
	return c.step(ev)
}

// takeForCall takes what the host says of the call, which may be over.
func (c *Client) takeForCall(ev session.To) error {
	switch ev.Event.(type) {
	case engine.Tick:
		c.call.hearing = c.asking()                 // once nothing has come, the question is put again
		if c.closing != 0 && c.current == Receive { // nobody waits any more
			c.closed = true
		}
		return c.tick()
	case engine.Cancel:
		c.closed = c.closing != 0
	}
	if c.call.number == 0 || c.outcome != nil {
		return nil
	}
	return c.step(ev)
}

// flawed takes it that a callback came back with something that cannot be used:
// what it was called for has failed.
func (c *Client) flawed(flaw sentence.Text, ask int) {
	switch {
	case c.asking():
		c.mustStep(session.To{Call: c.call.number, Event: engine.Refuse{Ask: ask, Reason: flaw}})
	case c.current == Post:
		if c.posted != 0 { // nobody knows whether it was sent
			c.outgoing.over(c.posted)
			c.mustStep(session.Ended{Exchange: c.posted, Reason: flaw})
		}
	case c.stdio:
		c.mustStep(session.Down{Reason: flaw})
	default: // nobody knows whose message it was
		lost := c.outgoing.open
		c.outgoing.open = nil
		for _, x := range lost {
			c.mustStep(session.Ended{Exchange: x.number, Reason: flaw})
		}
		if due := c.due(); len(lost) == 0 && due != 0 { // nothing can happen before: as good as then
			c.now = max(c.now, due)
			c.mustStep(session.Tick{})
			c.tick()
		}
	}
	c.closed = c.closing != 0
}

// mustStep is step for events of the driver's own making.
func (c *Client) mustStep(ev session.Event) {
	if err := c.step(ev); err != nil && c.outcome == nil {
		c.refuse(err)
	}
}

// tick lets the call act if it is time; without one there is nothing to do.
func (c *Client) tick() error {
	if c.call.number == 0 || c.outcome != nil {
		return nil
	}
	c.call.until = 0 // the engine says so again if it is to be called
	return c.step(session.To{Call: c.call.number, Event: engine.Tick{}})
}

// step feeds an event and keeps what follows from it.
func (c *Client) step(ev session.Event) error {
	actions, err := c.session.Step(c.now, ev)
	if err != nil {
		return err
	}
	isTick, untold := false, c.call.untold
	if to, ok := ev.(session.To); ok {
		switch to := to.Event.(type) {
		case engine.Answer:
			c.settled(to.Ask)
		case engine.Refuse:
			c.settled(to.Ask)
		case engine.Park: // where that is impossible, it is asked again
			c.settled(to.Ask)
		case engine.Tick:
			isTick = true
		}
		c.call.untold = c.call.untold || !isTick
	}
	c.call.waited = false
	alone := len(actions) == 1
	c.keepAll(actions)
	if c.call.waited && isTick && alone { // time has passed, nothing more
		c.call.untold = untold
	}
	// The engine says nothing where a Wait is over or goes on: a tick asks it.
	if !isTick && !c.call.waited && c.call.until > 0 {
		return c.tick()
	}
	return nil
}

// keepAll keeps all that the engine says. What was not handed out and is not to be, it is
// told before the next action.
func (c *Client) keepAll(actions []session.Action) {
	for len(actions) > 0 {
		if c.keep(actions[0]) {
			actions = actions[1:]
			continue
		}
		unsent := session.Ended{Exchange: abandons(actions[0]), Unsent: true}
		actions = append([]session.Action(nil), actions[1:]...) // their memory is the session's
		then, _ := c.session.Step(c.now, unsent)                // cannot fail
		c.keepAll(then)
	}
}

// abandons is the exchange that an action gives up, 0 if it gives up none.
func abandons(a session.Action) int {
	switch a := a.(type) {
	case session.Abort:
		return a.Exchange
	case session.Post:
		return a.Cancels
	}
	return 0
}

// keep does, or keeps to be done, what the engine says. It reports false if that gives up
// what was not handed out.
func (c *Client) keep(a session.Action) bool {
	if c.outgoing.drop(abandons(a)) {
		return false
	}
	switch a := a.(type) {
	case session.From:
		if a.Call == c.call.number && c.outcome == nil {
			c.keepOfCall(a)
		}
	case session.Post, session.Request, session.Listen, session.Delete:
		c.outgoing.put(a, c.stdio)
		c.call.untold = true
	case session.Abort:
		c.outgoing.abort(a, c.stdio)
	case session.Wait:
		c.wait = a.Until
	default:
		c.news = append(c.news, a)
	}
	return true
}

func (c *Client) keepOfCall(from session.From) {
	c.call.untold = true
	switch a := from.Action.(type) {
	case engine.Ask:
		c.put(a)
	case engine.Withdraw:
		c.settled(a.Ask)
	case engine.Wait:
		c.call.until, c.call.waited = a.Until, true
	case engine.Task:
		c.news = append(c.news, from)
	case engine.Note:
		c.call.notes = append(c.call.notes, a)
	case engine.Done, engine.Parked, engine.Failed:
		c.end(a)
	}
}

// put keeps a question. One whose answer could not be used comes again, and is
// the next.
func (c *Client) put(a engine.Ask) {
	if a.Problem == "" {
		c.call.asks = append(c.call.asks, a)
		return
	}
	c.settled(a.ID)
	c.call.asks = append([]engine.Ask{a}, c.call.asks...)
}

// settled says that a question is not to be put any more.
func (c *Client) settled(ask int) {
	for i := range c.call.asks {
		if c.call.asks[i].ID == ask {
			c.call.asks = append(c.call.asks[:i:i], c.call.asks[i+1:]...)
			return
		}
	}
}

// end makes the outcome of the last action, with a snapshot where the call can
// go on.
func (c *Client) end(a engine.Action) {
	var snapshot []byte
	failed, fails := a.(engine.Failed)
	if _, done := a.(engine.Done); !done && (!fails || failed.Resumable) {
		var err error
		if snapshot, err = c.session.Snapshot(c.call.number); err != nil && !fails { // nothing can be parked
			c.refuse(err)
			return
		}
		if fails {
			failed.Resumable = err == nil
			a = failed
		}
	}
	c.outcome = wire.PluginOutcome(a, snapshot, c.call.notes, c.news)
	c.news, c.call.until, c.call.asks = nil, 0, nil
}
