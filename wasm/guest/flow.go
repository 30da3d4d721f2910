package main

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/wire"
)

// flows holds what is live. A handle is a place in it and, above that, how
// often the place was given out, so that the handle of a flow that was freed
// does not soon name another.
var (
	flows []slot
	free  []uint32 // places without a flow
	live  uint32
)

type slot struct {
	flow *engine.Flow
	uses uint32
}

const placeBits = 20 // a million flows in one instance

// hold keeps a flow and returns its handle, which is never 0.
func hold(f *engine.Flow) uint32 {
	var place uint32
	if n := len(free); n > 0 {
		place, free = free[n-1], free[:n-1]
	} else {
		place = uint32(len(flows))
		flows = append(flows, slot{})
	}
	s := &flows[place]
	s.flow = f
	s.uses++
	live++
	return s.uses<<placeBits | place + 1
}

// held is the flow of a handle, nil if there is none.
func held(handle uint32) (f *engine.Flow, place uint32) {
	place = handle&(1<<placeBits-1) - 1
	if place >= uint32(len(flows)) || flows[place].uses<<placeBits != handle&^(1<<placeBits-1) {
		return nil, 0
	}
	return flows[place].flow, place
}

// parleyFlowNew makes a flow and answers {"flow":handle} or {"error":…}.
//
//go:wasmexport parley_flow_new
func parleyFlowNew(size uint32) uint32 {
	method, params, opts, bad := wire.DecodeNew(input(size))
	if bad != nil {
		return output(wire.AppendError(out[:0], bad))
	}
	f, err := engine.New(method, params, opts)
	if err != nil {
		return output(wire.AppendError(out[:0], err.(*engine.Error)))
	}
	return output(wire.AppendHandle(out[:0], hold(f)))
}

// parleyFlowStep feeds one event to a flow and answers {"actions":[…]} or
// {"error":…}. nowMillis is Unix time in milliseconds, a float64 because every
// host has one.
//
//go:wasmexport parley_flow_step
func parleyFlowStep(handle uint32, nowMillis float64, size uint32) uint32 {
	f, _ := held(handle)
	if f == nil {
		return output(wire.AppendError(out[:0], unknownFlow()))
	}
	ev, bad := wire.DecodeEvent(input(size))
	if bad != nil {
		return output(wire.AppendError(out[:0], bad))
	}
	actions, err := f.Step(int64(nowMillis), ev)
	if err != nil {
		return output(wire.AppendError(out[:0], err.(*engine.Error)))
	}
	return output(wire.AppendActions(out[:0], actions))
}

// parleyFlowSnapshot answers {"snapshot":"…"} or {"error":…}.
//
//go:wasmexport parley_flow_snapshot
func parleyFlowSnapshot(handle uint32) uint32 {
	f, _ := held(handle)
	if f == nil {
		return output(wire.AppendError(out[:0], unknownFlow()))
	}
	snapshot, err := f.Snapshot()
	if err != nil {
		return output(wire.AppendError(out[:0], err.(*engine.Error)))
	}
	return output(wire.AppendSnapshot(out[:0], snapshot))
}

// parleyFlowRestore makes a flow of a snapshot and answers {"flow":handle} or
// {"error":…}.
//
//go:wasmexport parley_flow_restore
func parleyFlowRestore(size uint32) uint32 {
	snapshot, expect, bad := wire.DecodeRestore(input(size))
	if bad != nil {
		return output(wire.AppendError(out[:0], bad))
	}
	f, err := engine.Restore(snapshot, expect)
	if err != nil {
		return output(wire.AppendError(out[:0], err.(*engine.Error)))
	}
	return output(wire.AppendHandle(out[:0], hold(f)))
}

// parleyFlowInfo describes a flow.
//
//go:wasmexport parley_flow_info
func parleyFlowInfo(handle uint32) uint32 {
	f, _ := held(handle)
	if f == nil {
		return output(wire.AppendError(out[:0], unknownFlow()))
	}
	info := f.Info()
	return output(wire.AppendInfo(out[:0], &info))
}

// parleyFlowFree lets go of a flow. A handle that is not live is ignored.
//
//go:wasmexport parley_flow_free
func parleyFlowFree(handle uint32) {
	if f, place := held(handle); f != nil {
		flows[place].flow = nil
		free = append(free, place)
		live--
	}
}

// parleyLive counts the flows that are held.
//
//go:wasmexport parley_live
func parleyLive() uint32 { return live }

func unknownFlow() *engine.Error {
	return &engine.Error{Code: engine.ErrOrder, Detail: "unknown flow"}
}
