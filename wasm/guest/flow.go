//go:build flows

package main

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
	"github.com/parley-mcp/parley/wasm/internal/handle"
)

// The exports of flows are for tests only: they play the corpus of flows on each
// runtime of WebAssembly.

// flows holds what is live.
var flows handle.Table[engine.Flow]

// parleyFlowNew makes a flow and answers {"flow":handle} or {"error":…}.
//
//go:wasmexport parley_flow_new
func parleyFlowNew(size uint32) uint32 {
	method, params, opts, bad := wire.Frame.DecodeNew(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	f, err := engine.New(method, params, opts)
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendHandle(boundary.Room(), flows.Hold(f)))
}

// parleyFlowStep feeds one event to a flow and answers {"actions":[…]} or
// {"error":…}. nowMillis is Unix time in milliseconds, a float64 because every
// host has one.
//
//go:wasmexport parley_flow_step
func parleyFlowStep(flow uint32, nowMillis float64, size uint32) uint32 {
	f := flows.Get(flow)
	if f == nil {
		return unknownFlow()
	}
	ev, bad := wire.Frame.DecodeEvent(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	actions, err := f.Step(int64(nowMillis), ev)
	if err != nil {
		return failed(err)
	}
	answer := boundary.Answer(wire.Frame.AppendActions(boundary.Room(), actions))
	clear(actions) // a flow that waits needs them no more
	return answer
}

// parleyFlowSnapshot answers {"snapshot":"…"} or {"error":…}.
//
//go:wasmexport parley_flow_snapshot
func parleyFlowSnapshot(flow uint32) uint32 {
	f := flows.Get(flow)
	if f == nil {
		return unknownFlow()
	}
	snapshot, err := f.Snapshot()
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendSnapshot(boundary.Room(), snapshot))
}

// parleyFlowRestore makes a flow of a snapshot and answers {"flow":handle} or
// {"error":…}.
//
//go:wasmexport parley_flow_restore
func parleyFlowRestore(size uint32) uint32 {
	snapshot, expect, bad := wire.Frame.DecodeRestore(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendHandle(boundary.Room(), flows.Hold(f)))
}

// parleyFlowInfo describes a flow.
//
//go:wasmexport parley_flow_info
func parleyFlowInfo(flow uint32) uint32 {
	f := flows.Get(flow)
	if f == nil {
		return unknownFlow()
	}
	info := f.Info()
	return boundary.Answer(wire.Frame.AppendInfo(boundary.Room(), &info))
}

// parleyFlowFree lets go of a flow. A handle that is not live is ignored.
//
//go:wasmexport parley_flow_free
func parleyFlowFree(flow uint32) { flows.Free(flow) }

func unknownFlow() uint32 {
	return failure(&engine.Error{Code: fault.Order, Detail: "unknown flow"})
}

func liveFlows() uint32 { return flows.Live() }
