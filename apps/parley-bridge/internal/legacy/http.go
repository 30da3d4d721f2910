package legacy

import (
	"cmp"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/room"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/sse"
	"github.com/parley-mcp/parley/hosts/go/serve"
)

// Sessions serves sessions over Streamable HTTP as of MCP 2025-11-25 and before.
type Sessions struct {
	Options
	Share serve.Share   // sessions at once
	Idle  time.Duration // after which a session without an open connection ends

	mu   sync.Mutex
	open map[string]*httpSession
	turn atomic.Int64 // counts how often a session was left
}

// httpSession is a session and the streams its client reads.
type httpSession struct {
	*Session
	id        string
	principal string      // whose it is, "" without authentication
	unasked   *sse.Stream // what belongs to no request

	mu      sync.Mutex
	streams map[string]*postStream // of POSTs, by name
	over    bool
	held    *memory.Lease // of initialize, whose capabilities are kept
	count   int
	using   int   // connections
	left    int64 // when one left it last, by Sessions.turn
	idle    *time.Timer
}

// postStream is the stream of a POST.
type postStream struct {
	*sse.Stream
	users int // connections, and what answers
}

// resumable is how long the stream of a POST can be taken up again after its
// last message.
const resumable = 5 * time.Minute

// lingers is how long after it was written to its end: whether the client has read
// that is not known, and one whose connection broke just then comes back at once.
const lingers = 10 * time.Second

// maxEnded is how many streams that have ended a session keeps, for clients that come
// back.
const maxEnded = 64

// Post takes the messages of a POST. The first one of a client's, initialize, begins a
// session: an Mcp-Session-Id that comes with it is that of an earlier one.
func (h *Sessions) Post(w http.ResponseWriter, r *http.Request, messages []message.Message, principal string) {
	isFirst := func(m message.Message) bool { return m.Method == "initialize" && m.ID != nil }
	switch {
	case len(messages) == 1 && isFirst(messages[0]):
		h.initialize(w, messages[0], principal)
		return
	case slices.ContainsFunc(messages, isFirst):
		http.Error(w, "initialize comes with other messages: send it alone, then them", http.StatusBadRequest)
		return
	}
	s := h.find(w, r, principal)
	if s == nil {
		return
	}
	defer h.leave(s)
	stream := s.newStream()
	var runs []func()
	for _, m := range messages {
		if run := s.Take(m, stream); run != nil {
			runs = append(runs, run)
		}
	}
	if len(runs) == 0 {
		s.forget(stream)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	go func() {
		var all sync.WaitGroup
		for _, run := range runs {
			all.Go(run)
		}
		all.Wait()
		stream.End()
		s.done(stream)
		s.trim()
		time.AfterFunc(resumable, func() { s.forget(stream) })
	}()
	defer s.done(stream)
	if stream.Follow(w, r, 0, s.primes()) {
		time.AfterFunc(lingers, func() { s.forget(stream) })
	}
}

func (h *Sessions) initialize(w http.ResponseWriter, m message.Message, principal string) {
	s := &httpSession{
		id: rand.Text(), principal: principal, unasked: sse.New(h.Memory, principal, "0"), streams: map[string]*postStream{}, held: m.Held.Keep(),
	}
	opts := h.Options
	opts.User = principal
	s.Session = NewSession(opts, s.unasked)
	s.using = 1
	s.idle = time.AfterFunc(h.Idle, func() { h.expire(s) })
	defer h.leave(s)
	if err := h.admit(s); err != nil {
		h.end(s)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(serve.SetRefusal(w.Header(), err))
		w.Write(message.Failure(m.ID, message.Error(message.Internal, room.Text(err, "sessions"), nil)))
		return
	}
	answer := &only{}
	s.Take(m, answer)()
	w.Header().Set("Content-Type", "application/json")
	if message.Get(answer.text, "error") != nil {
		h.end(s)
		w.WriteHeader(http.StatusOK)
	} else {
		w.Header().Set("Mcp-Session-Id", s.id)
	}
	w.Write(answer.text)
}

// admit takes a session in, if there is room or another can make it.
func (h *Sessions) admit(s *httpSession) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	old, ends, err := room.For(h.Share, s.principal, h.open, (*httpSession).holding)
	if err != nil {
		return err
	}
	if ends {
		h.Options.Log.Info("a session ended: nobody used it, and another began")
		delete(h.open, old.id)
		go h.end(old) // tells the server, which takes its time
	}
	if h.open == nil {
		h.open = map[string]*httpSession{}
	}
	h.open[s.id] = s
	return nil
}

// holding is what a session takes. One with a request that runs, or a question that
// is open, is in use even if no connection is.
func (s *httpSession) holding() room.Holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	return room.Holding{Owner: s.principal, Idle: s.using == 0 && !s.Session.isBusy(), Since: int(s.left)}
}

// only takes the one message that answers initialize.
type only struct{ text []byte }

// Send implements [message.Sink].
func (o *only) Send([]byte) {}

// Answer implements [message.Sink].
func (o *only) Answer(_, text []byte) { o.text = text }

// Ask implements [message.Sink].
func (o *only) Ask([]byte) (settle func(), err error) {
	return nil, errors.New("parley-bridge: initialize asks nothing")
}

// Get opens the stream of what belongs to no request, or takes up one that
// broke.
func (h *Sessions) Get(w http.ResponseWriter, r *http.Request, principal string) {
	s := h.find(w, r, principal)
	if s == nil {
		return
	}
	defer h.leave(s)
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		s.unasked.Follow(w, r, s.unasked.State().Read, s.primes())
		return
	}
	name, number, ok := sse.ReadEventID(last)
	if ok && name == s.unasked.Name() {
		s.unasked.Follow(w, r, number, false)
		return
	}
	s.mu.Lock()
	stream := s.streams[name]
	if !ok || stream == nil || !stream.Has(number) {
		s.mu.Unlock()
		http.Error(w, "there is no stream with this event: it has ended", http.StatusBadRequest)
		return
	}
	stream.users++
	s.mu.Unlock()
	defer s.done(stream)
	if stream.Follow(w, r, number, false) {
		time.AfterFunc(lingers, func() { s.forget(stream) })
	}
}

// Delete ends a session.
func (h *Sessions) Delete(w http.ResponseWriter, r *http.Request, principal string) {
	s := h.find(w, r, principal)
	if s == nil {
		return
	}
	h.end(s)
	w.WriteHeader(http.StatusNoContent)
}

// Stop ends the streams that would not end by themselves.
func (h *Sessions) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.open {
		s.unasked.End()
	}
}

// Close ends all sessions.
func (h *Sessions) Close() {
	h.mu.Lock()
	open := h.open
	h.open = nil
	h.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range open {
		all.Go(func() { h.end(s) })
	}
	all.Wait()
}

// find is the session that a request names and notes that a connection uses it,
// or answers that there is none.
func (h *Sessions) find(w http.ResponseWriter, r *http.Request, principal string) *httpSession {
	if version := r.Header.Get("MCP-Protocol-Version"); version != "" && !IsVersion(version) {
		http.Error(w, "MCP-Protocol-Version names a version without sessions", http.StatusBadRequest)
		return nil
	}
	id := r.Header.Get("Mcp-Session-Id")
	if id == "" {
		http.Error(w, "there is no Mcp-Session-Id: send initialize first", http.StatusBadRequest)
		return nil
	}
	s := h.use(id, principal)
	if s == nil {
		http.Error(w, "there is no such session: it has ended", http.StatusNotFound)
	}
	return s
}

// use notes that a connection uses a session, nil if there is none; somebody else's
// does not exist.
func (h *Sessions) use(id, principal string) *httpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.open[id]
	if s == nil || s.principal != principal {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.using++
	s.idle.Stop()
	s.idle.Reset(h.Idle)
	return s
}

func (h *Sessions) leave(s *httpSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.using--
	s.left = h.turn.Add(1)
}

// expire ends a session that nobody used for long. A call that runs or a
// question that is open without a connection ends with it.
func (h *Sessions) expire(s *httpSession) {
	s.mu.Lock()
	used := s.using > 0
	if used {
		s.idle.Reset(h.Idle)
	}
	s.mu.Unlock()
	if !used {
		h.Options.Log.Info("a session ended: nobody used it")
		h.end(s)
	}
}

func (h *Sessions) end(s *httpSession) {
	h.mu.Lock()
	delete(h.open, s.id)
	h.mu.Unlock()
	s.idle.Stop()
	s.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.over = true
	s.held.Drop()
	s.unasked.Close()
	for _, stream := range s.streams { // the others end once their requests are answered
		if stream.users == 0 {
			s.drop(stream)
		}
	}
}

func (s *httpSession) newStream() *postStream {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	stream := &postStream{sse.New(s.opts.Memory, s.principal, strconv.Itoa(s.count)), 2}
	s.streams[stream.Name()] = stream
	return stream
}

// trim forgets the streams that ended first, where there are more than a session may
// have.
func (s *httpSession) trim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ended []*postStream
	for _, stream := range s.streams {
		if stream.State().Ended {
			ended = append(ended, stream)
		}
	}
	slices.SortFunc(ended, func(a, b *postStream) int { // names are numbers
		return cmp.Or(cmp.Compare(len(a.Name()), len(b.Name())), cmp.Compare(a.Name(), b.Name()))
	})
	for ; len(ended) > maxEnded; ended = ended[1:] {
		s.drop(ended[0])
	}
}

func (s *httpSession) forget(stream *postStream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(stream)
}

func (s *httpSession) drop(stream *postStream) {
	delete(s.streams, stream.Name())
	stream.Close()
}

// done notes that a connection, or what answers, is done with a stream. After the
// session's end it goes with the last of them.
func (s *httpSession) done(stream *postStream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stream.users--; stream.users == 0 && s.over {
		s.drop(stream)
	}
}

// primes reports whether a stream begins with an event that only has an id: what
// came before 2025-11-25 knows no such event.
func (s *httpSession) primes() bool { return s.version == versions[0] }
