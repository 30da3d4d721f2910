package upstream

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// watched is an engine whose session is looked at while it runs: the hooks of
// [parley.SessionOptions] do not tell in which call's response a notification
// came, and come too late to stand before the call's result.
type watched struct {
	parley.Engine
	conn *Conn
}

// NewSessionCore implements [parley.Engine].
func (w watched) NewSessionCore(opts session.Options) (parley.SessionCore, error) {
	core, err := w.Engine.NewSessionCore(opts)
	return watchedCore{core, w.conn}, err
}

type watchedCore struct {
	parley.SessionCore
	conn *Conn
}

// Step implements [parley.SessionCore].
func (c watchedCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	actions, err := c.SessionCore.Step(now, ev)
	for _, a := range actions {
		c.conn.see(a)
	}
	return actions, err
}

// Call implements [parley.SessionCore].
func (c watchedCore) Call(method string, params []byte, opts engine.Options) (int, error) {
	number, err := c.SessionCore.Call(method, params, opts)
	if err == nil {
		c.conn.named(number, opts.ID)
	}
	return number, err
}

// Free implements [parley.SessionCore].
func (c watchedCore) Free(call int) {
	c.conn.named(call, "")
	c.SessionCore.Free(call)
}
