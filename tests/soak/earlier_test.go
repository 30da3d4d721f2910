package soak_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// oldServer is an honest server of 2025-11-25: it keeps sessions, and asks by
// requests of its own while a call is in flight.
type oldServer struct {
	ledger *ledger

	mu       sync.Mutex
	last     int
	sessions map[string]*oldSession
	runs     sync.WaitGroup
}

// oldSession is a session that the server keeps.
type oldSession struct {
	server *oldServer
	id     string
	gone   chan struct{} // closed when the server knows it no more

	mu      sync.Mutex
	last    int
	legs    int
	waiting map[string]chan string // for the replies to its requests, by id
	asked   map[string]*question
	runs    map[string]*run // by the id of the leg
	streams map[string]*run // by number
}

// run is a leg that the server carries out. What it has to say of it are the
// events of a stream, which a client may read in pieces.
type run struct {
	number   string
	post     *post
	canceled chan struct{}
	taken    atomic.Int64 // how often its stream was taken up

	mu     sync.Mutex
	events []string
	over   bool
	more   chan struct{} // closed when there are more events, or no more to come
}

func newOldServer(l *ledger) *oldServer {
	return &oldServer{ledger: l, sessions: map[string]*oldSession{}}
}

func (s *oldServer) open() *oldSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	session := &oldSession{
		server: s, id: fmt.Sprintf("session-%d", s.last), gone: make(chan struct{}),
		waiting: map[string]chan string{}, asked: map[string]*question{}, runs: map[string]*run{}, streams: map[string]*run{},
	}
	s.sessions[session.id] = session
	return session
}

func (s *oldServer) session(id string) *oldSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[id]
}

// forget ends a session with all that is in flight in it.
func (s *oldServer) forget(session *oldSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[session.id] == session {
		delete(s.sessions, session.id)
		close(session.gone)
	}
}

// forgetAll ends all sessions and returns when their runs have ended.
func (s *oldServer) forgetAll() {
	for _, session := range s.all() {
		s.forget(session)
	}
	s.runs.Wait()
}

func (s *oldServer) all() (all []*oldSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		all = append(all, session)
	}
	return all
}

// start begins to carry out a leg; nil if it came too late.
func (s *oldSession) start(p *post) *run {
	l := s.server.ledger
	l.mu.Lock()
	if l.isTooLate(p) {
		l.mu.Unlock()
		return nil
	}
	if p.handled {
		l.violated(p.call, "the same request came twice")
	}
	p.handled = true
	l.counts["legs handled"]++
	p.call.note(l, "server: handles %s in %s", p.id, s.id)
	if given := p.call.given(); string(p.params.Arguments) != string(given.Arguments) || p.params.URI != given.URI || p.params.Name != given.Name {
		l.violated(p.call, "its params have changed: %s", p.body)
	}
	l.mu.Unlock()

	s.mu.Lock()
	s.last++
	s.legs++
	r := &run{number: strconv.Itoa(s.last), post: p, canceled: make(chan struct{}), more: make(chan struct{})}
	s.runs[p.id], s.streams[r.number] = r, r
	s.mu.Unlock()
	s.server.runs.Go(func() { s.carryOut(r) })
	return r
}

// carryOut asks what the call's plan says, and executes it if everything was
// answered.
func (s *oldSession) carryOut(r *run) {
	defer func() {
		r.say("")
		s.mu.Lock()
		delete(s.runs, r.post.id)
		s.mu.Unlock()
	}()
	l, c, chain := s.server.ledger, r.post.call, ""
	for _, questions := range c.plan {
		var replies []chan string
		for range questions {
			replies = append(replies, s.ask(r))
		}
		for _, reply := range replies {
			select {
			case said := <-reply:
				chain += said
			case <-r.canceled:
				return
			case <-s.gone:
				return
			case <-time.After(3 * legTime): // the reply is lost
				return
			}
		}
	}
	l.mu.Lock()
	result := c.execute(l, chain)
	l.mu.Unlock()
	r.say(`{"jsonrpc":"2.0","id":` + r.post.id + `,"result":` + string(result) + `}`)
}

// ask asks one question.
func (s *oldSession) ask(r *run) chan string {
	l := s.server.ledger
	l.mu.Lock()
	q := l.question(r.post.call)
	l.mu.Unlock()
	s.mu.Lock()
	s.last++
	id := strconv.Itoa(s.last)
	if s.last%3 == 0 {
		id = `"ask \u00e9` + id + `"`
	}
	reply := make(chan string, 1)
	s.waiting[id], s.asked[id] = reply, q
	s.mu.Unlock()
	r.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}`, id, q.method, q.params))
	return reply
}

// reply takes the answer to a question.
func (s *oldSession) reply(id string, result, failure json.RawMessage) {
	l := s.server.ledger
	l.mu.Lock() // over both: it may come again at the same time
	defer l.mu.Unlock()
	s.mu.Lock()
	q, waiting := s.asked[id], s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if q == nil {
		if result == nil || string(result) != "{}" { // of a ping
			l.violated(nil, "a reply to what was not asked: %s %s %s", id, result, failure)
		}
		return
	}
	c := q.call
	c.note(l, "server: question %d is answered %s%s", q.n, result, failure)
	text := string(result) + string(failure)
	if q.reply != "" && q.reply != text {
		l.violated(c, "question %d is answered twice: %s and %s", q.n, q.reply, text)
	}
	q.reply = text
	if waiting == nil { // its connection broke, and it was sent again: either of the two may get here first
		l.counts["replies that came again"]++
		return
	}
	switch {
	case failure != nil:
		waiting <- " no"
		return
	case q.answer == "":
		l.violated(c, "an answer to question %d, which nobody gave: %s", q.n, result)
	case q.answer != string(result):
		l.violated(c, "question %d was answered %s, and %s arrives", q.n, q.answer, result)
	}
	q.arrived = true
	waiting <- " " + strconv.Itoa(q.n)
}

// cancel gives up a leg.
func (s *oldSession) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[id]; r != nil {
		delete(s.runs, id)
		close(r.canceled)
	}
}

// say adds an event to a stream, or ends it.
func (r *run) say(event string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if event == "" {
		r.over = true
	} else {
		r.events = append(r.events, event)
	}
	close(r.more)
	r.more = make(chan struct{})
}

// next returns the event at a place, waiting for it; "" if there is none, or
// none that may be waited for.
func (r *run) next(at int, given <-chan struct{}) string {
	for {
		r.mu.Lock()
		more := r.more
		if at < len(r.events) {
			defer r.mu.Unlock()
			return r.events[at]
		}
		over := r.over
		r.mu.Unlock()
		if over {
			return ""
		}
		select {
		case <-more:
		case <-given:
			return ""
		}
	}
}
