// Package upstream is the bridge's side towards the server: sessions of
// Parley's, in whichever protocol version the server speaks.
package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/desk/program"
	"github.com/parley-mcp/parley/apps/desk/server"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/envelope"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Server is the server behind the bridge. One that is a command is run once for
// each connection.
type Server struct {
	server.Server
	Engine  parley.Engine
	Stderr  io.Writer     // what a command writes to its standard error
	Bearer  string        // token to send to URL, "" for none; a secret
	Timeout time.Duration // how long one request to the server may take
}

// Client is on whose behalf a connection is made.
type Client struct {
	// Capabilities is what the client declares. Servers of earlier eras are
	// told it once, the others with every call.
	Capabilities []byte

	// Notify gets the server's notifications but for progress. call is the
	// name of the call in whose response one came, "" where that is not known.
	// It must not block and not use the connection.
	Notify func(call, method string, params []byte)
}

// Conn is a session with the server.
type Conn struct {
	Can engine.Can // what the client can be asked

	session *parley.Session
	client  Client
	label   string
	timeout time.Duration

	mu    sync.Mutex
	ready *session.Ready
}

// Connect makes a session. Nothing is sent yet.
func (s *Server) Connect(client Client) (*Conn, error) {
	can, err := engine.ReadCan(client.Capabilities)
	if err != nil {
		return nil, err
	}
	c := &Conn{Can: can, client: client, label: s.Label, timeout: s.Timeout}
	c.session, err = parley.NewSession(s.Engine, s.Transport(&http.Client{Transport: bearer{s.Bearer}}, s.Stderr), parley.SessionOptions{
		ClientInfo:   parley.Implementation{Name: "parley-bridge", Title: "Parley's bridge", Version: program.Version()},
		Askers:       *c.Askers(nobody),
		Capabilities: message.Without(client.Capabilities, "roots", "tasks", "experimental"), // what else is in these is not passed on
		Discover:     true,
		LogLevel:     "debug", // each client's own level is applied on the way to it
		Watchers: parley.SessionWatchers{
			OnReady:        c.isReady,
			OnNotification: func(method string, params []byte) { client.Notify("", method, params) },
		},
	})
	return c, err
}

// bearer authorizes requests.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// Ready is what the server says of itself. It connects first where that has not
// happened yet.
func (c *Conn) Ready(ctx context.Context) (session.Ready, error) {
	if said := c.said(); said != nil {
		return *said, nil
	}
	// What is wanted comes before the first answer, whatever that is.
	_, err := c.Call(ctx, "", parley.Request{Method: "tools/list"})
	if said := c.said(); said != nil {
		return *said, nil
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
	return said != nil && said.Version == envelope.ProtocolVersion
}

// Call makes one request and sees it through. name is the bridge's own for it.
// Nobody is asked unless it has Askers. What the server told before its answer
// has been told when Call returns.
func (c *Conn) Call(ctx context.Context, name string, r parley.Request) (parley.Outcome, error) {
	r.Options.ID, r.Options.MaxTries = name, maxTries
	if r.Options.LegTimeout == 0 {
		r.Options.LegTimeout, r.Options.LegMax = c.timeout, c.timeout
	}
	r.Watchers.OnNotification = func(method string, params []byte) { c.client.Notify(name, method, params) }
	out, err := c.session.Call(ctx, r)
	c.session.Flush()
	return out, err
}

// Close ends the session.
func (c *Conn) Close() { c.session.Close() }

func (c *Conn) isReady(r session.Ready) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ServerInfo == nil { // clients of every era want one
		r.ServerInfo, _ = json.Marshal(map[string]string{"name": c.label, "version": "unknown"}) // strings cannot fail
	}
	if c.ready == nil || r.Capabilities != nil || r.Version != c.ready.Version {
		c.ready = &r
	}
}
