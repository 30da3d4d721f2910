package display

import (
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine"
)

// What a server can put on a line, in characters.
const (
	maxStatus = 200
	maxNumber = 60
)

// Log is a notifications/message in a line. Its end is the server's, as it came.
func Log(params []byte) string {
	line := plain.Line(jsontext.Text(params, "level"), 20)
	if logger := jsontext.Text(params, "logger"); logger != "" {
		line += " (" + plain.Line(logger, maxName) + ")"
	}
	return line + ": " + jsontext.Text(params, "data")
}

// Progress is a notifications/progress in a line fit to be shown.
func Progress(params []byte) string {
	text := plain.Line(jsontext.Text(params, "message"), maxStatus)
	far := jsontext.Text(params, "progress")
	if total := jsontext.Text(params, "total"); total != "" && far != "" {
		far += " of " + total
	}
	return strings.TrimPrefix(strings.TrimSuffix(text+", "+plain.Line(far, maxNumber), ", "), ", ")
}

// Task is how a task stands, in words fit to be shown.
func Task(t engine.Task) string {
	if text := plain.Line(t.Message, maxStatus); text != "" {
		return text
	}
	return "works on it as a task (" + plain.Line(t.Status, maxName) + ")"
}
