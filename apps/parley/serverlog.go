package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
)

// serverLog shows what a server writes to its standard error, line by line.
type serverLog struct {
	console *console.Console
	label   string

	mu   sync.Mutex
	line []byte // that has not ended
}

// mostLogLine bounds a line of a server's log, in bytes: what is longer is
// taken for several.
const mostLogLine = 4096

// openLog is where a server's standard error goes: to the file of --server-log
// as it is, or onto the screen.
func (c *command) openLog(screen *console.Console) (log io.Writer, end func(), err error) {
	if c.serverLog == "" {
		l := &serverLog{console: screen, label: c.label}
		return l, l.end, nil
	}
	file, err := os.OpenFile(c.serverLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("--server-log: %w", err)
	}
	return file, func() { file.Close() }, nil
}

// Write implements [io.Writer]. It never fails: a server's log is no reason to
// end the server.
func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := mostLogLine - len(l.line); len(part) > room {
			part, after, ended = rest[:room], rest[room:], true
		}
		l.line = append(l.line, part...)
		if ended {
			l.show()
		}
		rest = after
	}
	return len(p), nil
}

// end shows a last line that has no end.
func (l *serverLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) > 0 {
		l.show()
	}
}

func (l *serverLog) show() {
	l.console.Log(l.label, strings.TrimSuffix(string(l.line), "\r"))
	l.line = l.line[:0]
}

// logLevels are the levels of MCP, the least first.
var logLevels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func checkLogLevel(level string) error {
	if level == "" || slices.Contains(logLevels, level) {
		return nil
	}
	return fmt.Errorf("--log-level is one of %s, not %q", strings.Join(logLevels, ", "), level)
}

// logMessage is a notifications/message of the server's in a line.
func logMessage(params []byte) string {
	line := plain.Line(jsontext.Text(jsontext.Get(params, "level")), 20)
	if logger := jsontext.Text(jsontext.Get(params, "logger")); logger != "" {
		line += " (" + plain.Line(logger, mostKey) + ")"
	}
	return line + ": " + jsontext.Text(jsontext.Get(params, "data"))
}
