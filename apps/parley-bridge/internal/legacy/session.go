// Package legacy is the bridge's side towards clients of the protocol's earlier
// versions, 2025-03-26 to 2025-11-25: a server with sessions that asks by
// requests of its own. Whatever the server behind the bridge asks becomes such a
// request.
package legacy

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/apps/shared-go/display"
)

var versions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}

// Versions are the protocol versions spoken here, the latest first.
func Versions() []string { return slices.Clone(versions) }

// IsVersion reports whether a protocol version is spoken here.
func IsVersion(version string) bool { return slices.Contains(versions, version) }

// Options shape sessions.
type Options struct {
	Server    *upstream.Server
	User      string // of the bridge, "" where it knows none
	Log       *slog.Logger
	Memory    *memory.Bound // of what is held for clients over HTTP, nil over stdio
	Heartbeat time.Duration // how often a client that waits for somebody is told that it does, if it wants progress
}

// Session is one client.
type Session struct {
	opts    Options
	general message.Sink // for what belongs to no request
	life    context.Context
	end     context.CancelFunc

	conn      *upstream.Conn // nil before initialize
	version   string
	questions atomic.Int64 // ids of the bridge's own requests
	level     atomic.Int32 // of log messages that the client wants

	mu       sync.Mutex
	begun    bool
	told     bool                // the client has said that it is initialized
	requests map[string]*request // of the client that run, by their id's key
	names    map[string]*request // the same by the bridge's name for them
	open     map[string]question // the bridge's own that are not answered
	listen   listening
	last     int // request's name
}

// question is a request of the bridge's, about one of the client's.
type question struct {
	request *request
	answer  chan answer
}

// answer is a client's response to a request of the bridge.
type answer struct{ result, failure []byte }

// NewSession makes a session.
func NewSession(opts Options, general message.Sink) *Session {
	s := &Session{
		opts: opts, general: general,
		requests: map[string]*request{}, names: map[string]*request{}, open: map[string]question{},
	}
	s.level.Store(int32(display.Severity("info")))
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Stop has the calls park whose client is asked something, and waits until they
// have told it what they are kept as, for grace at most.
func (s *Session) Stop(grace time.Duration) {
	var asking []*request
	if conn := s.connection(); conn != nil && conn.IsModern() { // with another server, calls wait in the session
		s.mu.Lock()
		for _, r := range s.requests {
			if r.waitsFor.Load() != nil {
				asking = append(asking, r)
			}
		}
		s.mu.Unlock()
	}
	s.opts.Server.Stop()
	late := time.After(grace)
	for _, r := range asking {
		select {
		case <-r.ctx.Done():
		case <-late:
			return
		}
	}
}

// Close cancels what runs and ends the session with the server.
func (s *Session) Close() {
	s.mu.Lock()
	s.end()
	conn := s.conn
	s.listen.release()
	s.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// Take takes a message of the client's. For a request it returns what remains to
// be done, which answers it and may take its time; else nil.
func (s *Session) Take(m message.Message, sink message.Sink) (run func()) {
	switch {
	case m.Method == "":
		s.answered(m)
	case m.ID == nil:
		s.notified(m)
	case m.Flaw != nil:
		return func() { sink.Answer(m.ID, message.Failure(m.ID, m.Flaw)) }
	default:
		r, flaw := s.register(m, sink)
		if r == nil {
			return func() { sink.Answer(m.ID, flaw) }
		}
		return func() { s.serve(r) }
	}
	return nil
}

// answered takes the answer to a question. One that nobody waits for any more is
// ignored.
func (s *Session) answered(m message.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked, waiting := s.open[message.Key(m.ID)]
	if waiting {
		delete(s.open, message.Key(m.ID))
		asked.request.held = append(asked.request.held, m.Held.Keep())
		asked.answer <- answer{result: m.Result, failure: m.Error}
	}
}

func (s *Session) notified(m message.Message) {
	switch m.Method {
	case "notifications/initialized":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.told = true
		s.listen.begin(s)
	case "notifications/cancelled":
		s.mu.Lock()
		r := s.requests[message.Key(message.Get(m.Params, "requestId"))]
		s.mu.Unlock()
		if r != nil && r.method != "initialize" { // which MUST NOT be canceled
			r.cancel(upstream.ErrCanceled)
		}
	}
	// The rest has no counterpart: in MCP 2026-07-28 clients tell servers nothing.
}

// initialize begins the session: the server is told what this client can be
// asked, and the client what the server says of itself.
func (s *Session) initialize(r *request) {
	s.mu.Lock()
	again := s.begun
	s.begun = true
	s.mu.Unlock()
	if again {
		r.fail(message.Error(message.InvalidRequest, "the session is initialized already", nil))
		return
	}
	s.version = message.Text(r.params, "protocolVersion")
	if !IsVersion(s.version) {
		s.version = versions[0]
	}
	conn, err := s.opts.Server.Connect(upstream.Client{
		User: s.opts.User, Capabilities: message.Get(r.params, "capabilities"), Notify: s.tell, Began: s.beginLate,
		Subscribed: s.subscribed, Changed: s.changed,
	})
	if err != nil {
		r.fail(upstream.Failure(err))
		return
	}
	s.mu.Lock()
	s.conn = conn
	s.mu.Unlock()
	said, err := conn.Ready(r.ctx)
	if err != nil {
		s.opts.Log.Error("the server cannot be reached", "server", s.opts.Server.Label, "why", upstream.Reason(err))
		r.fail(upstream.Failure(err))
		return
	}
	s.opts.Log.Info("a client began", "its version", s.version, "the server's", said.Version)
	result := map[string]any{
		"protocolVersion": s.version,
		"capabilities":    json.RawMessage(upstream.Offers(said.Capabilities)),
		"serverInfo":      json.RawMessage(said.ServerInfo),
	}
	if said.Instructions != "" {
		result["instructions"] = said.Instructions
	}
	text, err := json.Marshal(result)
	if err != nil {
		r.fail(upstream.Failure(err))
		return
	}
	r.succeed(text)
}

// beginLate listens to a server that says only now what it is, because somebody
// had to sign in.
func (s *Session) beginLate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told && s.life.Err() == nil {
		s.listen.begin(s)
	}
}

// isBusy reports whether a request runs.
func (s *Session) isBusy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests) > 0
}

// connection is the session with the server, nil before initialize.
func (s *Session) connection() *upstream.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// nextName is a name for a call, which no other of this session has.
func (s *Session) nextName() string {
	s.last++
	return strconv.Itoa(s.last)
}
