package parley

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
)

// callOptions are what the caller passed to Call or Resume.
type callOptions struct {
	begin    engine.Begin
	askers   *Askers
	watchers Watchers
	saver    func(context.Context, []byte) error
	park     <-chan struct{} // until it is closed
	method   string
	params   []byte
	options  engine.Options
	snapshot []byte // to resume from, nil for a new call
	expect   engine.Expect
}

// call is a call of a session. Its goroutine is the caller's: it performs what the
// session's steps had for it, and feeds what else happens.
type call struct {
	callOptions
	session *Session
	log     *slog.Logger
	ctx     context.Context
	cancel  context.CancelCauseFunc
	results chan askResult // of askers, and of Save
	over    chan struct{}  // closed when the call has returned
	asks    []question

	// The session's lock.
	machine   *machine
	number    int
	news      []news
	wake      chan struct{} // holds a sign when there are news
	flood     int           // of them, those of which the server can make many
	busy      int           // as many that are being performed
	legs      []*exchange   // that may not be over
	timer     *time.Timer
	ended     bool   // the last of the news has come
	performed bool   // a request of it
	saved     []byte // the snapshot that was saved last, or that it came from

	memory [2][3]news // of the news of most calls
}

// askResult is an asker's answer or error, or what became of a Save.
type askResult struct {
	event engine.Event
	cause error
	ask   int    // the question whose asker it was, 0 if none
	saved []byte // the snapshot that was kept
}

// drive runs a call to its end.
func (s *Session) drive(ctx context.Context, o callOptions) (out Outcome, err error) {
	o.begin.Save = o.saver != nil
	o.begin.Watch = o.watchers.OnLeg != nil || o.watchers.OnPause != nil || isLogged(s.log)
	c := &call{callOptions: o, session: s, log: s.log, wake: make(chan struct{}, 1), results: make(chan askResult), over: make(chan struct{})}
	c.news = c.memory[1][:0]
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	defer c.cancel(nil)
	if err := c.open(); err != nil {
		return Outcome{}, err
	}
	defer func() { logEnd(c.log, out, err) }()
	defer c.free()
	if err := c.start(); err != nil {
		return Outcome{}, err
	}
	return c.run()
}

// open makes the call in the core.
func (c *call) open() error {
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrSessionClosed
	}
	err := c.make()
	if err == ErrInstance { // it was gone before, because of another session on the same instance
		err = c.make()
	}
	if err != nil {
		return err
	}
	c.keep(c.snapshot)
	s.running.Add(1)
	if isLogged(c.log) {
		c.log = c.log.With("call", c.number)
	}
	c.params, c.snapshot, c.options = nil, nil, engine.Options{} // a call may wait long, and need not hold them
	return nil
}

// start begins the call, unless its caller has given up.
func (c *call) start() error {
	err := c.ctx.Err()
	if err == nil {
		err = c.step(askResult{event: c.begin})
	} else {
		err = c.step(askResult{event: engine.Cancel{}, cause: c.why()})
	}
	if err != nil && isUsage(err) {
		return err
	}
	return nil
}

// make makes the call in the machine at hand.
func (c *call) make() (err error) {
	s := c.session
	if c.machine, err = s.use(); err != nil {
		return err
	}
	core := c.machine.core
	if c.snapshot == nil {
		c.number, err = core.Call(c.method, c.params, c.options)
	} else {
		c.number, err = core.Restore(c.snapshot, c.expect)
	}
	if err != nil {
		s.trapped(c.machine, err)
		return err
	}
	c.machine.calls[c.number] = c
	return nil
}

// keep notes the snapshot that was saved last, or that the call came from, in case of a
// trap. What runs natively never traps.
func (c *call) keep(snapshot []byte) {
	if _, isNative := c.machine.core.(nativeCore); !isNative {
		c.saved = snapshot
	}
}

// run performs news and feeds what happens, until the call has ended.
func (c *call) run() (Outcome, error) {
	canceled := c.ctx.Done()
	batch := c.memory[0][:0]
	for {
		for batch = c.take(batch); len(batch) > 0; batch = c.take(batch) {
			for _, n := range batch {
				if end, ok := n.action.(ending); ok {
					return end.out, end.err
				}
				c.perform(n)
			}
		}
		var err error
		select {
		case <-c.wake:
		case r := <-c.results:
			if _, isAnswer := r.event.(engine.Answer); isAnswer || c.ctx.Err() == nil {
				err = c.step(r)
			}
		case <-c.park:
			c.park = nil
			if err = c.step(askResult{event: engine.Park{}}); errors.Is(err, fault.NotParkable) {
				err = nil
			}
		case <-canceled:
			canceled = nil
			err = c.giveUp()
		}
		if err != nil && isUsage(err) {
			return Outcome{}, err
		}
	}
}

// giveUp cancels the call. An answer that has come by now is fed first.
func (c *call) giveUp() error {
	select {
	case r := <-c.results:
		if _, isAnswer := r.event.(engine.Answer); isAnswer {
			if err := c.step(r); err != nil {
				return err
			}
		}
	default:
	}
	return c.step(askResult{event: engine.Cancel{}, cause: c.why()})
}

// why is why the caller gave up, or that the session was closed.
func (c *call) why() error { return context.Cause(c.ctx) }

// step feeds what happened.
func (c *call) step(r askResult) error {
	if r.ask != 0 {
		c.closeAsk(r.ask)
	}
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.ended || s.machine != c.machine {
		return nil
	}
	if r.saved != nil {
		c.keep(r.saved)
	}
	return c.feed(r)
}

// feed is step for who holds the lock.
func (c *call) feed(r askResult) error {
	return c.session.advance(c.machine, session.To{Call: c.number, Event: r.event}, nil, r.cause)
}

// perform performs one of the news.
func (c *call) perform(n news) {
	s := c.session
	switch a := n.action.(type) {
	case *exchange:
		if a.isRecall() {
			s.recall(a)
		} else {
			s.sends.add(errand{send: a})
		}
	case toSave:
		go c.save(a.snapshot)
	case engine.Ask:
		observe(func() { logAction(c.log, a) })
		c.ask(a)
	case engine.Withdraw:
		c.closeAsk(a.Ask)
	default:
		observe(func() { logAction(c.log, a) })
		observe(func() { c.watchers.tell(a) })
	}
}

// observe calls what must not take anything down with it.
func observe(call func()) {
	defer func() { recover() }()
	call()
}

func (c *call) setTimer(until int64) {
	wait := c.session.clock.until(until)
	if c.timer == nil {
		c.timer = time.AfterFunc(wait, func() { c.step(askResult{event: engine.Tick{}}) })
	} else {
		c.timer.Reset(wait)
	}
}

// report hands the call's goroutine what came of an asker or of Save, if it still waits.
func (c *call) report(r askResult) {
	select {
	case c.results <- r:
	case <-c.over:
	}
}

// free drops the call. One that has not ended is canceled first, so that nothing of it
// stays on the wire.
func (c *call) free() {
	for _, q := range c.asks {
		q.cancel()
	}
	close(c.over)
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.running.Done()
	if c.timer != nil {
		c.timer.Stop()
	}
	c.news, c.memory, c.saved = nil, [2][3]news{}, nil // a timer that was stopped may hold the call for a while
	m := c.machine
	if s.machine != m {
		return
	}
	if !c.ended && c.feed(askResult{event: engine.Cancel{}}) != nil && s.machine != m {
		return
	}
	delete(m.calls, c.number)
	for _, x := range c.legs {
		switch {
		case x.isOver, x.begun && s.isOrdered() && !x.isRecall(): // over as soon as it is written
		case x.begun: // usually the end of its stream is on its way
			x.call = nil // whose result may be long
			time.AfterFunc(lingering, func() { s.forget(x) })
		default:
			s.over(x)
		}
	}
	m.core.Free(c.number)
}

// lingering is how long a server may keep the response to a leg open after its call is
// over.
const lingering = 2 * time.Second

// forget gives up an exchange whose call is over.
func (s *Session) forget(x *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !x.isOver {
		s.over(x)
	}
}
