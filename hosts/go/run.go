package parley

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-mcp/parley/engine"
)

// Outcome is how a call ended without failing: done or parked.
type Outcome struct {
	// Result is the server's final result as JSON text, byte for byte; nil if
	// the call was parked.
	Result []byte

	// NoStore says that the result must not be cached, because its request
	// carried answers or requestState (MCP 2026-07-28, server/utilities/caching).
	NoStore bool

	// Parked says that a callback asked to park. Snapshot then holds
	// everything; [Resume] goes on with it. It holds a secret.
	Parked   bool
	Snapshot []byte
}

// Call makes a flow and runs it. Where opts declares no capabilities, those of
// the callbacks are declared.
func Call(ctx context.Context, e Engine, method string, params []byte, opts engine.Options, cb Callbacks) (Outcome, error) {
	if opts.Capabilities == nil {
		opts.Capabilities = cb.Capabilities()
	}
	flow, err := e.NewFlow(method, params, opts)
	if err != nil {
		return Outcome{}, err
	}
	defer flow.Close()
	return Run(ctx, flow, engine.Begin{}, cb)
}

// Resume goes on with a call from its snapshot: a question that was open is
// asked again, nothing that was answered is asked twice. A tool call that was
// in flight when its process ended fails with [engine.ErrInDoubt], because it
// may have been made; resend calls it again all the same. It fails with
// [engine.ErrPeer] if the snapshot is not of the expected peer and principal.
func Resume(ctx context.Context, e Engine, snapshot []byte, expect engine.Expect, resend bool, cb Callbacks) (Outcome, error) {
	flow, err := e.RestoreFlow(snapshot, expect)
	if err != nil {
		return Outcome{}, err
	}
	defer flow.Close()
	return Run(ctx, flow, engine.Begin{Resend: resend}, cb)
}

// Run performs what the flow asks for until it ends; [Call] and [Resume] are
// made of it. When ctx ends, Run returns at once, even if a callback ignores
// it: only that callback's own goroutine lives on until it returns. A callback
// that panics fails its own leg or question, nothing more. The error is an
// [*Error], with a snapshot if the call can go on; a mistake in using the flow
// is an [*engine.Error].
func Run(ctx context.Context, flow Flow, begin engine.Begin, cb Callbacks) (Outcome, error) {
	if cb.Send == nil {
		return Outcome{}, errors.New("parley: Callbacks.Send is missing: it is how the call reaches the server")
	}
	info, err := flow.Info()
	if err != nil {
		return Outcome{}, err
	}
	clock := clock{time.Now()}
	return drive(ctx, &legs{flow: flow, clock: clock, capabilities: info.Capabilities}, info, begin, cb, clock)
}

// drive runs a driver on a call, unless it is clear before that it cannot end
// well.
func drive(ctx context.Context, call driven, info engine.Info, begin engine.Begin, cb Callbacks, clock clock) (Outcome, error) {
	if name := cb.missing(info); name != "" {
		return Outcome{}, fmt.Errorf("parley: Callbacks.%s is missing, and the call declared that it can be asked", name)
	}
	if ctx.Err() != nil {
		snapshot, err := call.snapshot()
		return Outcome{}, &Error{
			Code: engine.ErrCanceled, Detail: "the caller gave up before it began", Cause: context.Cause(ctx),
			Resumable: err == nil, Snapshot: snapshot,
		}
	}
	d := newDriver(ctx, call, cb, clock)
	defer d.end()
	return d.run(begin)
}
