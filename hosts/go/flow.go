package parley

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// Engine makes flows and the cores of sessions. [Native] and [Runtime]
// implement it.
type Engine interface {
	// NewFlow makes a flow for one request; see [engine.New].
	NewFlow(method string, params []byte, opts engine.Options) (Flow, error)

	// RestoreFlow makes a flow of a snapshot; see [engine.Restore].
	RestoreFlow(snapshot []byte, expect engine.Expect) (Flow, error)

	// NewSessionCore makes the core of a session; see [session.New]. Hosts
	// use [NewSession].
	NewSessionCore(opts session.Options) (SessionCore, error)
}

// Flow is one logical call, wherever its engine runs. A Flow is not safe for
// concurrent use; flows of one engine may be used at the same time.
type Flow interface {
	// Step advances the flow; see [engine.Flow.Step], also for whose memory the
	// slice is.
	Step(now int64, ev engine.Event) ([]engine.Action, error)

	// Snapshot returns everything needed to continue elsewhere; see
	// [engine.Flow.Snapshot]. It holds a secret.
	Snapshot() ([]byte, error)

	// Info describes the flow; see [engine.Flow.Info].
	Info() (engine.Info, error)

	// Close lets go of the flow. It may be called more than once.
	Close()
}

// Native is the engine as Go code in this process.
type Native struct{}

// NewFlow implements [Engine].
func (Native) NewFlow(method string, params []byte, opts engine.Options) (Flow, error) {
	f, err := engine.New(method, params, opts)
	if err != nil {
		return nil, err
	}
	return nativeFlow{f}, nil
}

// RestoreFlow implements [Engine].
func (Native) RestoreFlow(snapshot []byte, expect engine.Expect) (Flow, error) {
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return nil, err
	}
	return nativeFlow{f}, nil
}

type nativeFlow struct{ *engine.Flow }

func (f nativeFlow) Info() (engine.Info, error) { return f.Flow.Info(), nil }

func (nativeFlow) Close() {}
