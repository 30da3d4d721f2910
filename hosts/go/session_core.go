package parley

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
)

// Engine makes the cores of sessions. [Native] and [Runtime] implement it.
type Engine interface {
	// NewSessionCore makes the core of a session; see [session.New]. Hosts
	// use [NewSession].
	NewSessionCore(opts session.Options) (SessionCore, error)
}

// Native is the engine as Go code in this process.
type Native struct{}

// SessionCore is the protocol's side of a [Session], wherever its engine runs:
// events in, actions out. It is not safe for concurrent use; cores of one
// engine may be used at the same time.
type SessionCore interface {
	// Step advances the session; see [session.Session.Step], also for whose memory
	// the slice is.
	Step(now int64, ev session.Event) ([]session.Action, error)

	// Call makes a call and returns its number; see [session.Session.Call].
	Call(method string, params []byte, opts engine.Options) (call int, err error)

	// Restore makes a call from a snapshot; see [session.Session.Restore].
	Restore(snapshot []byte, expect engine.Expect) (call int, err error)

	// Snapshot returns everything needed to continue a call elsewhere; see
	// [session.Session.Snapshot]. It holds a secret.
	Snapshot(call int) ([]byte, error)

	// Info describes a call; see [session.Session.Info].
	Info(call int) (engine.Info, error)

	// Free lets go of a call; see [session.Session.Free].
	Free(call int)

	// Close lets go of the session and its calls. It may be called more than
	// once.
	Close()
}

// NewSessionCore implements [Engine].
func (Native) NewSessionCore(opts session.Options) (SessionCore, error) {
	s, err := session.New(opts)
	if err != nil {
		return nil, err
	}
	return nativeCore{s}, nil
}

type nativeCore struct{ *session.Session }

func (nativeCore) Close() {}
