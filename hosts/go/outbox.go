package parley

import "sync"

// outbox begins the exchanges of a session one after another, in one goroutine
// from the first of them until the session ends: its stack has grown once to
// what a transport and the engine need.
type outbox struct {
	mu      sync.Mutex
	some    *sync.Cond // errands, or the end
	errands fifo[errand]
	begun   bool // there is a goroutine
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
	if o.over {
		return
	}
	if !o.begun {
		o.begun, o.some = true, sync.NewCond(&o.mu)
		go o.run()
	}
	o.errands.push(e)
	o.some.Signal()
}

// drain waits until what is queued has run, unless the end has come.
func (o *outbox) drain() {
	done := make(chan struct{})
	o.mu.Lock()
	if !o.begun || o.over {
		o.mu.Unlock()
		return
	}
	o.errands.push(errand{do: func() { close(done) }})
	o.some.Signal()
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
	ended := false
	defer func() {
		if !ended { // runtime.Goexit in a transport
			go o.run()
		}
	}()
	for {
		o.mu.Lock()
		for o.errands.len() == 0 && !o.over {
			o.some.Wait()
		}
		e, ok := o.errands.pop()
		o.mu.Unlock()
		switch {
		case !ok:
			ended = true
			return
		case e.begin != nil:
			e.begin.perform()
		default:
			observe(e.do)
		}
	}
}
