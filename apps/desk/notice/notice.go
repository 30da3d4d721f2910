// Package notice is what a server tells beside its answers: what it logs, how far
// a call is and how its task stands, each in a line.
package notice

import (
	"strings"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine"
)

// What a server can put on a line, in characters.
const (
	mostName   = 100
	mostStatus = 200
	mostNumber = 60
)

// Log is a notifications/message in a line. Its end is the server's, as it came.
func Log(params []byte) string {
	line := plain.Line(jsontext.Text(params, "level"), 20)
	if logger := jsontext.Text(params, "logger"); logger != "" {
		line += " (" + plain.Line(logger, mostName) + ")"
	}
	return line + ": " + jsontext.Text(params, "data")
}

// Progress is a notifications/progress in a line fit to be shown.
func Progress(params []byte) string {
	text := plain.Line(jsontext.Text(params, "message"), mostStatus)
	far := jsontext.Text(params, "progress")
	if total := jsontext.Text(params, "total"); total != "" && far != "" {
		far += " of " + total
	}
	return strings.TrimPrefix(strings.TrimSuffix(text+", "+plain.Line(far, mostNumber), ", "), ", ")
}

// Task is how a task stands, in words fit to be shown.
func Task(t engine.Task) string {
	if text := plain.Line(t.Message, mostStatus); text != "" {
		return text
	}
	return "works on it as a task (" + plain.Line(t.Status, mostName) + ")"
}
