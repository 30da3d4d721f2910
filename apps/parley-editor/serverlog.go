package main

import (
	"strings"
	"sync"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/rawjson"
)

const (
	mostMessage = 1200 // characters of an error or a log message
	mostName    = 200  // of a tool's or a field's name
)

// log tells the editor what a server logs, or what is told of it.
func (h *host) log(label, level, text string) {
	h.tell("server/log", struct {
		Server string `json:"server"`
		Level  string `json:"level,omitempty"` // empty: the text says
		Text   string `json:"text"`
	}{label, level, plain.Line(text, mostMessage)})
}

// logMessage is a notifications/message of the server's in a line.
func logMessage(params []byte) string {
	line := plain.Line(words(rawjson.Member(params, "level")), 20)
	if logger := words(rawjson.Member(params, "logger")); logger != "" {
		line += " (" + plain.Line(logger, mostName) + ")"
	}
	return line + ": " + words(rawjson.Member(params, "data"))
}

// serverLog takes what a server writes to its standard error, line by line.
type serverLog struct {
	tell func(text string)

	mu   sync.Mutex
	line []byte // that has not ended
}

// mostLogLine bounds a line of a server's log, in bytes: what is longer is
// taken for several.
const mostLogLine = 4096

// Write implements [io.Writer]. It never fails: a server's log is no reason to
// end the server.
func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range p {
		if c != '\n' {
			l.line = append(l.line, c)
		}
		if c == '\n' || len(l.line) == mostLogLine {
			l.tell(strings.TrimSuffix(string(l.line), "\r"))
			l.line = l.line[:0]
		}
	}
	return len(p), nil
}

// progressText is a progress notification's params in a line.
func progressText(params []byte) string {
	text := plain.Line(words(rawjson.Member(params, "message")), mostName)
	far := string(rawjson.Member(params, "progress"))
	if total := rawjson.Member(params, "total"); total != nil && far != "" {
		far += " of " + string(total)
	}
	return strings.TrimPrefix(strings.TrimSuffix(text+", "+plain.Line(far, 60), ", "), ", ")
}
