package parley

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
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

	// Callbacks ask for calls whose own Callbacks cannot: each of Elicit,
	// ElicitURL, Sample with SampleTools, ListRoots and Tasks that a call does
	// not bring is taken from here. Servers of protocol versions before
	// 2026-07-28 are told once, at the beginning, what can be asked, so for
	// them it must be here. The rest of Callbacks is not used.
	Callbacks Callbacks

	// Capabilities is an object as JSON text with what clientCapabilities shall
	// say beside what the Callbacks can answer, such as extensions. It is what
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

	// OnReady is told which protocol version is spoken, as soon as that is
	// known and again if it changes; what is said there of the server is
	// self-reported. OnNotification gets the server's notifications, but for
	// progress, which goes to Callbacks.OnProgress of its call. OnWarning is
	// told what of the server's was left out or ignored. They are called one
	// after another from a goroutine of their own, and not after Close, which
	// waits for them: none may call it. While one blocks, notifications beyond
	// 2,048 are lost, which OnWarning is told.
	OnReady        func(session.Ready)
	OnNotification func(method string, params []byte)
	OnWarning      func(text string)
}

// ErrSessionClosed says that a session is closed: it is why calls that ran then
// were canceled, and why no other can begin.
var ErrSessionClosed = errors.New("parley: the session is closed")

// closeTime bounds how long Close waits for callbacks of its calls and for the
// server to take note.
const closeTime = 5 * time.Second

// Session is a client of one MCP server, of whichever protocol version. It
// makes any number of calls at once. Whatever of the protocol there is to
// decide, its [SessionCore] decides. A Session is safe for concurrent use.
type Session struct {
	transport Transport
	ordered   bool // over one connection; exchanges have no end of their own
	opts      SessionOptions
	clock     clock

	outbox serial // exchanges to begin
	hooks  serial
	life   context.Context
	end    context.CancelFunc

	mu        sync.Mutex
	core      SessionCore
	broken    error // why the core cannot go on
	cause     error // what failed, of the event under way
	closed    bool
	calls     map[int]*sessionCall
	running   sync.WaitGroup
	exchanges map[int]*posting   // not ended; over one connection, not written
	line      context.Context    // of the connection, otherwise
	hangUp    context.CancelFunc // ends line
	owed      int                // exchanges under way that the server brought about
	eased     *sync.Cond         // an exchange ended
	timer     *time.Timer
	losing    bool // notifications, because OnNotification is too slow
}

// NewSession makes a session. Nothing is sent before its first call. Close it.
func NewSession(e Engine, t Transport, opts SessionOptions) (*Session, error) {
	core := session.Options{
		Transport: t.Kind(), Capabilities: opts.Capabilities, Versions: opts.Versions, Known: opts.Known,
		Discover: opts.Discover, ProbeTimeout: opts.ProbeTimeout, FirstID: opts.FirstID, StringIDs: opts.StringIDs,
		Dialect: opts.Dialect, LogLevel: opts.LogLevel, Can: opts.Callbacks.can(),
	}
	if core.FirstID == 0 {
		core.FirstID = 1 + rand.Int64N(1<<48)
	}
	if opts.ClientInfo.Name != "" {
		var err error
		if core.ClientInfo, err = json.Marshal(opts.ClientInfo); err != nil {
			return nil, err
		}
	}
	s := &Session{
		transport: t, ordered: t.Kind() == session.Stdio, opts: opts, clock: clock{time.Now()},
		calls: map[int]*sessionCall{}, exchanges: map[int]*posting{},
	}
	var err error
	if s.core, err = e.NewSessionCore(core); err != nil {
		return nil, err
	}
	s.eased = sync.NewCond(&s.mu)
	s.life, s.end = context.WithCancel(context.Background())
	s.line, s.hangUp = context.WithCancel(s.life)
	return s, nil
}

// Call makes one request and sees it through all its rounds. params is a JSON
// object as text, nil for none. What the callbacks can answer is declared,
// unless Options.Can says less, and what Options.Capabilities adds.
//
// When ctx ends, Call returns at once, even if a callback ignores it: only that
// callback's own goroutine lives on until it returns. A callback that panics
// fails its own leg or question, nothing more. The error is an [*Error], with a
// snapshot if the call can go on; a mistake in using it is an [*engine.Error].
func (s *Session) Call(ctx context.Context, method string, params []byte, opts engine.Options, cb Callbacks) (Outcome, error) {
	cb = cb.within(s.opts.Callbacks)
	if opts.Can == nil {
		opts.Can = cb.can()
	}
	return s.drive(ctx, engine.Begin{}, cb, func() (int, error) { return s.core.Call(method, params, opts) })
}

// ResumeOptions say how a call goes on. The zero value expects a snapshot
// without labels and starts where it stopped.
type ResumeOptions struct {
	// Expect says what the snapshot must be of, and may raise its bounds. Its
	// Can is what the callbacks can answer.
	Expect engine.Expect

	Resend     bool // see [engine.Begin]
	Again      bool // see [engine.Begin]
	MoreRounds int  // see [engine.Begin]
}

// Resume goes on with a call from its snapshot, which may come of another
// session, process or host: a question that was open is asked again, nothing
// that was answered is asked twice. A tool call that was in flight when its
// process ended fails with [engine.ErrInDoubt], because it may have been made;
// Resend calls it again all the same. It fails with [engine.ErrPeer] if the
// snapshot is not of the expected peer and principal.
func (s *Session) Resume(ctx context.Context, snapshot []byte, opts ResumeOptions, cb Callbacks) (Outcome, error) {
	cb = cb.within(s.opts.Callbacks)
	opts.Expect.Can = cb.can()
	begin := engine.Begin{Resend: opts.Resend, Again: opts.Again, MoreRounds: opts.MoreRounds}
	return s.drive(ctx, begin, cb, func() (int, error) { return s.core.Restore(snapshot, opts.Expect) })
}

// drive runs a driver on a call.
func (s *Session) drive(ctx context.Context, begin engine.Begin, cb Callbacks, open func() (int, error)) (Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := s.open(cancel, open, cb.OnNotification != nil)
	if err != nil {
		return Outcome{}, err
	}
	defer c.free()
	d := newDriver(ctx, c, cb)
	defer d.end()
	return d.run(begin)
}

// open makes a call.
func (s *Session) open(cancel context.CancelCauseFunc, open func() (int, error), listens bool) (*sessionCall, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return nil, err
	}
	number, err := open()
	if err != nil {
		return nil, s.minded(err)
	}
	c := &sessionCall{session: s, number: number, listens: listens, cancel: cancel, wake: make(chan struct{}, 1)}
	s.calls[number] = c
	s.running.Add(1)
	return c, nil
}

// usable says why the session can take no call.
func (s *Session) usable() error {
	if s.closed {
		return ErrSessionClosed
	}
	return s.broken
}

// Flush returns when OnReady, OnNotification and OnWarning have been told all
// that the server has said by now: what came before the answer to a call, say,
// once that call has returned. None of them may call it.
func (s *Session) Flush() { s.hooks.drain() }

// Close ends the session: calls that run are canceled, with a snapshot where
// they can go on, the server is told where it keeps a session, and the
// transport is closed. It may be called more than once.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	for _, c := range s.calls {
		c.cancel(ErrSessionClosed)
	}
	s.mu.Unlock()

	within(closeTime, s.running.Wait)
	s.step(session.Close{})
	within(closeTime, s.settle)
	s.end()
	within(closeTime, s.outbox.drain) // nothing is begun any more
	s.mu.Lock()
	s.eased.Broadcast()
	s.setTimer(0)
	s.mu.Unlock()
	err := s.transport.Close()
	s.mu.Lock()
	s.broken = ErrSessionClosed
	s.core.Close()
	s.mu.Unlock()
	within(closeTime, s.hooks.drain)
	return err
}

// settle waits until the server has taken note that the session ended.
func (s *Session) settle() {
	s.outbox.drain()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.exchanges {
		if !p.own {
			s.over(p)
		}
	}
	for len(s.exchanges) > 0 && s.life.Err() == nil {
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
