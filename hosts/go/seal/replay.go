package seal

import (
	"container/heap"
	"errors"
	"sync"
	"time"
)

// ErrReplayFull says that a [MemoryReplay] holds as much as it may.
var ErrReplayFull = errors.New("seal: the replay store is full")

// MemoryReplay is a [codec.ReplayStore] in this process's memory: it lets
// states open once if a single instance serves, but not across several. It
// takes about 100 bytes for each state that has not expired, and a full one
// refuses further states rather than forget one. A Guard's TTL is how long each
// takes room: with 24 hours, 1,048,576 are 12 a second. A clock that jumps ahead and
// back opens nothing twice: what may have been forgotten is refused. The zero
// value is ready; it is safe for concurrent use.
type MemoryReplay struct {
	// Capacity is how many states are remembered at a time. Zero means
	// 1,048,576.
	Capacity int

	// Now is the time of day; nil means time.Now. Give it the Guard's.
	Now func() time.Time

	mu     sync.Mutex
	known  map[[16]byte]bool
	expiry expiries // of everything in known, the earliest first

	// forgotten is when the last state expired that is not remembered any more:
	// of one that expires no later it cannot be told whether it was used. It is
	// ahead of the clock only after the clock was set back.
	forgotten time.Time
}

const defaultReplayCapacity = 1 << 20

// Consume implements [codec.ReplayStore]. It fails with [ErrReplayFull], and
// for a state that has expired already, by the clock as it is now or as it was
// when states that live as long were forgotten.
func (r *MemoryReplay) Consume(id [16]byte, expires time.Time) (first bool, err error) {
	now := time.Now
	if r.Now != nil {
		now = r.Now
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	at := now()
	if !at.Before(expires) || !r.forgotten.Before(expires) { // the first would be forgotten at once
		return false, errors.New("seal: the state has expired by the replay store's clock")
	}
	for len(r.expiry) > 0 && !at.Before(r.expiry[0].time) {
		last := heap.Pop(&r.expiry).(expiry)
		delete(r.known, last.id)
		r.forgotten = last.time
	}
	if r.known[id] {
		return false, nil
	}
	most := r.Capacity
	if most <= 0 {
		most = defaultReplayCapacity
	}
	if len(r.known) >= most {
		return false, ErrReplayFull
	}
	if r.known == nil {
		r.known = map[[16]byte]bool{}
	}
	r.known[id] = true
	heap.Push(&r.expiry, expiry{expires, id})
	return true, nil
}

// Len is how many states are remembered.
func (r *MemoryReplay) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.known)
}

type expiry struct {
	time time.Time
	id   [16]byte
}

// expiries is a heap.
type expiries []expiry

func (e expiries) Len() int           { return len(e) }
func (e expiries) Less(i, j int) bool { return e[i].time.Before(e[j].time) }
func (e expiries) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *expiries) Push(x any)        { *e = append(*e, x.(expiry)) }
func (e *expiries) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
