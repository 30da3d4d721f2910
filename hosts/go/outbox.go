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
type outbox struct {
	mu      sync.Mutex
	some    *sync.Cond // errands, or the end
	errands fifo[errand]
	begun   bool // there has been a goroutine
	manned  bool // one begins exchanges, or waits for them
	aside   bool // one asks
	over    bool
}

// errand is an exchange to begin, or something to do when those before have
// begun.
type errand struct {
	begin *posting
	do    func()
}

// add queues an errand. After the end nothing is run.
func (o *outbox) add(e errand) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.over {
		o.push(e)
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
		if e.begin == nil {
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
			if ok {
				q.driver.answered(h)
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
	for o.errands.len() == 0 && !o.over {
		o.some.Wait()
	}
	return o.errands.pop()
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
