// Package sse writes messages as server-sent events, which is how Streamable HTTP
// answers a request that has more to tell than its result.
package sse

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// Stream is what a client reads as server-sent events: the response to one POST,
// or what belongs to no request. It keeps what it sent, so that a client whose
// connection broke while a person was thinking can take it up again. Its methods
// may be called from any goroutine.
//
// Source: MCP 2025-11-25, basic/transports, Resumability and Redelivery.
type Stream struct {
	*memory.Queue
	name     string
	follower atomic.Int64 // the connection that counts: the latest
}

// silence is after what time without a message a comment is sent, so that no
// proxy takes the connection for dead.
const silence = 15 * time.Second

// New makes a stream for a user; close it. Its name is in its events' ids; "" leaves
// them out, and nothing can be taken up again.
func New(bound *memory.Bound, user, name string) *Stream {
	return &Stream{Queue: bound.NewQueue(user, name != ""), name: name}
}

// Name is the stream's name.
func (s *Stream) Name() string { return s.name }

// Send implements [message.Sink].
func (s *Stream) Send(text []byte) { s.Add(message.Line(text)) }

// Answer implements [message.Sink].
func (s *Stream) Answer(id, text []byte) {
	s.AddAnswer(message.Line(text), message.Failure(id, message.Error(message.Internal,
		"parley-bridge: the answer had come, but was not fetched, and there was no room to keep it. What was asked for may have been done: look before you ask again", nil)))
}

// Ask implements [message.Sink].
func (s *Stream) Ask(text []byte) (settle func(), err error) {
	if settle, err = s.AddQuestion(message.Line(text)); err != nil {
		return nil, fmt.Errorf("%s", memory.Text(err))
	}
	return settle, nil
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

	me := s.follower.Add(1)
	s.Wake()
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		e, state := s.Next(number)
		if e != nil {
			number = e.Number
			err := s.write(w, e)
			if err == nil {
				err = flush.Flush()
			}
			s.Written(e, err == nil)
			if err != nil {
				return false
			}
		}
		switch {
		case s.follower.Load() != me || state.Closed:
			return false
		case e != nil:
			continue
		case state.Ended:
			return true
		}
		quiet.Reset(silence)
		select {
		case <-state.Change:
		case <-quiet.C:
			if _, err := fmt.Fprint(w, ":\n\n"); err != nil || flush.Flush() != nil {
				return false
			}
		case <-r.Context().Done():
			return false
		}
	}
}

// write writes an event, without another copy of its text.
func (s *Stream) write(w io.Writer, e *memory.Event) error {
	if _, err := fmt.Fprintf(w, "%sdata: ", s.eventID(e.Number)); err != nil {
		return err
	}
	if _, err := w.Write(e.Text); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n\n")
	return err
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
