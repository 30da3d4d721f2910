// Package upstream is the bridge's side towards the server: sessions of
// Parley's, in whichever protocol version the server speaks.
package upstream

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/engine/wire"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// Server is the server behind the bridge: an address, or a command that is run
// once for each connection.
type Server struct {
	Engine  parley.Engine
	URL     string
	Command []string
	Stderr  io.Writer     // what a command writes to its standard error
	Bearer  string        // token to send to URL, "" for none; a secret
	Timeout time.Duration // how long one request to the server may take
}

// Label is what the server is called in the log. It tells no secret, as a
// command's arguments or the rest of a URL might.
func (s *Server) Label() string {
	if u, err := url.Parse(s.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return filepath.Base(s.Command[0])
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
	session *parley.Session
	client  Client
	timeout time.Duration

	mu    sync.Mutex
	ready *session.Ready
}

// Connect makes a session. Nothing is sent yet.
func (s *Server) Connect(client Client) (*Conn, error) {
	c := &Conn{client: client, timeout: s.Timeout}
	var err error
	c.session, err = parley.NewSession(s.Engine, s.transport(), parley.SessionOptions{
		ClientInfo:     parley.Implementation{Name: "parley-bridge", Title: "Parley's bridge", Version: version()},
		Callbacks:      Callbacks(client.Capabilities, Nobody),
		Capabilities:   Extensions(client.Capabilities),
		Discover:       true,
		LogLevel:       "debug", // each client's own level is applied on the way to it
		OnReady:        c.isReady,
		OnNotification: func(method string, params []byte) { client.Notify("", method, params) },
	})
	return c, err
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func (s *Server) transport() parley.Transport {
	if s.URL == "" {
		return &parley.Stdio{Command: func() *exec.Cmd {
			cmd := exec.Command(s.Command[0], s.Command[1:]...)
			cmd.Env, cmd.Stderr = os.Environ(), s.Stderr
			return cmd
		}}
	}
	return &parley.StreamableHTTP{URL: s.URL, Client: &http.Client{Transport: bearer{s.Bearer}}}
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
	_, err := c.Call(ctx, "", "tools/list", nil, Callbacks(c.client.Capabilities, Nobody), engine.Options{})
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
	return said != nil && said.Version == wire.ProtocolVersion
}

// Call makes one request and sees it through. name is the bridge's own for it.
// What the server told before its answer has been told when Call returns.
func (c *Conn) Call(ctx context.Context, name, method string, params []byte, cb parley.Callbacks, opts engine.Options) (parley.Outcome, error) {
	opts.ID, opts.MaxTries = name, maxTries
	if opts.LegTimeout == 0 {
		opts.LegTimeout, opts.LegMax = c.timeout, c.timeout
	}
	cb.OnNotification = func(method string, params []byte) { c.client.Notify(name, method, params) }
	out, err := c.session.Call(ctx, method, params, opts, cb)
	c.session.Flush()
	return out, err
}

// Close ends the session.
func (c *Conn) Close() { c.session.Close() }

func (c *Conn) isReady(r session.Ready) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ready == nil || r.Capabilities != nil || r.Version != c.ready.Version {
		c.ready = &r
	}
}
