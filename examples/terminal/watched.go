package main

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// watched is an engine whose sessions are looked at while they run. The hooks
// of [parley.SessionOptions] come from a goroutine of their own: what a program
// that is about to end was told last would be lost, and would not stand where it
// belongs between the lines of --trace.
//
// A call that is canceled while leaves says so is parked instead: engine.Cancel
// would have the server cancel its task, too.
type watched struct {
	parley.Engine
	see    func(session.Action)
	leaves func() bool
}

// NewSessionCore implements [parley.Engine].
func (w watched) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := w.Engine.NewSessionCore(opts)
	return &watchedCore{core, w.see, w.leaves, 0}, err
}

type watchedCore struct {
	parley.SessionCore
	see    func(session.Action)
	leaves func() bool
	leg    int // that was sent last
}

// Step implements [parley.SessionCore].
func (c *watchedCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	actions, err := c.step(now, ev)
	for _, a := range actions {
		if post, ok := a.(session.Post); ok && post.Call != 0 {
			c.leg = post.Leg
		}
		c.see(a)
	}
	return actions, err
}

// step gives up a leg of a task that is in flight: to park waits for it, and it
// can be sent again.
func (c *watchedCore) step(now int64, ev session.Event) ([]session.Action, error) {
	to, ok := ev.(session.To)
	if _, canceled := to.Event.(engine.Cancel); !ok || !canceled || !c.leaves() {
		return c.SessionCore.Step(now, ev)
	}
	to.Event = engine.Lost{Leg: c.leg, Unsent: true}
	if actions, err := c.SessionCore.Step(now, to); err == nil {
		return actions, nil
	}
	to.Event = engine.Park{}
	return c.SessionCore.Step(now, to)
}
