// Package answer checks what a Redis answers before its client reads it.
package answer

import (
	"bytes"
	"errors"
	"net"
	"strconv"
)

// Guard is a connection that reads no answer whose lengths or depth cannot be: the
// client takes those for granted, and makes as much room as they say.
//
// Source: RESP3 specification.
type Guard struct {
	net.Conn
	line []byte  // what was read of a line
	skip int64   // of a text, with the end of its line
	open []int64 // items that are still to come, of each list around them
	bad  bool
}

// ErrGarbage says that an answer is none that there can be.
var ErrGarbage = errors.New("store: what the server answered is nothing that this version knows")

const (
	maxItems = 1 << 20   // of a list or map
	maxDepth = 16        // of lists in lists
	maxBytes = 64 << 20  // of a text
	maxLine  = 128 << 10 // an error's, say
)

// Read implements [net.Conn].
func (g *Guard) Read(p []byte) (int, error) {
	if g.bad {
		return 0, ErrGarbage
	}
	n, err := g.Conn.Read(p)
	if whole := g.follow(p[:n]); whole < n {
		g.bad = true
		return whole, ErrGarbage
	}
	return n, err
}

// follow goes through what was read and returns how much of it can be: all, or
// what is before the line that cannot.
func (g *Guard) follow(data []byte) int {
	for at := 0; at < len(data); {
		if g.skip > 0 {
			n := min(g.skip, int64(len(data)-at))
			g.skip -= n
			at += int(n)
			continue
		}
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			g.line = append(g.line, data[at:]...)
			if len(g.line) > maxLine || !startsAnswer(g.line[0]) {
				return at
			}
			return len(data)
		}
		line := append(g.line, data[at:at+end]...)
		if len(line) > maxLine || !g.header(bytes.TrimSuffix(line, []byte("\r"))) {
			return at
		}
		g.line = g.line[:0]
		at += end + 1
	}
	return len(data)
}

// header reads the first line of an answer, or of a part of one.
func (g *Guard) header(line []byte) bool {
	if len(line) == 0 || !startsAnswer(line[0]) {
		return false
	}
	most, isList := int64(maxItems), true
	switch line[0] {
	case '$', '!', '=':
		most, isList = maxBytes, false
	case '*', '%', '~', '>':
	default:
		g.item()
		return true
	}
	n, err := strconv.ParseInt(string(line[1:]), 10, 64)
	if err != nil || n < -1 || n > most {
		return false
	}
	if line[0] == '%' {
		n *= 2
	}
	switch {
	case isList && n > 0:
		g.open = append(g.open, n)
		return len(g.open) <= maxDepth
	case !isList && n >= 0:
		g.skip = n + 2
	}
	g.item()
	return true
}

// item counts one, and the lists that it is the last of.
func (g *Guard) item() {
	for last := len(g.open) - 1; last >= 0; last-- {
		if g.open[last]--; g.open[last] > 0 {
			return
		}
		g.open = g.open[:last]
	}
}

func startsAnswer(c byte) bool { return bytes.IndexByte([]byte("+-:_#,($!=*%~>"), c) >= 0 }
