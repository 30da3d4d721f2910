package parley

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/internal/enginewire"
)

// wasmCore is a session that lives in an instance.
type wasmCore struct {
	instance *instance
	handle   uint32
	calls    int32
	closed   bool
}

// NewSessionCore implements [Engine].
func (r *Runtime) NewSessionCore(opts session.Options) (SessionCore, error) {
	return opened(r, func(i *instance) (SessionCore, error) { return i.newSession(&opts) })
}

func (i *instance) newSession(opts *session.Options) (SessionCore, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.payload = enginewire.AppendSessionNew(i.payload[:0], opts)
	answer, err := i.call(i.sessionNew)
	if err != nil {
		return nil, err
	}
	handle, err := enginewire.DecodeSession(answer)
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
	i.payload = enginewire.AppendSessionEvent(i.payload[:0], ev)
	answer, err := i.call(i.sessionStep, uint64(c.handle), api.EncodeF64(float64(now)))
	if err != nil {
		return nil, err
	}
	return enginewire.DecodeSessionActions(answer)
}

// Call implements [SessionCore].
func (c *wasmCore) Call(method string, params []byte, opts engine.Options) (int, error) {
	return c.open(c.instance.sessionCall, func(dst []byte) []byte { return enginewire.AppendNew(dst, method, params, opts) })
}

// Restore implements [SessionCore].
func (c *wasmCore) Restore(snapshot []byte, expect engine.Expect) (int, error) {
	return c.open(c.instance.sessionRestore, func(dst []byte) []byte { return enginewire.AppendRestore(dst, snapshot, expect) })
}

func (c *wasmCore) open(fn api.Function, payload func([]byte) []byte) (int, error) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if c.closed {
		return 0, errClosed()
	}
	i.payload = payload(i.payload[:0])
	answer, err := i.call(fn, uint64(c.handle))
	if err != nil {
		return 0, err
	}
	call, err := enginewire.DecodeCall(answer)
	if err == nil {
		c.calls++
		i.live.Add(1)
	}
	return call, err
}

// Snapshot implements [SessionCore].
func (c *wasmCore) Snapshot(call int) ([]byte, error) {
	answer, err := c.ask(c.instance.sessionSnapshot, call)
	if err != nil {
		return nil, err
	}
	return enginewire.DecodeSnapshot(answer)
}

// Info implements [SessionCore].
func (c *wasmCore) Info(call int) (engine.Info, error) {
	answer, err := c.ask(c.instance.sessionInfo, call)
	if err != nil {
		return engine.Info{}, err
	}
	return enginewire.DecodeInfo(answer)
}

// ask calls an export that takes the session and a call and nothing else.
func (c *wasmCore) ask(fn api.Function, call int) ([]byte, error) {
	i := c.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case c.closed:
		return nil, errClosed()
	case i.dead.Load():
		return nil, ErrInstance
	}
	return i.survive(i.copyOut(fn, append(i.stack[:0], uint64(c.handle), uint64(call))))
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
	i.live.Add(-1 - c.calls)
	if !i.dead.Load() {
		i.stack[0] = uint64(c.handle)
		i.sessionFree.CallWithStack(context.Background(), i.stack[:1])
	}
}
