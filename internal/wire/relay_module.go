//go:build tinygo && !flows

package wire

import "github.com/parley-mcp/parley/engine"

func (w *walk) appendRelay(engine.Relay) {}

func (w *walk) relay() engine.Relay { return engine.Relay{} }
