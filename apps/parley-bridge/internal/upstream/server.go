// Package upstream is the bridge's side towards the server: sessions of
// Parley's, in whichever protocol version the server speaks.
package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/signin"
	"github.com/parley-mcp/parley/apps/shared-go/server"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/cache"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Server is the server behind the bridge. One that is a command is run once for
// each connection.
type Server struct {
	server.Server
	Engine  parley.Engine
	Stderr  io.Writer     // what a command writes to its standard error
	Bearer  string        // token to send to URL, "" for none; a secret
	Desk    *signin.Desk  // where users sign in, nil if nobody does: for a command, and with Bearer
	Timeout time.Duration // how long one request to the server may take
	Log     *slog.Logger
	Calls   store.Store // where calls are kept that clients of earlier eras wait for, nil for nowhere

	Resume func(id string) string // the command that resumes one, for the person who runs the bridge

	keeping sync.WaitGroup // calls that are in Calls while they run
	stopping
}

// Wait waits until no call runs any more that is kept.
func (s *Server) Wait() { s.keeping.Wait() }

// Client is on whose behalf a connection is made.
type Client struct {
	User string // of the bridge, "" where it knows none

	// Capabilities is what the client declares. Servers of earlier eras are
	// told it once, the others with every call.
	Capabilities []byte

	// Notify gets the server's notifications but for progress. call is the
	// name of the call in whose response one came, "" where that is not known.
	// It must not block and not use the connection.
	Notify func(call, method string, params []byte)

	// Began is called when the server says what it is, if Ready had to guess.
	// Like Notify it must not block. It may be nil.
	Began func()

	// Subscribed is called when the server has answered [Conn.Subscribe], without
	// which both may be nil, and Changed with what has changed since. Like Notify
	// they must not block.
	Subscribed func()
	Changed    func(session.Changed)
}

// Conn is a session with the server.
type Conn struct {
	Can engine.Can // what the client can be asked

	server  *Server
	session *parley.Session
	access  *signin.Access // nil if nobody signs in
	client  Client
	label   string
	timeout time.Duration

	mu      sync.Mutex
	ready   *session.Ready
	guessed bool
}

// Check says what is wrong with how the server is to be spoken to, before a client
// comes.
func (s *Server) Check() error {
	session, err := parley.NewSession(s.Engine, s.Transport(nil, s.Stderr), parley.SessionOptions{Dialect: s.Dialect, Versions: s.Versions})
	if err != nil {
		return errors.New(Reason(err))
	}
	return session.Close()
}

// Connect makes a session. Nothing is sent yet.
func (s *Server) Connect(client Client) (*Conn, error) {
	can, err := engine.ReadCan(client.Capabilities)
	if err != nil {
		return nil, err
	}
	c := &Conn{Can: can, server: s, client: client, label: s.Label, timeout: s.Timeout}
	if s.Desk != nil {
		c.access = s.Desk.Account(client.User).Access()
	}
	askers := c.askers(nobody)
	if c.access != nil {
		askers.Authorize = c.access.Renew
	}
	c.session, err = parley.NewSession(s.Engine, s.transport(c.access), parley.SessionOptions{
		Dialect: s.Dialect, Versions: s.Versions,
		ClientInfo:   parley.Implementation{Name: "parley-bridge", Title: "Parley's bridge", Version: system.Version()},
		Askers:       *askers,
		Capabilities: message.Without(client.Capabilities, "roots", "tasks", "experimental"), // what else is in these is not passed on
		Discover:     true,
		Cache:        cache.Options{Off: true}, // how long a result may be used again is told to the client, which would count from too late
		LogLevel:     "debug",                  // each client's own level is applied on the way to it
		Watchers: parley.SessionWatchers{
			OnReady:        c.isReady,
			OnNotification: func(method string, params []byte) { client.Notify("", method, params) },
			OnSubscribed:   func(session.Subscribed) { client.Subscribed() },
			OnChanged:      client.Changed,
		},
	})
	return c, err
}

// transport authorizes requests in the bridge's own right. Nothing of what its
// client sent in a header field is among them.
func (s *Server) transport(access *signin.Access) parley.Transport {
	t := s.Transport(nil, s.Stderr)
	if h, ok := t.(*parley.StreamableHTTP); ok {
		switch {
		case s.Bearer != "":
			h.Authorization = func(context.Context) (string, error) { return "Bearer " + s.Bearer, nil }
		case access != nil:
			h.Authorization = access.Authorization
		}
	}
	return t
}

// Ready is what the server says of itself. It connects first where that has not
// happened yet. A server that says nothing before somebody has signed in is taken
// for one that offers everything, if the client can be asked to open the page for
// that: it can only be asked once it has begun.
func (c *Conn) Ready(ctx context.Context) (session.Ready, error) {
	if said := c.said(); said != nil {
		return *said, nil
	}
	// What is wanted comes before the first answer, whatever that is.
	_, err := c.Call(ctx, "", parley.Request{Method: "tools/list"})
	if said := c.said(); said != nil {
		return *said, nil
	}
	if errors.Is(err, fault.Unauthorized) && c.access != nil && c.Can.URL {
		return c.guess(), nil
	}
	if err == nil {
		err = errors.New("the server did not say which protocol version it speaks")
	}
	return session.Ready{}, err
}

func (c *Conn) said() *session.Ready {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ready
}

// IsModern reports whether the server asks by results. It is known once Ready
// has returned.
func (c *Conn) IsModern() bool {
	said := c.said()
	return said != nil && said.Version == session.ProtocolVersion
}

// Call makes one request and sees it through. name is the bridge's own for it.
// Nobody is asked unless it has Askers. What the server told before its answer
// has been told when Call returns.
func (c *Conn) Call(ctx context.Context, name string, r parley.Request) (parley.Outcome, error) {
	r.Options.ID, r.Options.MaxTries = name, maxTries
	if r.Options.LegTimeout == 0 {
		r.Options.LegTimeout, r.Options.LegMax = c.timeout, c.timeout
	}
	if c.access != nil {
		var err error
		if r.Options.Principal, err = c.access.Principal(ctx); err != nil {
			return parley.Outcome{}, err
		}
	}
	r.Watchers.OnNotification = func(method string, params []byte) { c.client.Notify(name, method, params) }
	kept := c.keep(ctx, &r)
	r.Askers = c.parking(r.Askers, kept)
	r.Params = asked(r.Method, r.Params)
	out, err := c.session.Call(ctx, r)
	out.Result = listed(r.Method, out.Result)
	c.session.Flush()
	id := kept.end(c, out, err, errors.Is(context.Cause(ctx), ErrCanceled))
	if out.Parked {
		parked := &Parked{Call: id}
		if id != "" && c.client.User == "" {
			parked.Resume = c.server.Resume(id)
		}
		return parley.Outcome{}, parked
	}
	return out, err
}

// ErrCanceled is the cause of a context that ends because the client canceled its
// request.
var ErrCanceled = errors.New("the client canceled the request")

// Subscribe says what the server is to tell of from now on, in place of what it
// was told before.
func (c *Conn) Subscribe(filter session.Filter) error { return c.session.Subscribe(filter) }

// Close ends the session.
func (c *Conn) Close() { c.session.Close() }

func (c *Conn) isReady(r session.Ready) {
	c.mu.Lock()
	began := c.guessed && c.ready == nil && c.client.Began != nil
	if r.ServerInfo == nil { // clients of every era want one
		r.ServerInfo = c.unknown()
	}
	if c.ready == nil || r.Capabilities != nil || r.Version != c.ready.Version {
		c.ready = &r
	}
	c.mu.Unlock()
	if began {
		c.client.Began()
	}
}

// unknown stands for what the server says that it is called.
func (c *Conn) unknown() []byte {
	text, _ := json.Marshal(map[string]string{"name": c.label, "version": "unknown"}) // strings cannot fail
	return text
}
