//go:build linux

package backends

import (
	"io"
	"net"
	"sync/atomic"
)

// Cutter is a proxy before a server that cuts a connection once so many bytes have
// passed.
type Cutter struct {
	There, Back atomic.Int64 // bytes to the server, and of its, that still pass; negative for all
	Cuts        atomic.Int64 // that it made

	listener net.Listener
	to       string
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

func (c *Cutter) accept() {
	for {
		conn, err := c.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", c.to)
		if err != nil {
			conn.Close()
			continue
		}
		go c.pass(server, conn, &c.There)
		go c.pass(conn, server, &c.Back)
	}
}

func (c *Cutter) pass(to, from net.Conn, left *atomic.Int64) {
	defer to.Close()
	defer from.Close()
	for data := make([]byte, 64<<10); ; {
		n, err := from.Read(data)
		if err != nil {
			return
		}
		cut := false
		if most := left.Load(); most >= 0 {
			if cut = int64(n) > most; cut {
				n = int(most)
				left.Store(-1)
			} else {
				left.Store(most - int64(n))
			}
		}
		if cut {
			c.Cuts.Add(1)
		}
		if _, err := to.Write(data[:n]); err != nil && err != io.EOF || cut {
			return
		}
	}
}
