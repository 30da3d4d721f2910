package parley_test

import (
	"testing"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/enginetest"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/wasm"
)

const sessionCorpus = "../../engine/testdata/sessions"

// TestSessionCorpus replays the corpus of sessions through both engines behind
// this package's interface, and on the module's bare exports. What comes out
// must be the very bytes of the scripts.
func TestSessionCorpus(t *testing.T) {
	t.Run("native", func(t *testing.T) {
		enginetest.RunSessions(t, sessionCorpus, sessionHost{parley.Native{}}, enginetest.Plain)
	})
	t.Run("wazero", func(t *testing.T) {
		rt := newRuntime(t, parley.RuntimeOptions{})
		enginetest.RunSessions(t, sessionCorpus, sessionHost{rt}, enginetest.Plain)
		if n := rt.Live(); n != 0 {
			t.Errorf("%d sessions and calls are still live", n)
		}
	})
	t.Run("boundary", func(t *testing.T) {
		m := newModule(t, wasm.Engine())
		enginetest.RunSessions(t, sessionCorpus, m, enginetest.Plain)
		if n := m.Call("parley_live"); n != 0 {
			t.Errorf("%d sessions and calls are still live", n)
		}
	})
}

// sessionHost replays scripts on an [parley.Engine].
type sessionHost struct{ engine parley.Engine }

func (h sessionHost) NewSession(request []byte) (enginetest.Session, []byte) {
	opts, bad := wire.Text.DecodeSessionNew(request)
	if bad != nil {
		return nil, wire.Text.AppendError(nil, bad)
	}
	core, err := h.engine.NewSessionCore(opts)
	if err != nil {
		return nil, wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return hostSession{core}, nil
}

type hostSession struct{ core parley.SessionCore }

func (s hostSession) Call(request []byte) []byte {
	method, params, opts, bad := wire.Text.DecodeNew(request)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	return called(s.core.Call(method, params, opts))
}

func (s hostSession) Restore(request []byte) []byte {
	snapshot, expect, bad := wire.Text.DecodeRestore(request)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	return called(s.core.Restore(snapshot, expect))
}

func called(call int, err error) []byte {
	if err != nil {
		return wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return wire.Text.AppendCall(nil, call)
}

func (s hostSession) Step(now int64, event []byte) []byte {
	ev, bad := wire.Text.DecodeSessionEvent(event)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	actions, err := s.core.Step(now, ev)
	if err != nil {
		return wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return wire.Text.AppendSessionActions(nil, actions)
}

func (s hostSession) Snapshot(call int) []byte {
	snapshot, err := s.core.Snapshot(call)
	if err != nil {
		return wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return wire.Text.AppendSnapshot(nil, snapshot)
}

func (s hostSession) Drop(call int) { s.core.Free(call) }

func (s hostSession) Close() { s.core.Close() }

func (m module) NewSession(request []byte) (enginetest.Session, []byte) {
	answer := m.answer(m.Call("parley_session_new", m.write(request)))
	handle, err := wire.Text.DecodeSession(append([]byte(nil), answer...))
	if err != nil {
		return nil, answer
	}
	return moduleSession{m, uint64(handle)}, nil
}

// moduleSession calls the exports by name.
type moduleSession struct {
	module
	handle uint64
}

func (s moduleSession) Call(request []byte) []byte {
	return s.answer(s.module.Call("parley_session_call", s.handle, s.write(request)))
}

func (s moduleSession) Restore(request []byte) []byte {
	return s.answer(s.module.Call("parley_session_restore", s.handle, s.write(request)))
}

func (s moduleSession) Step(now int64, event []byte) []byte {
	return s.answer(s.module.Call("parley_session_step", s.handle, api.EncodeF64(float64(now)), s.write(event)))
}

func (s moduleSession) Snapshot(call int) []byte {
	return s.answer(s.module.Call("parley_session_snapshot", s.handle, uint64(call)))
}

func (s moduleSession) Drop(call int) { s.module.Call("parley_session_drop", s.handle, uint64(call)) }

func (s moduleSession) Close() { s.module.Call("parley_session_free", s.handle) }
