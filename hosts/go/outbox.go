package parley

import "sync"

// outbox begins the exchanges of a session one after another, in one goroutine
// from the first of them until the session ends: its stack has grown once to
// what a transport and the engine need.
//
// What an exchange brought while it was begun that goroutine asks by itself, if
// nothing else is to begin, and goes on with the answer: two goroutines need not
// be woken for it. Another takes its place where one is needed meanwhile, and the
// first to have nothing more to do ends.
//
// It also feeds the answers of askers with goroutines of their own while it would
// wait. While it begins an exchange, which may take a transport any time, a second
// one does so, as long as there are any.
type outbox struct {
	mu      sync.Mutex
	some    *sync.Cond // errands, answers or the end
	errands fifo[errand]
	answers fifo[*driver] // each has one
	begun   bool          // there has been a goroutine
	manned  bool          // one begins exchanges, or waits for them
	waits   bool          // it does the latter
	aside   bool          // one asks
	feeds   bool          // one feeds answers, and nothing else
	over    bool
}

// errand is a call to make and begin, an exchange to begin, an answer to feed, or
// something to do when the exchanges before have begun.
type errand struct {
	open  *sessionCall
	begin *posting
	feed  *driver
	do    func()
}

// add queues an errand. After the end nothing is run, and it reports false.
func (o *outbox) add(e errand) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.over {
		o.push(e)
	}
	return !o.over
}

// feed has an answer fed that a call holds.
func (o *outbox) feed(d *driver) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers.push(d)
	switch {
	case o.waits:
		o.some.Signal()
	case !o.feeds:
		o.feeds = true
		go o.feedAll()
	}
}

func (o *outbox) feedAll() {
	for {
		o.mu.Lock()
		d, ok := o.answers.pop()
		o.feeds = ok
		o.mu.Unlock()
		if !ok {
			return
		}
		d.feedAhead()
	}
}

func (o *outbox) push(e errand) {
	o.errands.push(e)
	switch {
	case o.manned:
		o.some.Signal()
	case !o.begun:
		o.begun, o.some = true, sync.NewCond(&o.mu)
		fallthrough
	default:
		o.manned = true
		go o.run()
	}
}

// drain waits until what is queued has run, unless the end has come.
func (o *outbox) drain() {
	done := make(chan struct{})
	o.mu.Lock()
	if !o.manned || o.over {
		o.mu.Unlock()
		return
	}
	o.push(errand{do: func() { close(done) }})
	o.mu.Unlock()
	<-done
}

// end lets the goroutine end when what is queued has run.
func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	if o.begun {
		o.some.Signal()
	}
}

func (o *outbox) run() {
	here := true // it is this goroutine that begins exchanges
	defer func() {
		if here { // runtime.Goexit in a transport
			go o.run()
		}
	}()
	for here {
		var e errand
		if e, here = o.next(); !here {
			return
		}
		switch {
		case e.open != nil:
			e.open.openAhead()
			continue
		case e.feed != nil:
			e.feed.feedAhead()
			continue
		case e.do != nil:
			observe(e.do)
			continue
		}
		q := e.begin.perform()
		switch {
		case q == nil:
		case o.leave():
			here = false
			h, ok := q.ask()
			here = o.comeBack()
			switch {
			case !ok:
			case q.driver.holds(h):
				q.driver.feedAhead()
			default:
				q.driver.call.happen(h)
			}
		default:
			go q.run()
		}
	}
}

// next waits for an errand. There is none after the end.
func (o *outbox) next() (e errand, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.errands.len() == 0 && o.answers.len() == 0 && !o.over {
		o.waits = true
		o.some.Wait()
		o.waits = false
	}
	if e, ok = o.errands.pop(); !ok && !o.over {
		e.feed, ok = o.answers.pop()
	}
	return e, ok
}

// leave lets the goroutine that begins exchanges ask, if none is to begin and no
// other asks: each of many askers may have a small goroutine of its own.
func (o *outbox) leave() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.aside || o.over || o.errands.len() > 0 {
		return false
	}
	o.aside, o.manned = true, false
	return true
}

// comeBack reports whether the goroutine that asked begins exchanges again, as no
// other does.
func (o *outbox) comeBack() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.aside = false
	if o.manned {
		return false
	}
	o.manned = true
	return true
}
