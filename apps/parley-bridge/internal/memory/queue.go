package memory

import "slices"

// Queue is what a client is sent on one stream, from the first that it may not have
// read. Its methods may be called from any goroutine.
type Queue struct {
	bound   *Bound
	user    string
	replays bool // what was read is kept, for a client that comes back

	// Bound.mu guards these.
	events  []*Event
	last    int // number of the last event
	bytes   int // of events
	read    int // the highest number of an event that was written to a connection
	ended   bool
	closed  bool
	since   int           // when it ended, by Bound.turn; 0 while it runs
	changed chan struct{} // closed when something above changes
}

// Event is one message to a client.
type Event struct {
	Number int // from 1
	Text   []byte

	answer  bool
	instead []byte // of the answer, where there is no room for it; nil if it is that, or as short
	open    bool   // a question that waits for its answer
	readers int    // connections that are writing it
	gone    bool   // it is in no queue, and held only for them
}

// Bounds of a queue by itself; older messages make room.
const (
	maxEvents = 1024
	maxBytes  = 16 << 20
)

// overhead is about what an event takes beside its text, in bytes.
const overhead = 128

func (e *Event) cost() int { return cap(e.Text) + cap(e.instead) + overhead }

// NewQueue makes a queue; close it.
func (b *Bound) NewQueue(user string, replays bool) *Queue {
	q := &Queue{bound: b, user: user, replays: replays, changed: make(chan struct{})}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.charge(user, overhead)
	b.users[user].queues[q] = true
	return q
}

// Add puts a message into the queue, which keeps it. It does not block.
func (q *Queue) Add(text []byte) { q.add(&Event{Text: text}) }

// AddAnswer adds an answer, and what is sent instead if there is no room to keep it.
func (q *Queue) AddAnswer(text, instead []byte) {
	q.add(&Event{Text: text, answer: true, instead: instead})
}

// AddQuestion adds a question, which stays until it is settled. It fails if there is no
// room for it.
func (q *Queue) AddQuestion(text []byte) (settle func(), err error) {
	e := &Event{Text: text, open: true}
	q.add(e)
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	settle = func() {
		q.bound.mu.Lock()
		defer q.bound.mu.Unlock()
		e.open = false
	}
	if err := q.bound.full(q.user); err != nil {
		e.open = false
		q.remove(e)
		return nil, err
	}
	return settle, nil
}

func (q *Queue) add(e *Event) {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	if q.closed {
		return
	}
	if cap(e.instead) >= cap(e.Text) {
		e.instead = nil
	}
	q.last++
	e.Number = q.last
	q.events = append(q.events, e)
	q.bytes += e.cost()
	q.bound.charge(q.user, e.cost())
	for i := 0; i < len(q.events)-1 && (len(q.events) > maxEvents || q.bytes > maxBytes); {
		switch old := q.events[i]; {
		case old.open, old.answer && len(q.events) <= maxEvents && !q.shrink(old):
			i++
		case !old.answer || len(q.events) > maxEvents:
			q.remove(old)
		}
	}
	q.signal()
}

// End says that nothing more will be added.
func (q *Queue) End() {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	if !q.ended {
		q.bound.turn++
		q.ended, q.since = true, q.bound.turn
		q.signal()
	}
}

// Close ends the queue and frees what is in it.
func (q *Queue) Close() {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	q.close()
}

func (q *Queue) close() {
	if q.closed {
		return
	}
	for len(q.events) > 0 {
		q.remove(q.events[0])
	}
	q.ended, q.closed = true, true
	delete(q.bound.users[q.user].queues, q)
	q.bound.charge(q.user, -overhead)
	q.signal()
}

// State is how a queue is.
type State struct {
	Empty  bool // nothing was added
	Ended  bool
	Closed bool
	Read   int             // the highest number of an event that a connection has read
	Change <-chan struct{} // closed when any of this changes, or something is added
}

// State returns how the queue is.
func (q *Queue) State() State {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	return q.state()
}

func (q *Queue) state() State {
	return State{Empty: q.last == 0, Ended: q.ended, Closed: q.closed, Read: q.read, Change: q.changed}
}

// Next is the first event after a number, nil if there is none yet. [Queue.Written]
// takes it back.
func (q *Queue) Next(number int) (*Event, State) {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	for _, e := range q.events {
		if e.Number > number {
			e.readers++
			return e, q.state()
		}
	}
	return nil, q.state()
}

// Written says that a connection is done with an event, and whether it was written.
func (q *Queue) Written(e *Event, whole bool) {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	e.readers--
	if whole {
		q.read = max(q.read, e.Number)
	}
	switch {
	case e.gone && e.readers == 0:
		q.bound.charge(q.user, -e.cost())
	case whole && !q.replays && !e.gone:
		q.remove(e)
	}
}

// Has reports whether what comes after a number is there, or will be.
func (q *Queue) Has(number int) bool {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	return !q.ended || number >= q.last || len(q.events) > 0 && q.events[len(q.events)-1].Number == q.last
}

// Wake has those who wait for a change look again.
func (q *Queue) Wake() {
	q.bound.mu.Lock()
	defer q.bound.mu.Unlock()
	q.signal()
}

func (q *Queue) signal() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// remove takes an event out of the queue. What a connection is writing is held until
// it is done.
func (q *Queue) remove(e *Event) {
	i := slices.Index(q.events, e)
	if i < 0 {
		return
	}
	q.events = slices.Delete(q.events, i, i+1)
	q.bytes -= e.cost()
	e.gone = true
	if e.readers == 0 {
		q.bound.charge(q.user, -e.cost())
	}
}

// shrink has a few words in the place of an answer, and reports whether that freed
// anything.
func (q *Queue) shrink(e *Event) bool {
	if e.instead == nil || e.readers > 0 {
		return false
	}
	before := e.cost()
	e.Text, e.instead = e.instead, nil
	q.bytes += e.cost() - before
	q.bound.charge(q.user, e.cost()-before)
	return true
}
