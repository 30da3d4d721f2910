package main

import (
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// watched is an engine whose sessions are looked at while they run. The hooks
// of [parley.SessionOptions] come from a goroutine of their own: what a program
// that is about to end was told last would be lost, and would not stand where it
// belongs between the lines of --trace.
type watched struct {
	parley.Engine
	see func(session.Action)
}

// NewSessionCore implements [parley.Engine].
func (w watched) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := w.Engine.NewSessionCore(opts)
	return watchedCore{core, w.see}, err
}

type watchedCore struct {
	parley.SessionCore
	see func(session.Action)
}

// Step implements [parley.SessionCore].
func (c watchedCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	actions, err := c.SessionCore.Step(now, ev)
	for _, a := range actions {
		c.see(a)
	}
	return actions, err
}
