package parley

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/parley-mcp/parley/engine/session"
)

// posting is an exchange to be performed: a Post, Request, Recall, Listen or
// Delete.
type posting struct {
	session *Session
	number  int
	call    int // whose leg it is, 0 if nobody's
	leg     int
	action  session.Action
	own     bool // neither a call's leg nor a stream of the server's

	line context.Context // of the connection, nil if the exchange has an end of its own
	life lifetime        // of the exchange, otherwise

	mends    int          // of the session, when it was begun
	progress atomic.Int32 // of Perform: performing, brought or returned
	next     *question    // that it brought

	// The session's lock.
	owed     bool // the server brought it about
	begun    bool // the transport has it
	answered bool // or certainly not sent
	ended    bool
}

func (p *posting) isOver() bool { return p.ended }

// isRecall reports whether it is not for the transport.
func (p *posting) isRecall() bool {
	_, ok := p.action.(session.Recall)
	return ok
}

// context ends when nobody waits for the exchange any more.
func (p *posting) context() context.Context {
	if p.line != nil {
		return p.line
	}
	return &p.life
}

// begin reports whether the exchange is to be performed still. From now on it
// may have been.
func (p *posting) begin() bool {
	s := p.session
	s.mu.Lock()
	defer s.mu.Unlock()
	p.begun = !p.ended && p.context().Err() == nil
	p.mends = s.mends
	return p.begun
}

// The progress of Perform.
const (
	performing int32 = iota
	brought          // a question, and has not returned
	returned
)

// perform has the transport perform the exchange, and returns a question that is
// to be asked now, if there is one.
func (p *posting) perform() (next *question) {
	if !p.begin() {
		return nil
	}
	defer p.performed()
	p.session.transport.Perform(p.context(), p.action, p.report)
	if p.progress.Swap(returned) == brought {
		next = p.next
	}
	return next
}

// leaves leaves a question to the goroutine in which the transport performs, if
// it has not returned. The session's lock is held.
func (p *posting) leaves(q *question) bool {
	if p.progress.Load() != performing {
		return false
	}
	p.next = q
	return p.progress.CompareAndSwap(performing, brought)
}

// performed is deferred while the transport performs.
func (p *posting) performed() {
	if p.progress.Swap(returned) == brought { // and Perform did not return
		go p.next.run()
	}
	s := p.session
	if r := recover(); r != nil {
		s.report(session.Ended{Exchange: p.number, Reason: "the transport panicked"}, fmt.Errorf("parley: the transport panicked: %v", r), false, p.mends)
	}
	if s.ordered { // it has no end of its own
		s.mu.Lock()
		s.over(p)
		s.mu.Unlock()
	}
}

func (p *posting) report(ev session.Event, cause error) {
	p.session.report(ev, cause, p.progress.Load() == returned, p.mends)
}
