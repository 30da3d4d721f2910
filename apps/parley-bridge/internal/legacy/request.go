package legacy

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/progress"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// request is one of the client's, while it runs.
type request struct {
	session  *Session
	id       []byte
	method   string
	params   []byte
	name     string // the bridge's own for it
	sink     message.Sink
	progress *progress.Row
	ctx      context.Context
	cancel   context.CancelCauseFunc
	asking   sync.WaitGroup              // questions that the client is asked
	waitsFor atomic.Pointer[engine.Kind] // of the question that the client is asked, nil if none
	held     []*memory.Lease             // of the request, and of the answers to its questions; Session.mu guards it
}

// maxRunning is how many requests of a session may run at once. They go on when
// their connection breaks, so nothing else bounds them.
const maxRunning = 100

// register takes a request in, so that it can be canceled, or says why not: its id
// is in use, or too many run. It lives as long as the session: that a connection breaks is not taken
// for a cancellation.
//
// Source: MCP 2025-11-25, basic/transports, Sending Messages to the Server, 6.
func (s *Session) register(m message.Message, sink message.Sink) (r *request, flaw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := message.Key(m.ID)
	switch {
	case s.requests[key] != nil:
		return nil, message.InUse(m.ID)
	case len(s.requests) >= maxRunning:
		return nil, message.Failure(m.ID, message.Error(message.Internal, "parley-bridge: this session has as many requests running as it may: wait until one has ended", nil))
	}
	r = &request{
		session: s, id: m.ID, method: m.Method, params: m.Params, name: s.nextName(), sink: sink, progress: progress.Of(m.Params),
	}
	r.ctx, r.cancel = context.WithCancelCause(s.life)
	s.requests[key], s.names[r.name] = r, r
	r.held = append(r.held, m.Held.Keep())
	return r, nil
}

func (s *Session) serve(r *request) {
	defer func() {
		s.mu.Lock()
		delete(s.requests, message.Key(r.id))
		delete(s.names, r.name)
		for _, lease := range r.held {
			lease.Drop()
		}
		s.mu.Unlock()
		r.cancel(nil)
	}()
	conn := s.connection()
	switch {
	case r.method == "initialize":
		s.initialize(r)
	case r.method == "ping":
		r.succeed([]byte("{}"))
	case conn == nil:
		r.fail(message.Error(message.InvalidRequest, "the session is not initialized: send initialize first", nil))
	case r.method == "logging/setLevel":
		s.setLevel(r)
	case conn.IsModern() && r.method == "resources/subscribe":
		s.subscribe(r, true)
	case conn.IsModern() && r.method == "resources/unsubscribe":
		s.subscribe(r, false)
	default:
		r.pass(conn)
	}
}

// pass has the server carry the request out. Its result goes to the client as it
// is.
func (r *request) pass(conn *upstream.Conn) {
	stop := r.keepBeating()
	out, err := conn.Call(r.ctx, r.name, parley.Request{
		Method: r.method, Params: r.params, Askers: conn.Askers(r.ask, signin.Person{Ask: r.ask, Done: r.pageDone}),
		Watchers: parley.Watchers{OnProgress: func(_ int, params []byte) { r.tell(r.progress.Pass(params)) }},
	})
	stop()
	r.asking.Wait() // what is taken back goes on this stream, before it ends
	switch {
	case err == nil:
		r.succeed(out.Result)
	case conn.Empty(r.method, err) != nil:
		r.succeed(conn.Empty(r.method, err))
	case context.Cause(r.ctx) == upstream.ErrCanceled:
		// It wants no answer.
		r.session.opts.Log.Info("canceled by the client", "method", r.method)
	default:
		r.session.opts.Log.Warn("a request failed", "method", r.method, "why", upstream.Reason(err))
		r.fail(upstream.Failure(err))
	}
}

// keepBeating beats while nothing else is told, until it is stopped.
func (r *request) keepBeating() (stop func()) {
	if r.progress == nil {
		return func() {}
	}
	every := r.session.opts.Heartbeat
	done := make(chan struct{})
	var stopped sync.WaitGroup
	stopped.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				if r.progress.IsQuiet() {
					r.beat()
				}
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		stopped.Wait()
	}
}

func (r *request) succeed(result []byte) { r.sink.Answer(r.id, message.Response(r.id, result)) }

func (r *request) fail(object []byte) { r.sink.Answer(r.id, message.Failure(r.id, object)) }

// tell sends a notification on the request's stream; nil is none.
func (r *request) tell(notification []byte) {
	if notification != nil {
		r.sink.Send(notification)
	}
}
