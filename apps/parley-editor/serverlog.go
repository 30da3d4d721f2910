package main

import "github.com/parley-mcp/parley/apps/internal/plain"

const (
	maxMessage = 1200 // characters of an error or a log message
	maxName    = 200  // of a tool's or a field's name
)

// log tells the editor what a server logs, or what is told of it.
func (h *host) log(label, level, text string) {
	h.tell("server/log", struct {
		Server string `json:"server"`
		Level  string `json:"level,omitempty"` // empty: the text says
		Text   string `json:"text"`
	}{label, level, plain.Line(text, maxMessage)})
}
