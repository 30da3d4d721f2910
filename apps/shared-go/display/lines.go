package display

import (
	"bytes"
	"strings"
	"sync"
)

// Lines takes what a server writes to its standard error, line by line.
type Lines struct {
	Tell func(line string)

	mu   sync.Mutex
	line []byte // that has not ended
}

// maxLine bounds a line of a server's log, in bytes: what is longer is taken
// for several.
const maxLine = 4096

// Write implements [io.Writer]. It never fails: a server's log is no reason to
// end the server.
func (l *Lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := maxLine - len(l.line); len(part) > room {
			part, after, ended = rest[:room], rest[room:], true
		}
		l.line = append(l.line, part...)
		if ended {
			l.tell()
		}
		rest = after
	}
	return len(p), nil
}

// End tells a last line that has no end.
func (l *Lines) End() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) > 0 {
		l.tell()
	}
}

func (l *Lines) tell() {
	l.Tell(strings.TrimSuffix(string(l.line), "\r"))
	l.line = l.line[:0]
}
