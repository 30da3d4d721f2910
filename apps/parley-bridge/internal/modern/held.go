package modern

import (
	"sync"
	"time"
)

// held are the calls that wait for a client's answers, by what their
// requestState says. A state is good for one request.
type held struct {
	most int

	mu     sync.Mutex
	calls  map[string]*call
	timers map[string]*time.Timer
	closed bool
}

// put holds a call for a time; then it is canceled, and expired is called. It
// reports whether there was room.
func (h *held) put(id string, c *call, most time.Duration, expired func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.calls) >= h.most {
		return false
	}
	if h.timers == nil {
		h.timers = map[string]*time.Timer{}
	}
	h.calls[id] = c
	h.timers[id] = time.AfterFunc(most, func() {
		if h.take(id) == c {
			c.cancel()
			expired()
		}
	})
	return true
}

// take hands a call over, nil where there is none.
func (h *held) take(id string) *call {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.calls[id]
	if c != nil {
		delete(h.calls, id)
		h.timers[id].Stop()
		delete(h.timers, id)
	}
	return c
}

func (h *held) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for id, c := range h.calls {
		h.timers[id].Stop()
		c.cancel()
	}
	h.calls, h.timers = nil, nil
}
