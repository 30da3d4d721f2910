package parley

import "sync"

// sendQueue begins exchanges one after another, in one goroutine from the first of them
// until the session ends.
type sendQueue struct {
	session *Session
	mu      sync.Mutex
	some    *sync.Cond // something to do, or the end
	queue   []errand
	ended   bool
}

// errand is an exchange to send, or something to do when those before have begun.
type errand struct {
	send *exchange
	do   func()
}

// add queues an errand. After the end nothing is done, and it reports false.
func (q *sendQueue) add(e errand) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended {
		return false
	}
	if q.queue = append(q.queue, e); q.some == nil {
		q.some = sync.NewCond(&q.mu)
		go q.run()
	}
	q.some.Signal()
	return true
}

func (q *sendQueue) run() {
	returned := false
	defer func() {
		if !returned { // runtime.Goexit in a transport
			go q.run()
		}
	}()
	for e, ok := q.next(); ok; e, ok = q.next() {
		if e.send != nil {
			q.session.send(e.send)
		} else {
			e.do()
		}
	}
	returned = true
}

// next waits for an errand. There is none after the end.
func (q *sendQueue) next() (e errand, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.ended {
		q.some.Wait()
	}
	if len(q.queue) == 0 {
		return e, false
	}
	e, q.queue[0] = q.queue[0], errand{}
	if len(q.queue) == 1 { // its memory is used again
		q.queue = q.queue[:0]
	} else {
		q.queue = q.queue[1:]
	}
	return e, true
}

// drain waits until what is queued is done.
func (q *sendQueue) drain() {
	done := make(chan struct{})
	if q.add(errand{do: func() { close(done) }}) {
		<-done
	}
}

// end lets the goroutine end when what is queued is done.
func (q *sendQueue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended = true; q.some != nil {
		q.some.Signal()
	}
}
