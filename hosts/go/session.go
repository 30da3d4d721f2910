package parley

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/cache"
)

// Implementation names a client to a server, as the schema's type of the same
// name.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

// SessionOptions shape a [Session]. The zero value means the defaults.
type SessionOptions struct {
	// ClientInfo names the host to the server. Without a Name it is left out.
	ClientInfo Implementation

	// Askers answer for calls that bring none of their own. Servers of protocol
	// versions before 2026-07-28 are told once, at the beginning, what can be
	// asked, so for them it must be here.
	Askers Askers

	Watchers SessionWatchers

	// Cache says where lists and resources are kept that the server lets be used
	// again, so that it is not asked for them each time. The zero value keeps them
	// in memory while the session lives. [engine.Options.Fresh] asks anyway.
	Cache cache.Options

	// Logger gets the server's warnings, and at debug level what goes out and
	// comes back, notes, saves and how calls end: never params, results, state,
	// answers or keys. Nil logs nothing.
	Logger *slog.Logger

	// Capabilities is an object as JSON text with what clientCapabilities shall
	// say beside what the Askers can answer, such as extensions. It is what
	// every call adds that has no Options.Capabilities.
	Capabilities []byte

	Versions     []string       // see [session.Options]
	Known        string         // see [session.Options]
	Discover     bool           // see [session.Options]
	ProbeTimeout time.Duration  // see [session.Options]
	FirstID      int64          // see [session.Options]; 0 draws one at random
	StringIDs    bool           // see [session.Options]
	Dialect      engine.Dialect // see [session.Options]
	LogLevel     string         // see [session.Options]
}

// ErrSessionClosed says that a session is closed: calls that were running were
// canceled for this reason, and no other can begin.
var ErrSessionClosed = errors.New("parley: the session is closed")

// closeTime bounds how long Close waits for the askers of its calls and for the
// server to take note.
const closeTime = 5 * time.Second

// Session is a client of one MCP server, of whichever protocol version. It
// makes any number of calls at once. Every decision about the protocol is its
// [SessionCore]'s. A Session is safe for concurrent use.
type Session struct {
	engine    Engine
	transport Transport
	opts      SessionOptions
	shape     session.Options // of the next core
	log       *slog.Logger
	clock     clock

	sends   sendQueue // exchanges to begin
	results resultCache
	hooks   serial
	running sync.WaitGroup // calls

	mu      sync.Mutex
	eased   *sync.Cond // an exchange ended, or the core has heard of something
	machine *machine   // nil after a trap, until the session is used
	broken  error      // why there can be none any more
	closed  bool
	losing  bool // notifications, because OnNotification is too slow

	noCompletions atomic.Bool // as the server has said
}

// NewSession makes a session. Nothing is sent before its first call. Close it.
func NewSession(e Engine, t Transport, opts SessionOptions) (*Session, error) {
	core := session.Options{
		Transport: t.Kind(), Capabilities: opts.Capabilities, Versions: opts.Versions, Known: opts.Known,
		Discover: opts.Discover, ProbeTimeout: opts.ProbeTimeout, FirstID: opts.FirstID, StringIDs: opts.StringIDs,
		Dialect: opts.Dialect, LogLevel: opts.LogLevel, Can: opts.Askers.can(),
	}
	if core.FirstID == 0 {
		core.FirstID = drawID()
	}
	if opts.ClientInfo.Name != "" {
		var err error
		if core.ClientInfo, err = json.Marshal(opts.ClientInfo); err != nil {
			return nil, err
		}
	}
	s := &Session{
		engine: e, transport: t, opts: opts, log: logger(opts.Logger), clock: clock{time.Now()},
	}
	if err := cacheOptions(&core, opts.Cache); err != nil {
		return nil, err
	}
	s.results.shared = opts.Cache.Store
	s.sends.session = s
	s.shape = core
	s.eased = sync.NewCond(&s.mu)
	_, err := s.use()
	return s, err
}

// Call makes one request and sees it through all its rounds. It declares what
// the askers can answer, unless Options.Can says less, and what
// Options.Capabilities adds.
//
// When ctx ends, Call returns at once, even if an asker ignores it: only that
// asker's own goroutine lives on until it returns. An asker that panics fails
// its own question, nothing more. The error is an [*Error], with a snapshot if
// the call can continue; a mistake in using it is an [*engine.Error].
func (s *Session) Call(ctx context.Context, r Request) (Outcome, error) {
	askers := s.askers(r.Askers)
	switch {
	case r.Options.Can != nil:
	case r.Askers == nil:
		r.Options.Can = s.shape.Can
	default:
		r.Options.Can = askers.can()
	}
	return s.drive(ctx, callOptions{
		askers: askers, watchers: r.Watchers, saver: r.Save, park: r.Park, method: r.Method, params: r.Params, options: r.Options,
	})
}

// Resume continues a call from its snapshot, which may come from another
// session, process or host: a question that was open is asked again, and
// nothing that was answered is asked twice. A tool call that was in flight when
// its process ended fails with [fault.InDoubt], because the tool may have run;
// Resend calls it again anyway. It fails with [fault.Peer] if the snapshot is
// not of the expected peer and principal.
func (s *Session) Resume(ctx context.Context, r Resumption) (Outcome, error) {
	askers := s.askers(r.Askers)
	r.Expect.Can = askers.can()
	o := callOptions{
		begin:  engine.Begin{Resend: r.Resend, Again: r.Again, MoreRounds: r.MoreRounds},
		askers: askers, watchers: r.Watchers, saver: r.Save, park: r.Park, snapshot: r.Snapshot, expect: r.Expect,
	}
	if o.snapshot == nil { // which is none, as the core says
		o.snapshot = []byte{}
	}
	return s.drive(ctx, o)
}

// Subscribe says what SessionWatchers.OnChanged is to be told of from now on,
// in place of what it was told before: lists that change, and resources. The
// zero filter ends it. It returns at once; OnSubscribed is told what the server
// agrees to, which may be less. A subscription lives as long as the session and
// needs no call: one that breaks is opened again, and OnSubscribed is told that
// it is over should the engine's instance fail. It fails with [fault.Order] if
// the filter is past its bounds, and with [fault.Options] over requests, where
// the connection has subscriptions of its own.
func (s *Session) Subscribe(filter session.Filter) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrSessionClosed
	}
	m, err := s.use()
	if err != nil {
		return err
	}
	m.isSubscribed = filter.ToolsListChanged || filter.PromptsListChanged || filter.ResourcesListChanged || len(filter.ResourceSubscriptions) > 0
	return s.advance(m, session.Subscribe{Filter: filter}, nil, nil)
}

// isOrdered reports whether everything goes over one connection: exchanges have no end of
// their own then.
func (s *Session) isOrdered() bool { return s.transport.Kind() == session.Stdio }

// askers are a call's own, or else the session's.
func (s *Session) askers(own *Askers) *Askers {
	if own == nil {
		return &s.opts.Askers
	}
	return own
}

// Flush returns when the SessionWatchers have been told everything that the
// server has said so far: once a call has returned, that is what came before
// its answer. None of them may call it.
func (s *Session) Flush() { s.hooks.drain() }

// Close ends the session: running calls are canceled, with a snapshot if they
// can continue, a server that keeps a session is told, and the transport is
// closed. What the server is told last, such as that a call or a task is
// canceled, gets 5 s to arrive; all else ends at once. It may be called more than
// once.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	m := s.machine
	if m != nil {
		for _, c := range m.calls {
			c.cancel(ErrSessionClosed)
		}
	}
	s.mu.Unlock()

	within(closeTime, s.running.Wait)
	s.step(session.Close{}, nil)
	within(closeTime, s.settle)
	s.mu.Lock()
	if m = s.machine; m != nil {
		m.end()
	}
	s.mu.Unlock()
	within(closeTime, s.sends.drain) // nothing is begun any more
	s.sends.end()
	err := s.transport.Close()
	s.mu.Lock()
	s.broken, s.machine = ErrSessionClosed, nil
	if m != nil {
		m.finish()
	}
	s.eased.Broadcast()
	s.mu.Unlock()
	within(closeTime, s.results.writes.drain)
	within(closeTime, s.hooks.drain)
	return err
}

// settle waits until the server has taken note that the session ended.
func (s *Session) settle() {
	s.sends.drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.machine
	if m == nil {
		return
	}
	for _, x := range m.exchanges {
		if !x.own {
			s.over(x)
		}
	}
	for len(m.exchanges) > 0 && !m.ended {
		s.eased.Wait()
	}
}

// within waits for a function, but not forever.
func within(most time.Duration, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
