package enginetest

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

// Native is the engine in this process, without wasm.
type Native struct{}

// New implements [Host].
func (Native) New(request []byte) (Flow, []byte) {
	method, params, opts, bad := wire.Text.DecodeNew(request)
	if bad != nil {
		return nil, wire.Text.AppendError(nil, bad)
	}
	f, err := engine.New(method, params, opts)
	if err != nil {
		return nil, wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

// Restore implements [Host].
func (Native) Restore(request []byte) (Flow, []byte) {
	snapshot, expect, bad := wire.Text.DecodeRestore(request)
	if bad != nil {
		return nil, wire.Text.AppendError(nil, bad)
	}
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return nil, wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

type nativeFlow struct{ flow *engine.Flow }

func (n nativeFlow) Step(now int64, event []byte) []byte {
	ev, bad := wire.Text.DecodeEvent(event)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	actions, err := n.flow.Step(now, ev)
	if err != nil {
		return wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return wire.Text.AppendActions(nil, actions)
}

func (n nativeFlow) Snapshot() []byte {
	snapshot, err := n.flow.Snapshot()
	if err != nil {
		return wire.Text.AppendError(nil, err.(*engine.Error))
	}
	return wire.Text.AppendSnapshot(nil, snapshot)
}

func (nativeFlow) Close() {}

// NewSession implements [SessionHost].
func (Native) NewSession(request []byte) (Session, []byte) {
	opts, bad := wire.Text.DecodeSessionNew(request)
	if bad != nil {
		return nil, wire.Text.AppendError(nil, bad)
	}
	s, err := session.New(opts)
	if err != nil {
		return nil, failure(err)
	}
	return nativeSession{s}, nil
}

type nativeSession struct{ session *session.Session }

func (n nativeSession) Call(request []byte) []byte {
	method, params, opts, bad := wire.Text.DecodeNew(request)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	call, err := n.session.Call(method, params, opts)
	if err != nil {
		return failure(err)
	}
	return wire.Text.AppendCall(nil, call)
}

func (n nativeSession) Restore(request []byte) []byte {
	snapshot, expect, bad := wire.Text.DecodeRestore(request)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	call, err := n.session.Restore(snapshot, expect)
	if err != nil {
		return failure(err)
	}
	return wire.Text.AppendCall(nil, call)
}

func (n nativeSession) Step(now int64, event []byte) []byte {
	ev, bad := wire.Text.DecodeSessionEvent(event)
	if bad != nil {
		return wire.Text.AppendError(nil, bad)
	}
	actions, err := n.session.Step(now, ev)
	if err != nil {
		return failure(err)
	}
	return wire.Text.AppendSessionActions(nil, actions)
}

func (n nativeSession) Snapshot(call int) []byte {
	snapshot, err := n.session.Snapshot(call)
	if err != nil {
		return failure(err)
	}
	return wire.Text.AppendSnapshot(nil, snapshot)
}

func (n nativeSession) Drop(call int) { n.session.Free(call) }

func (nativeSession) Close() {}

func failure(err error) []byte { return wire.Text.AppendError(nil, err.(*engine.Error)) }
