package postgres

import (
	"encoding/binary"
	"errors"
	"net"
)

// guard is a connection that reads no message that cannot be: the client makes as
// much room as its length says.
//
// Source: PostgreSQL, Frontend/Backend Protocol, Message Formats.
type guard struct {
	net.Conn
	head  []byte // what was read of a type and a length
	skip  uint32 // of a body
	ready bool   // the server has let the client in
	bad   bool
}

var errGarbage = errors.New("store: what the server answered is nothing that this version knows")

const (
	maxBody  = 128 << 20 // bytes of a message
	maxHello = 64 << 10  // the same, before anybody is let in
)

// Read implements [net.Conn].
func (g *guard) Read(p []byte) (int, error) {
	if g.bad {
		return 0, errGarbage
	}
	n, err := g.Conn.Read(p)
	if whole := g.follow(p[:n]); whole < n {
		g.bad = true
		return whole, errGarbage
	}
	return n, err
}

// follow goes through what was read and returns how much of it can be: all, or
// what is before the length that cannot.
func (g *guard) follow(data []byte) int {
	for at := 0; at < len(data); {
		if g.skip > 0 {
			n := min(g.skip, uint32(len(data)-at))
			g.skip -= n
			at += int(n)
			continue
		}
		g.head = append(g.head, data[at])
		if at++; len(g.head) < 5 {
			continue
		}
		length, most := binary.BigEndian.Uint32(g.head[1:]), uint32(maxHello)
		if g.ready {
			most = maxBody
		}
		if length < 4 || length > most {
			return at - 1
		}
		g.ready = g.ready || g.head[0] == 'Z'
		g.head, g.skip = g.head[:0], length-4
	}
	return len(data)
}
