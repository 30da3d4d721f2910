package main

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
	"github.com/parley-mcp/parley/wasm/internal/handle"
)

// sessions holds what is live.
var sessions handle.Table[session.Session]

// parleySessionNew makes a session and answers {"session":handle} or
// {"error":…}.
//
//go:wasmexport parley_session_new
func parleySessionNew(size uint32) uint32 {
	opts, bad := wire.Frame.DecodeSessionNew(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	s, err := session.New(opts)
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendSession(boundary.Room(), sessions.Hold(s)))
}

// parleySessionCall makes a call and answers {"call":number} or {"error":…}.
//
//go:wasmexport parley_session_call
func parleySessionCall(handle, size uint32) uint32 {
	s := sessions.Get(handle)
	if s == nil {
		return unknownSession()
	}
	method, params, opts, bad := wire.Frame.DecodeNew(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	return called(s.Call(method, params, opts))
}

// parleySessionRestore makes a call from a snapshot and answers {"call":number}
// or {"error":…}.
//
//go:wasmexport parley_session_restore
func parleySessionRestore(handle, size uint32) uint32 {
	s := sessions.Get(handle)
	if s == nil {
		return unknownSession()
	}
	snapshot, expect, bad := wire.Frame.DecodeRestore(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	return called(s.Restore(snapshot, expect))
}

func called(call int, err error) uint32 {
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendCall(boundary.Room(), call))
}

// parleySessionStep feeds one event to a session and answers {"actions":[…]}
// or {"error":…}.
//
//go:wasmexport parley_session_step
func parleySessionStep(handle uint32, nowMillis float64, size uint32) uint32 {
	s := sessions.Get(handle)
	if s == nil {
		return unknownSession()
	}
	ev, bad := wire.Frame.DecodeSessionEvent(boundary.Request(size))
	if bad != nil {
		return failure(bad)
	}
	actions, err := s.Step(int64(nowMillis), ev)
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendSessionActions(boundary.Room(), actions))
}

// parleySessionSnapshot answers {"snapshot":"…"} of a call, or {"error":…}.
//
//go:wasmexport parley_session_snapshot
func parleySessionSnapshot(handle, call uint32) uint32 {
	s := sessions.Get(handle)
	if s == nil {
		return unknownSession()
	}
	snapshot, err := s.Snapshot(int(call))
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendSnapshot(boundary.Room(), snapshot))
}

// parleySessionInfo describes a call.
//
//go:wasmexport parley_session_info
func parleySessionInfo(handle, call uint32) uint32 {
	s := sessions.Get(handle)
	if s == nil {
		return unknownSession()
	}
	info, err := s.Info(int(call))
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendInfo(boundary.Room(), &info))
}

// parleySnapshotInfo describes the flow that a snapshot is of: the request is the
// snapshot alone.
//
//go:wasmexport parley_snapshot_info
func parleySnapshotInfo(size uint32) uint32 {
	info, err := engine.SnapshotInfo(boundary.Request(size))
	if err != nil {
		return failed(err)
	}
	return boundary.Answer(wire.Frame.AppendInfo(boundary.Room(), &info))
}

// parleySessionDrop lets go of a call. What is not live is ignored.
//
//go:wasmexport parley_session_drop
func parleySessionDrop(handle, call uint32) {
	if s := sessions.Get(handle); s != nil {
		s.Free(int(call))
	}
}

// parleySessionFree lets go of a session and its calls. A handle that is not
// live is ignored.
//
//go:wasmexport parley_session_free
func parleySessionFree(handle uint32) { sessions.Free(handle) }

// liveSessions counts the sessions that are held, and the calls in them.
func liveSessions() uint32 {
	live := sessions.Live()
	sessions.Each(func(s *session.Session) { live += uint32(s.Calls()) })
	return live
}

func unknownSession() uint32 {
	return failure(&engine.Error{Code: fault.Order, Detail: "unknown session"})
}
