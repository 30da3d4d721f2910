//go:build !tinygo || flows

package wire

import "github.com/parley-mcp/parley/engine"

// appendRelay writes what a session and its flows say to each other. Only scripts of
// flows have it: it crosses no boundary of a host.
func (w *walk) appendRelay(r engine.Relay) { r.AppendTo(&w.Walk) }

// relay reads it. Message is nil if the type is not known.
func (w *walk) relay() engine.Relay { return engine.ReadRelay(&w.Walk, w.kind, w.next) }
