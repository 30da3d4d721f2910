package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// connection is a session with the server.
type connection struct {
	*parley.Session
	wire    *wire
	console *console.Console
	label   string
	known   *knownVersions // nil if nothing is to be remembered
	ends    []func()       // what else there is to close, in reverse

	mu    sync.Mutex
	ready *session.Ready // what the server said of itself, nil if it did not
}

// connect makes a session. It sends nothing yet, and starts no command. What
// callbacks can ask is what servers of earlier protocol versions are told.
// discover finds the version out before anything else.
func (c *command) connect(ctx context.Context, screen *console.Console, callbacks parley.Callbacks, discover bool) (*connection, error) {
	conn := &connection{console: screen, label: c.label}
	err := conn.open(ctx, c, callbacks, discover)
	if err != nil {
		conn.closeRest()
		return nil, err
	}
	return conn, nil
}

func (conn *connection) open(ctx context.Context, c *command, callbacks parley.Callbacks, discover bool) error {
	log, endLog, err := c.openLog(conn.console)
	if err != nil {
		return err
	}
	conn.ends = append(conn.ends, endLog)
	core, closeCore, err := c.newEngine(ctx)
	if err != nil {
		return err
	}
	conn.ends = append(conn.ends, closeCore)
	opts := parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "parley", Title: "Parley in the terminal", Version: moduleVersion()},
		Callbacks:  callbacks, Discover: discover, LogLevel: c.logLevel,
	}
	if c.known != "" {
		conn.known = newKnownVersions(c.known, c.server)
		if opts.Known, err = conn.known.version(); err != nil {
			return err
		}
	}
	conn.wire = &wire{
		Transport: c.transport(log), console: conn.console, label: c.label, trace: c.trace, open: map[string]*sent{},
		waiting: &waiting{console: conn.console, usual: "waiting for " + c.label},
	}
	conn.Session, err = parley.NewSession(watched{core, conn.see}, conn.wire, opts)
	return err
}

// close ends the session. A command is given the time to end, which shows.
func (conn *connection) close() {
	conn.console.Wait("ending " + conn.label)
	if err := conn.Session.Close(); err != nil {
		conn.console.Warn("ending %s: %s", conn.label, plain.Line(err.Error(), mostMessage))
	}
	conn.console.Idle()
	conn.closeRest()
}

func (conn *connection) closeRest() {
	for i := len(conn.ends) - 1; i >= 0; i-- {
		conn.ends[i]()
	}
}

// see takes what the session has to tell. It is called while the session waits.
func (conn *connection) see(a session.Action) {
	switch a := a.(type) {
	case session.Ready:
		conn.isReady(a)
	case session.Warning:
		conn.console.WarnAside("%s: %s", conn.label, plain.Line(a.Text, mostMessage))
	case session.Notification:
		if a.Method == "notifications/message" {
			conn.console.Log(conn.label, logMessage(a.Params))
		}
	}
}

func (conn *connection) isReady(r session.Ready) {
	conn.mu.Lock()
	defer conn.mu.Unlock()
	conn.ready = &r
	if conn.known == nil {
		return
	}
	if err := conn.known.keep(r.Version); err != nil {
		conn.console.WarnAside("%s", plain.Line(err.Error(), mostMessage))
	}
}

// said is what the server said of itself, nil if it did not say.
func (conn *connection) said() *session.Ready {
	conn.mu.Lock()
	defer conn.mu.Unlock()
	return conn.ready
}

func (c *command) newEngine(ctx context.Context) (parley.Engine, func(), error) {
	if c.engine == "native" {
		return parley.Native{}, func() {}, nil
	}
	runtime, err := parley.NewRuntime(ctx, parley.RuntimeOptions{Instances: 1})
	if err != nil {
		return nil, nil, fmt.Errorf("the engine: %w", err)
	}
	return runtime, func() { runtime.Close() }, nil
}
