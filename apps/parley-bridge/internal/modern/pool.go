package modern

import (
	"errors"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/room"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/apps/shared-go/display"
)

// pool are the sessions with the server: one for each principal and set of
// capabilities, because a server of an earlier era is told what it may ask once.
type pool struct {
	service *Service

	mu     sync.Mutex
	open   map[string]*connection
	turn   int // counts how often one became idle
	closed bool
}

// connection is a session with the server and what uses it.
type connection struct {
	*upstream.Conn
	key  string
	user string
	held *memory.Lease // of the request that began it, whose capabilities are kept

	// The pool's lock guards these.
	users     int // requests and calls
	since     int // when it became idle, by pool.turn
	idle      *time.Timer
	calls     map[string]*call // by name
	listeners map[*listener]bool
}

// take is the connection for a request; release it.
func (p *pool) take(r *request) (*connection, error) {
	key := string(r.capabilities)
	if r.principal != nil {
		key = *r.principal + "\n" + key
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.open[key]
	if c == nil {
		if p.closed {
			return nil, errEnding
		}
		of := func(c *connection) room.Holding {
			return room.Holding{Owner: c.user, Idle: c.users == 0, Since: c.since}
		}
		old, ends, err := room.For(p.service.opts.Conns, r.user, p.open, of)
		if err != nil {
			return nil, errors.New(room.Text(err, "sessions with the server"))
		}
		if ends {
			p.drop(old)
		}
		c = &connection{key: key, user: r.user, calls: map[string]*call{}, listeners: map[*listener]bool{}}
		c.Conn, err = p.service.opts.Server.Connect(upstream.Client{
			User: r.user, Capabilities: r.capabilities,
			Notify: func(name, method string, params []byte) { p.tell(c, name, method, params) },
		})
		if err != nil {
			return nil, errors.New("parley-bridge: " + upstream.Reason(err))
		}
		c.held = r.Held.Keep()
		c.idle = time.AfterFunc(p.service.opts.Idle, func() { p.expire(c) })
		p.open[key] = c
	}
	c.users++
	c.idle.Stop()
	return c, nil
}

func (p *pool) release(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave(c)
}

func (p *pool) leave(c *connection) {
	if c.users--; c.users == 0 {
		p.turn++
		c.since = p.turn
		c.idle.Reset(p.service.opts.Idle)
	}
}

// remember counts a call as a user of its connection, which outlives the
// client's requests, and has its notifications find it.
func (p *pool) remember(c *call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.conn.users++
	c.conn.calls[c.name] = c
}

func (p *pool) forget(c *call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(c.conn.calls, c.name)
	c.held.Drop()
	p.leave(c.conn)
}

func (p *pool) expire(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.users == 0 && p.open[c.key] == c {
		p.drop(c)
	}
}

func (p *pool) drop(c *connection) {
	delete(p.open, c.key)
	c.held.Drop()
	c.idle.Stop()
	go c.Conn.Close() // tells the server, which takes its time
}

func (p *pool) close() {
	p.mu.Lock()
	open := p.open
	p.open, p.closed = nil, true
	p.mu.Unlock()
	var all sync.WaitGroup
	for _, c := range open {
		c.idle.Stop()
		c.held.Drop()
		all.Go(c.Conn.Close)
	}
	all.Wait()
}

// tell passes a notification of the server's on: a log message to the request it
// belongs to, if that wants it, and changes to who listens for them.
func (p *pool) tell(conn *connection, name, method string, params []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if method != "notifications/message" {
		for l := range conn.listeners {
			l.tell(method, params)
		}
		return
	}
	if c := conn.calls[name]; c != nil {
		c.log(params)
		return
	}
	for _, c := range conn.calls { // it does not say; over stdio nothing does
		if c.log(params) {
			return
		}
	}
}

// log passes a log message on, if a request waits and wants it.
//
// Source: MCP 2026-07-28, server/utilities/logging: without a logLevel, none.
func (c *call) log(params []byte) bool {
	c.mu.Lock()
	r := c.request
	c.mu.Unlock()
	if r == nil {
		return false
	}
	wanted := display.Severity(message.Text(r.Params, "_meta", metaPrefix+"logLevel"))
	if wanted < 0 || display.Severity(message.Text(params, "level")) < wanted {
		return false
	}
	r.sink.Send(message.Notification("notifications/message", params))
	return true
}
