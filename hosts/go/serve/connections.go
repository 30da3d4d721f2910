package serve

import (
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// connections are those of a listener, bounded.
type connections struct {
	net.Listener
	share Share
	write time.Duration

	mu    sync.Mutex
	open  map[*connection]bool
	count map[string]int // by address
	turn  int            // counts changes of state
}

// connection is one of a client's.
type connection struct {
	net.Conn
	all     *connections
	address string

	// connections.mu guards these.
	state state
	since int // which turn it came into this state
}

type state int

const (
	waiting state = iota // for a request, or the rest of its header
	sending              // a body
	busy                 // with a request that has arrived
)

type connectionKey struct{}

// Accept implements [net.Listener]. One too many is told so, unless another that
// nobody needs makes room.
func (l *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &connection{Conn: accepted, all: l, address: accepted.RemoteAddr().String()}
		if host, _, err := net.SplitHostPort(c.address); err == nil {
			c.address = host
		}
		full := l.add(c)
		if full == nil {
			return c, nil
		}
		text := full.Error() + "\n"
		c.Write([]byte("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\n" +
			"Content-Type: text/plain; charset=utf-8\r\nContent-Length: " + strconv.Itoa(len(text)) + "\r\n\r\n" + text))
		c.Conn.Close()
	}
}

// add takes a connection in, or says why not.
func (l *connections) add(c *connection) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open, l.count = map[*connection]bool{}, map[string]int{}
	}
	full := l.share.Claim(l.count[c.address], len(l.open))
	if full != nil {
		old := l.spare(c.address, full == ErrShare)
		if old == nil {
			return full
		}
		l.remove(old)
		old.Conn.Close()
	}
	l.open[c] = true
	l.count[c.address]++
	l.turn++
	c.since = l.turn
	return nil
}

// spare is the connection that has waited longest, of one address only or of those
// that have no fewer; if none waits, the one that has been sending longest.
func (l *connections) spare(address string, own bool) (old *connection) {
	for c := range l.open {
		switch {
		case c.state == busy, own && c.address != address, l.count[c.address] < l.count[address]:
		case old == nil, c.state < old.state, c.state == old.state && c.since < old.since:
			old = c
		}
	}
	return old
}

// note follows what [http.Server] does with a connection.
func (l *connections) note(c net.Conn, state http.ConnState) {
	known := c.(*connection)
	switch state {
	case http.StateIdle:
		known.set(waiting)
	case http.StateClosed, http.StateHijacked:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.remove(known)
	}
}

func (l *connections) remove(c *connection) {
	if !l.open[c] {
		return
	}
	delete(l.open, c)
	if l.count[c.address]--; l.count[c.address] == 0 {
		delete(l.count, c.address)
	}
}

// closeWaiting closes all that no request has arrived on.
func (l *connections) closeWaiting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		if c.state != busy {
			l.remove(c)
			c.Conn.Close()
		}
	}
}

// set notes what a connection does; nil is none of ours.
func (c *connection) set(s state) {
	if c == nil {
		return
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.all.turn++
	c.state, c.since = s, c.all.turn
}

// Write implements [net.Conn]. A client that takes nothing for too long is gone.
func (c *connection) Write(p []byte) (n int, err error) {
	const piece = 64 << 10 // so that a slow client has time for each
	for {
		part := p[n:min(n+piece, len(p))]
		c.Conn.SetWriteDeadline(time.Now().Add(c.all.write))
		wrote, err := c.Conn.Write(part)
		n += wrote
		if err != nil || n == len(p) {
			return n, err
		}
	}
}
