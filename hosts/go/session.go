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

	// Capabilities is the clientCapabilities object as JSON text, where it
	// must say more than Callbacks do, such as extensions. It is then what
	// every call declares that has no Options.Capabilities.
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
	closed    bool
	calls     map[int]*sessionCall
	feeding   *sessionCall // whose driver makes the Step under way
	running   sync.WaitGroup
	exchanges map[int]*posting   // not ended; over one connection, not begun
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
		Dialect: opts.Dialect, LogLevel: opts.LogLevel,
	}
	if core.FirstID == 0 {
		core.FirstID = 1 + rand.Int64N(1<<48)
	}
	if core.Capabilities == nil {
		core.Capabilities = opts.Callbacks.Capabilities()
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
// object as text, nil for none. Where opts declares no capabilities, those of
// the callbacks are declared. cb.Send is not used.
//
// It promises what [Run] promises. A callback that returns [ErrPark] is asked
// again, with Question.Problem, where the call cannot be parked: a server of
// an earlier protocol version waits for the answer.
func (s *Session) Call(ctx context.Context, method string, params []byte, opts engine.Options, cb Callbacks) (Outcome, error) {
	cb = s.complete(cb)
	if opts.Capabilities == nil && s.opts.Capabilities == nil {
		opts.Capabilities = cb.Capabilities()
	}
	return s.drive(ctx, engine.Begin{}, cb, func() (int, error) { return s.core.Call(method, params, opts) })
}

// Resume goes on with a call from its snapshot, which may come of another
// session, process or host; see [Resume].
func (s *Session) Resume(ctx context.Context, snapshot []byte, expect engine.Expect, resend bool, cb Callbacks) (Outcome, error) {
	return s.drive(ctx, engine.Begin{Resend: resend}, s.complete(cb), func() (int, error) { return s.core.Restore(snapshot, expect) })
}

// complete takes the callbacks that ask from the session where a call has none
// of its own.
func (s *Session) complete(cb Callbacks) Callbacks {
	own := s.opts.Callbacks
	if cb.Elicit == nil {
		cb.Elicit = own.Elicit
	}
	if cb.ElicitURL == nil {
		cb.ElicitURL = own.ElicitURL
	}
	if cb.Sample == nil {
		cb.Sample, cb.SampleTools = own.Sample, own.SampleTools
	}
	if cb.ListRoots == nil {
		cb.ListRoots = own.ListRoots
	}
	cb.Tasks = cb.Tasks || own.Tasks
	return cb
}

func (s *Session) drive(ctx context.Context, begin engine.Begin, cb Callbacks, open func() (int, error)) (Outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, info, err := s.open(cancel, open)
	if err != nil {
		return Outcome{}, err
	}
	defer c.free()
	return drive(ctx, c, info, begin, cb, s.clock)
}

// open makes a call.
func (s *Session) open(cancel context.CancelCauseFunc, open func() (int, error)) (*sessionCall, engine.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return nil, engine.Info{}, err
	}
	number, err := open()
	if err != nil {
		return nil, engine.Info{}, s.minded(err)
	}
	info, err := s.core.Info(number)
	if err != nil {
		return nil, engine.Info{}, s.minded(err)
	}
	c := &sessionCall{session: s, number: number, cancel: cancel, wake: make(chan struct{}, 1)}
	s.calls[number] = c
	s.running.Add(1)
	return c, info, nil
}

// usable says why the session can take no call.
func (s *Session) usable() error {
	if s.closed {
		return ErrSessionClosed
	}
	return s.broken
}

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
