package main

import (
	"sync"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// connection is a session with the server.
type connection struct {
	*parley.Session
	watch   *watch
	console *console.Console
	label   string
	known   *knownVersions // nil if nothing is to be remembered
	ends    []func()       // what else there is to close, in reverse

	mu    sync.Mutex
	ready *session.Ready // what the server said of itself, nil if it did not
}

// connect makes a session. It sends nothing yet, and starts no command. It is
// the only place that does: whatever a server is asked for, it is told the same
// of what the host can be asked. from is a call that is resumed, nil for none.
// discover finds the version out before anything else.
func (h *host) connect(from *restored, discover bool) (*connection, error) {
	conn := &connection{console: h.console, label: h.Label}
	err := conn.open(h.command, h.signer, h.askers(from), discover)
	if err != nil {
		conn.closeRest()
		return nil, err
	}
	h.conn = conn
	return conn, nil
}

func (conn *connection) open(c *command, s *signer, askers parley.Askers, discover bool) error {
	log, endLog, err := c.openLog(conn.console)
	if err != nil {
		return err
	}
	conn.ends = append(conn.ends, endLog)
	core, closeCore, err := system.Engine(c.engine, 1)
	if err != nil {
		return err
	}
	conn.ends = append(conn.ends, closeCore)
	opts := parley.SessionOptions{
		ClientInfo: parley.Implementation{Name: "parley", Title: "Parley in the terminal", Version: system.Version()},
		Askers:     askers, Discover: discover, LogLevel: c.logLevel, Dialect: c.Dialect, Versions: c.Versions,
		Watchers: parley.SessionWatchers{
			OnReady: conn.isReady, OnNotification: conn.notified,
			OnWarning: func(text string) { conn.console.WarnAside("%s: %s", conn.label, plain.Line(text, maxMessage)) },
		},
	}
	if c.known != "" {
		conn.known = newKnownVersions(c.known, c.Peer())
		if opts.Known, err = conn.known.version(); err != nil {
			return err
		}
	}
	conn.watch = &watch{console: conn.console, label: c.Label, trace: c.trace}
	s.watch = conn.watch
	transport := s.access.Transport(&c.Server, nil, log)
	conn.Session, err = parley.NewSession(core, transport, opts)
	return err
}

// close ends the session. A command is given the time to end, which shows.
func (conn *connection) close() {
	conn.console.Wait("ending " + conn.label)
	if err := conn.Session.Close(); err != nil {
		conn.console.Warn("ending %s: %s", conn.label, plain.Line(err.Error(), maxMessage))
	}
	conn.console.Idle()
	conn.closeRest()
}

func (conn *connection) closeRest() {
	for i := len(conn.ends) - 1; i >= 0; i-- {
		conn.ends[i]()
	}
}

func (conn *connection) notified(method string, params []byte) {
	if method == "notifications/message" {
		conn.console.Log(conn.label, display.Log(params))
	} else {
		conn.watch.tell("← %s", plain.Line(method, maxKey))
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
		conn.console.WarnAside("%s", plain.Line(err.Error(), maxMessage))
	}
}

// said is what the server said of itself by now, nil if it did not say.
func (conn *connection) said() *session.Ready {
	conn.Flush()
	conn.mu.Lock()
	defer conn.mu.Unlock()
	return conn.ready
}
