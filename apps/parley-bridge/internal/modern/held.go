package modern

import (
	"errors"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/room"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

var errEnding = errors.New("parley-bridge: the bridge is about to end")

// held are the calls that wait for a client's answers, by what their
// requestState says. A state is good for one request.
type held struct {
	share serve.Share

	mu     sync.Mutex
	calls  map[string]*call
	timers map[string]*time.Timer
	closed bool
}

// put holds a call for a time; then it is canceled, and expired is called. It
// fails if there is no room.
func (h *held) put(id string, c *call, most time.Duration, expired func()) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return errEnding
	}
	of := func(c *call) room.Holding { return room.Holding{Owner: c.user} } // somebody thinks about each
	if _, _, err := room.For(h.share, c.user, h.calls, of); err != nil {
		return errors.New(room.Text(err, "calls that wait for answers"))
	}
	if h.timers == nil {
		h.timers = map[string]*time.Timer{}
	}
	h.calls[id] = c
	h.timers[id] = time.AfterFunc(most, func() {
		if h.take(id) == c {
			c.cancel()
			c.leave()
			expired()
		}
	})
	return nil
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
		c.leave()
	}
	h.calls, h.timers = nil, nil
}
