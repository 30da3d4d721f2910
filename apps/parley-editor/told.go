package main

import (
	"github.com/parley-mcp/parley/apps/shared-go/display"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/audit"
)

// status tells the editor whose turn it is: working is the server's, asking the
// person's, and then it is over.
func (c *call) status(status string) {
	c.host.tell("call/status", struct {
		Call    string `json:"call"`
		Server  string `json:"server"`
		Subject string `json:"subject"`
		Status  string `json:"status"`
	}{c.id, c.server.Label, c.subject, status})
}

func (c *call) progress(_ int, params []byte) { c.advance(display.Progress(params)) }

// task tells the status of the task that the call has become.
func (c *call) task(t engine.Task) {
	c.mu.Lock()
	c.worth = true // it may go on, whatever becomes of the call
	c.mu.Unlock()
	c.advance(display.Task(t))
}

func (c *call) advance(text string) {
	c.host.tell("call/progress", struct {
		Call   string `json:"call"`
		Server string `json:"server"`
		Text   string `json:"text"`
	}{c.id, c.server.Label, text})
}

func (c *call) note(n engine.Note) {
	c.host.tell("call/note", struct {
		Call   string     `json:"call"`
		Kind   audit.Kind `json:"kind"`
		Leg    int        `json:"leg"`
		Round  int        `json:"round"`
		Time   int64      `json:"time"`
		Action string     `json:"action,omitempty"`
	}{n.Flow, n.Kind, n.Leg, n.Round, n.Time, n.Action})
}
