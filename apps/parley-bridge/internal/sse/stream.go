// Package sse writes messages as server-sent events, which is how Streamable HTTP
// answers a request that has more to tell than its result.
package sse

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// Stream is what a client reads as server-sent events: the response to one POST,
// or what belongs to no request. It keeps what it sent, so that a client whose
// connection broke while a person was thinking can take it up again. Its methods
// may be called from any goroutine.
//
// Source: MCP 2025-11-25, basic/transports, Resumability and Redelivery.
type Stream struct {
	name string

	mu       sync.Mutex
	sent     [][]byte // the last ones
	dropped  int      // how many before them
	size     int      // of sent, in bytes
	ended    bool
	changed  chan struct{} // closed when something above changes
	follower int           // the connection that counts: the latest
	written  int           // messages written to any connection
}

// A stream keeps this much; older messages are dropped.
const (
	maxKept     = 1024
	maxKeptSize = 16 << 20 // bytes
)

// silence is after what time without a message a comment is sent, so that no
// proxy takes the connection for dead.
const silence = 15 * time.Second

// New makes a stream. Its name is in its events' ids; "" leaves them out.
func New(name string) *Stream { return &Stream{name: name, changed: make(chan struct{})} }

// Name is the stream's name.
func (s *Stream) Name() string { return s.name }

// Send puts a message, which is kept, into the stream. It does not block.
func (s *Stream) Send(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, message.Line(text))
	s.size += len(text)
	for len(s.sent) > 1 && (len(s.sent) > maxKept || s.size > maxKeptSize) {
		s.size -= len(s.sent[0])
		s.sent[0] = nil
		s.sent = s.sent[1:]
		s.dropped++
	}
	s.signal()
}

// End says that nothing more will be sent.
func (s *Stream) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.signal()
}

// Changed is closed when something is sent or the stream ends.
func (s *Stream) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// IsEmpty reports whether nothing was sent.
func (s *Stream) IsEmpty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped+len(s.sent) == 0
}

// Ended reports whether nothing more will be sent, and how many bytes are kept.
func (s *Stream) Ended() (ended bool, kept int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended, s.size
}

// Seen is where a client begins that was not here before: after what another
// connection has read, if there was one.
func (s *Stream) Seen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

func (s *Stream) signal() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Follow writes what comes after the first number messages, until the stream
// ends, the client goes, or another connection takes over. It reports whether
// all was written. prime begins with an event that only has an id.
func (s *Stream) Follow(w http.ResponseWriter, r *http.Request, number int, prime bool) (whole bool) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	if prime {
		fmt.Fprintf(w, "%sretry: 1000\ndata: \n\n", s.eventID(number))
	}
	flush.Flush()

	s.mu.Lock()
	s.follower++
	me := s.follower
	s.signal()
	s.mu.Unlock()
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		s.mu.Lock()
		number = max(number, s.dropped)
		news, changed := s.sent[min(number-s.dropped, len(s.sent)):], s.changed
		ended, replaced := s.ended, s.follower != me
		s.mu.Unlock()
		if replaced {
			return false
		}
		for _, text := range news {
			number++
			if _, err := fmt.Fprintf(w, "%sdata: %s\n\n", s.eventID(number), text); err != nil {
				return false
			}
		}
		if flush.Flush() != nil {
			return false
		}
		s.mu.Lock()
		s.written = max(s.written, number)
		s.mu.Unlock()
		if ended {
			return true
		}
		quiet.Reset(silence)
		select {
		case <-changed:
		case <-quiet.C:
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		}
	}
}

// eventID is the field of an event's id.
func (s *Stream) eventID(number int) string {
	if s.name == "" {
		return ""
	}
	return fmt.Sprintf("id: %s-%d\n", s.name, number)
}

// ReadEventID takes an event's id apart into the stream's name and a number for
// [Stream.Follow].
func ReadEventID(id string) (name string, number int, ok bool) {
	name, text, found := strings.Cut(id, "-")
	number, err := strconv.Atoi(text)
	return name, number, found && err == nil && number >= 0
}
