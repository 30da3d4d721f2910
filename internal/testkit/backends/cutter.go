//go:build linux

package backends

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// Cutter is a proxy before a server. It cuts a connection once so many bytes have
// passed, or keeps what is sent and delivers it later.
type Cutter struct {
	There, Back atomic.Int64 // bytes to the server, and of its, that still pass; negative for all
	Cuts        atomic.Int64 // that it made
	Reached     func()       // is called instead of a cut, if it is not nil

	listener net.Listener
	to       string

	mu      sync.Mutex
	holding bool
	kept    []*link
}

// link is a connection, and the one to the server that is its other half.
type link struct {
	client, server net.Conn
	kept           []byte        // what the server does not have yet
	isKept         bool          // the client's half was closed, and the server's was not
	over           chan struct{} // is closed when the server has closed its half
}

// NewCutter makes one that listens on a free port of a host of this machine, and
// lets everything pass.
func NewCutter(host, to string) (*Cutter, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, err
	}
	c := &Cutter{listener: l, to: to}
	c.There.Store(-1)
	c.Back.Store(-1)
	go c.accept()
	return c, nil
}

// Address is where it listens.
func (c *Cutter) Address() string { return c.listener.Addr().String() }

// Close ends it for connections to come.
func (c *Cutter) Close() error { return c.listener.Close() }

// Hold breaks every connection that sends something from now on, keeps what it
// sent, and lets no new one in.
func (c *Cutter) Hold() { c.hold(true) }

// Pass lets everything pass again, but what was kept.
func (c *Cutter) Pass() { c.hold(false) }

func (c *Cutter) hold(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holding = on
}

// Kept is of how many connections something is kept.
func (c *Cutter) Kept() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.kept)
}

// Deliver sends what was kept to the server, and returns when the server has dealt
// with it.
func (c *Cutter) Deliver() {
	c.mu.Lock()
	kept := c.kept
	c.kept = nil
	c.mu.Unlock()
	for _, l := range kept {
		l.server.Write(l.kept)
		l.server.(*net.TCPConn).CloseWrite()
		<-l.over
	}
}

func (c *Cutter) accept() {
	for {
		client, err := c.listener.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		holding := c.holding
		c.mu.Unlock()
		server, err := net.Dial("tcp", c.to)
		if err != nil || holding {
			client.Close()
			continue
		}
		l := &link{client: client, server: server, over: make(chan struct{})}
		go c.there(l)
		go c.back(l)
	}
}

func (c *Cutter) there(l *link) {
	defer l.client.Close()
	for data := make([]byte, 64<<10); ; {
		n, err := l.client.Read(data)
		if c.keep(l, data[:n]) {
			return
		}
		if err != nil || !c.pass(l.server, data[:n], &c.There) {
			l.server.Close()
			return
		}
	}
}

// keep keeps what a client sends, if it is to be kept.
func (c *Cutter) keep(l *link, data []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.holding || len(data) == 0 {
		return false
	}
	l.kept, l.isKept = append(l.kept, data...), true
	c.kept = append(c.kept, l)
	return true
}

func (c *Cutter) back(l *link) {
	defer close(l.over)
	defer l.server.Close()
	defer l.client.Close()
	for data := make([]byte, 64<<10); ; {
		n, err := l.server.Read(data)
		if err != nil {
			return
		}
		if c.isKept(l) {
			continue // nobody hears it
		}
		if !c.pass(l.client, data[:n], &c.Back) && !c.isKept(l) {
			return
		}
	}
}

func (c *Cutter) isKept(l *link) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.isKept
}

// pass passes on what may pass, and reports whether the connection goes on.
func (c *Cutter) pass(to io.Writer, data []byte, left *atomic.Int64) bool {
	most := left.Load()
	if most < 0 || int64(len(data)) <= most {
		if most >= 0 {
			left.Store(most - int64(len(data)))
		}
		_, err := to.Write(data)
		return err == nil
	}
	left.Store(-1)
	c.Cuts.Add(1)
	if c.Reached != nil {
		to.Write(data[:most])
		c.Reached()
		_, err := to.Write(data[most:])
		return err == nil
	}
	to.Write(data[:most])
	return false
}
