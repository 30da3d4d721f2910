// Package servers keeps sessions with many servers, as a chat host has them,
// and one line for the questions of all. A server that is dead, slow or wants a
// sign-in does not hold up the others.
//
//	set := servers.New(servers.Options{Askers: func(server string) parley.Askers { return askersOf(server) }})
//	defer set.Close()
//	err := set.Add("files", func(a parley.Askers) (*parley.Session, error) {
//		return parley.NewSession(runtime, transport, parley.SessionOptions{Askers: a})
//	})
package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

// ErrUnknown says that a [Set] has no such server.
var ErrUnknown = errors.New("parley: there is no such server")

// defaultListTime is how long a server may take to list its tools.
const defaultListTime = 15 * time.Second

// Options shape a [Set]. The zero value asks nobody.
type Options struct {
	// Askers are those of one server's session, by the name it has in the set.
	// All but ListRoots wait in one line for their turn; ListRoots too if
	// RootsInLine, because a person is asked.
	Askers      func(server string) parley.Askers
	RootsInLine bool

	AtOnce          int // how many questions are put at once, 1 if 0
	AtOncePerServer int // how many of them one server may have, AtOnce if 0

	// OnQuestions is told when the line has changed: the questions that are
	// put, and those that wait. It must not block. The slices are the callee's.
	OnQuestions func(open, waiting []Question)

	// ListTime is how long a server may take to list its tools, 15 s if 0.
	ListTime time.Duration
}

// Question is a question in line, and the server that asks.
type Question struct {
	Server string
	parley.Question
}

// Tool is a tool of one of the servers, under a name that no other has.
type Tool struct {
	Name   string // 1 to 64 of A-Z a-z 0-9 _ -, see [NameApart]
	Server string
	*schema.Tool
}

// Failure says why the tools of a server are not there.
type Failure struct {
	Server string
	Err    error // an [*parley.Error], as [parley.Session.Tools] has it
}

// Set is sessions with many servers. It is safe for concurrent use.
type Set struct {
	opts Options
	line *line

	mu       sync.Mutex
	names    []string // in the order they were added
	sessions map[string]*parley.Session
	running  map[*running]bool
}

// running is a call under way.
type running struct {
	server string
	cancel context.CancelCauseFunc
	park   func()
}

// New makes a set without servers. Close it.
func New(opts Options) *Set {
	if opts.ListTime == 0 {
		opts.ListTime = defaultListTime
	}
	return &Set{opts: opts, line: newLine(opts), sessions: map[string]*parley.Session{}, running: map[*running]bool{}}
}

// Add adds a server under a name of 1 to 64 bytes. open makes its session with
// the askers it is given.
func (s *Set) Add(server string, open func(parley.Askers) (*parley.Session, error)) error {
	if len(server) < 1 || len(server) > 64 {
		return errors.New("parley: the name of a server has 1 to 64 bytes")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sessions[server] != nil {
		return fmt.Errorf("parley: there is a server %q already", server)
	}
	session, err := open(s.askers(server))
	if err != nil {
		return err
	}
	s.names, s.sessions[server] = append(s.names, server), session
	return nil
}

// Remove removes a server: its calls are canceled, resumably, and its session is
// closed. It fails with [ErrUnknown], or as [parley.Session.Close] does.
func (s *Set) Remove(server string) error {
	s.mu.Lock()
	session := s.sessions[server]
	delete(s.sessions, server)
	s.names = slices.DeleteFunc(s.names, func(name string) bool { return name == server })
	s.mu.Unlock()
	if session == nil {
		return unknown(server)
	}
	return session.Close()
}

// Servers are the names of the servers, in the order they were added.
func (s *Set) Servers() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}

// Session is the session with a server. It fails with [ErrUnknown].
func (s *Set) Session(server string) (*parley.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if session := s.sessions[server]; session != nil {
		return session, nil
	}
	return nil, unknown(server)
}

// Tools are the tools of all servers, under names that differ, and why those of
// other servers are not there. Nobody is asked anything: a server that wants a
// sign-in is among the failures, with fault.Unauthorized; a call to it signs in.
func (s *Set) Tools(ctx context.Context) ([]Tool, []Failure) {
	servers := s.Servers()
	lists := make([][]*schema.Tool, len(servers))
	errs := make([]error, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Add(1)
		go func() {
			defer all.Done()
			lists[i], errs[i] = s.list(ctx, server)
		}()
	}
	all.Wait()
	var tools []Tool
	var failures []Failure
	for i, server := range servers {
		for _, tool := range lists[i] {
			tools = append(tools, Tool{tool.Name, server, tool})
		}
		if errs[i] != nil {
			failures = append(failures, Failure{server, errs[i]})
		}
	}
	NameApart(tools)
	return tools, failures
}

// list is all tools of a server, or an error.
func (s *Set) list(ctx context.Context, server string) ([]*schema.Tool, error) {
	session, err := s.Session(server)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.opts.ListTime, fmt.Errorf("parley: %s did not list its tools in %v", server, s.opts.ListTime))
	defer cancel()
	var tools []*schema.Tool
	for tool, err := range session.Tools(ctx, parley.Request{Askers: &parley.Askers{}}) {
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

// Call makes a call to a server; see [parley.Session.Call]. It fails with
// [ErrUnknown].
func (s *Set) Call(ctx context.Context, server string, r parley.Request) (out parley.Outcome, err error) {
	err = s.run(ctx, server, &r.Park, func(ctx context.Context, session *parley.Session) error {
		out, err = session.Call(ctx, r)
		return err
	})
	return out, err
}

// Resume continues a call to a server from its snapshot; see
// [parley.Session.Resume]. It fails with [ErrUnknown].
func (s *Set) Resume(ctx context.Context, server string, r parley.Resumption) (out parley.Outcome, err error) {
	err = s.run(ctx, server, &r.Park, func(ctx context.Context, session *parley.Session) error {
		out, err = session.Resume(ctx, r)
		return err
	})
	return out, err
}

// CallTool calls a tool of a server by the name that the server gave it; see
// [parley.Session.CallTool]. It fails with [ErrUnknown].
func (s *Set) CallTool(ctx context.Context, server string, call parley.ToolCall) (res *schema.CallToolResult, err error) {
	err = s.run(ctx, server, &call.Park, func(ctx context.Context, session *parley.Session) error {
		res, err = session.CallTool(ctx, call)
		return err
	})
	return res, err
}

// Cancel cancels all calls that run, or those to one server if it is not "".
// They fail resumably, with the cause.
func (s *Set) Cancel(server string, cause error) {
	s.each(server, func(call *running) { call.cancel(cause) })
}

// Park parks all calls that run, or those to one server if it is not "", as soon
// as each can be.
func (s *Set) Park(server string) {
	s.each(server, func(call *running) { call.park() })
}

// Close closes all sessions; see [parley.Session.Close].
func (s *Set) Close() error {
	servers := s.Servers()
	errs := make([]error, len(servers))
	var all sync.WaitGroup
	for i, server := range servers {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := s.Remove(server); !errors.Is(err, ErrUnknown) {
				errs[i] = err
			}
		}()
	}
	all.Wait()
	return errors.Join(errs...)
}

// run makes a call that Cancel and Park know of. own is what parks it besides.
func (s *Set) run(ctx context.Context, server string, own *<-chan struct{}, call func(context.Context, *parley.Session) error) error {
	session, err := s.Session(server)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	parked := make(chan struct{})
	r := &running{server, cancel, sync.OnceFunc(func() { close(parked) })}
	if theirs := *own; theirs != nil {
		go func() {
			select {
			case <-theirs:
				r.park()
			case <-ctx.Done():
			}
		}()
	}
	*own = parked
	s.mu.Lock()
	s.running[r] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.running, r)
		s.mu.Unlock()
	}()
	return call(ctx, session)
}

// each does something with the calls that run.
func (s *Set) each(server string, do func(*running)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for call := range s.running {
		if server == "" || call.server == server {
			do(call)
		}
	}
}

func unknown(server string) error { return fmt.Errorf("%w as %q", ErrUnknown, server) }
