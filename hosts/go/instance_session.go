package parley

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/wire"
)

// wasmCore is a session that lives in an instance.
type wasmCore struct {
	instance *instance
	handle   uint32
	calls    int32
	closed   bool
	last     wire.LastHeaders
}

// NewSessionCore implements [Engine].
func (r *Runtime) NewSessionCore(opts session.Options) (SessionCore, error) {
	i, err := r.pick()
	if err != nil {
		return nil, err
	}
	core, err := i.newSession(&opts)
	if err != nil {
		i.live.Add(-1)
		return nil, err
	}
	return core, nil
}

func (i *instance) newSession(opts *session.Options) (*wasmCore, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.request.SessionNew(opts)
	answer, err := i.call(i.sessionNew)
	if err != nil {
		return nil, err
	}
	handle, err := wire.View.DecodeSession(answer)
	if err != nil {
		return nil, err
	}
	return &wasmCore{instance: i, handle: handle}, nil
}

// Step implements [SessionCore].
func (c *wasmCore) Step(now int64, ev session.Event) ([]session.Action, error) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return nil, errClosed()
	}
	i.request.SessionEvent(ev)
	answer, err := i.call(i.sessionStep, uint64(c.handle), api.EncodeF64(float64(now)))
	if err != nil {
		return nil, err
	}
	return wire.View.DecodeNextActions(answer, &c.last)
}

// Call implements [SessionCore].
func (c *wasmCore) Call(method string, params []byte, opts engine.Options) (int, error) {
	return c.open(c.instance.sessionCall, func(r *wire.Request) { r.New(method, params, &opts) })
}

// Restore implements [SessionCore].
func (c *wasmCore) Restore(snapshot []byte, expect engine.Expect) (int, error) {
	return c.open(c.instance.sessionRestore, func(r *wire.Request) { r.Restore(snapshot, &expect) })
}

func (c *wasmCore) open(fn api.Function, request func(*wire.Request)) (int, error) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return 0, errClosed()
	}
	request(&i.request)
	answer, err := i.call(fn, uint64(c.handle))
	if err != nil {
		return 0, err
	}
	call, err := wire.View.DecodeCall(answer)
	if err == nil {
		c.calls++
		i.live.Add(1)
	}
	return call, err
}

// Snapshot implements [SessionCore].
func (c *wasmCore) Snapshot(call int) ([]byte, error) {
	return askedOf(c, call, c.instance.sessionSnapshot, wire.View.DecodeSnapshot)
}

// Info implements [SessionCore].
func (c *wasmCore) Info(call int) (engine.Info, error) {
	return askedOf(c, call, c.instance.sessionInfo, wire.View.DecodeInfo)
}

// askedOf calls an export that takes the session and a call and nothing else.
func askedOf[T any](c *wasmCore, call int, fn api.Function, read func([]byte) (T, error)) (answer T, err error) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return answer, errClosed()
	}
	return told(i, read, fn, uint64(c.handle), uint64(call))
}

// Free implements [SessionCore]. It is called once for each call.
func (c *wasmCore) Free(call int) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return
	}
	c.calls--
	i.live.Add(-1)
	if !i.dead.Load() {
		i.stack[0], i.stack[1] = uint64(c.handle), uint64(call)
		i.sessionDrop.CallWithStack(context.Background(), i.stack[:2]) // a trap would show at the next step
	}
}

// Close implements [SessionCore].
func (c *wasmCore) Close() {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	if !i.dead.Load() {
		i.stack[0] = uint64(c.handle)
		i.sessionFree.CallWithStack(context.Background(), i.stack[:1])
	}
	i.release(1 + c.calls)
}
