package enginetest

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
)

// Native is the engine in this process, without wasm.
type Native struct{}

// New implements [Host].
func (Native) New(request []byte) (Flow, []byte) {
	method, params, opts, bad := wire.DecodeNew(request)
	if bad != nil {
		return nil, wire.AppendError(nil, bad)
	}
	f, err := engine.New(method, params, opts)
	if err != nil {
		return nil, wire.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

// Restore implements [Host].
func (Native) Restore(request []byte) (Flow, []byte) {
	snapshot, expect, bad := wire.DecodeRestore(request)
	if bad != nil {
		return nil, wire.AppendError(nil, bad)
	}
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return nil, wire.AppendError(nil, err.(*engine.Error))
	}
	return nativeFlow{f}, nil
}

type nativeFlow struct{ flow *engine.Flow }

func (n nativeFlow) Step(now int64, event []byte) []byte {
	ev, bad := wire.DecodeEvent(event)
	if bad != nil {
		return wire.AppendError(nil, bad)
	}
	actions, err := n.flow.Step(now, ev)
	if err != nil {
		return wire.AppendError(nil, err.(*engine.Error))
	}
	return wire.AppendActions(nil, actions)
}

func (n nativeFlow) Snapshot() []byte {
	snapshot, err := n.flow.Snapshot()
	if err != nil {
		return wire.AppendError(nil, err.(*engine.Error))
	}
	return wire.AppendSnapshot(nil, snapshot)
}

func (nativeFlow) Close() {}
