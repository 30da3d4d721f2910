package enginetest

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/enginewire"
)

// Native is the engine in this process, without wasm.
type Native struct{}

// New implements [Host].
func (Native) New(request []byte) (Flow, []byte) {
	method, params, opts, bad := enginewire.Text.DecodeNew(request)
	if bad != nil {
		return nil, enginewire.Text.AppendError(nil, bad)
	}
	f, err := engine.New(method, params, opts)
	if err != nil {
		return nil, enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

// Restore implements [Host].
func (Native) Restore(request []byte) (Flow, []byte) {
	snapshot, expect, bad := enginewire.Text.DecodeRestore(request)
	if bad != nil {
		return nil, enginewire.Text.AppendError(nil, bad)
	}
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return nil, enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

type nativeFlow struct{ flow *engine.Flow }

func (n nativeFlow) Step(now int64, event []byte) []byte {
	ev, bad := enginewire.Text.DecodeEvent(event)
	if bad != nil {
		return enginewire.Text.AppendError(nil, bad)
	}
	actions, err := n.flow.Step(now, ev)
	if err != nil {
		return enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return enginewire.Text.AppendActions(nil, actions)
}

func (n nativeFlow) Snapshot() []byte {
	snapshot, err := n.flow.Snapshot()
	if err != nil {
		return enginewire.Text.AppendError(nil, err.(*engine.Error))
	}
	return enginewire.Text.AppendSnapshot(nil, snapshot)
}

func (nativeFlow) Close() {}

// NewSession implements [SessionHost].
func (Native) NewSession(request []byte) (Session, []byte) {
	opts, bad := enginewire.Text.DecodeSessionNew(request)
	if bad != nil {
		return nil, enginewire.Text.AppendError(nil, bad)
	}
	s, err := session.New(opts)
	if err != nil {
		return nil, failure(err)
	}
	return nativeSession{s}, nil
}

type nativeSession struct{ session *session.Session }

func (n nativeSession) Call(request []byte) []byte {
	method, params, opts, bad := enginewire.Text.DecodeNew(request)
	if bad != nil {
		return enginewire.Text.AppendError(nil, bad)
	}
	call, err := n.session.Call(method, params, opts)
	if err != nil {
		return failure(err)
	}
	return enginewire.Text.AppendCall(nil, call)
}

func (n nativeSession) Restore(request []byte) []byte {
	snapshot, expect, bad := enginewire.Text.DecodeRestore(request)
	if bad != nil {
		return enginewire.Text.AppendError(nil, bad)
	}
	call, err := n.session.Restore(snapshot, expect)
	if err != nil {
		return failure(err)
	}
	return enginewire.Text.AppendCall(nil, call)
}

func (n nativeSession) Step(now int64, event []byte) []byte {
	ev, bad := enginewire.Text.DecodeSessionEvent(event)
	if bad != nil {
		return enginewire.Text.AppendError(nil, bad)
	}
	actions, err := n.session.Step(now, ev)
	if err != nil {
		return failure(err)
	}
	return enginewire.Text.AppendSessionActions(nil, actions)
}

func (n nativeSession) Snapshot(call int) []byte {
	snapshot, err := n.session.Snapshot(call)
	if err != nil {
		return failure(err)
	}
	return enginewire.Text.AppendSnapshot(nil, snapshot)
}

func (n nativeSession) Drop(call int) { n.session.Free(call) }

func (nativeSession) Close() {}

func failure(err error) []byte { return enginewire.Text.AppendError(nil, err.(*engine.Error)) }
