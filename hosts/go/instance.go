package parley

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/internal/enginewire"
)

// instance is one instance of the module with its flows and sessions. Calls
// into it are made one at a time: two at once would corrupt it.
type instance struct {
	live atomic.Int32 // flows, sessions and their calls
	dead atomic.Bool

	mu                   sync.Mutex
	module               api.Module
	memory               api.Memory
	input, output        api.Function
	flowNew, flowRestore api.Function
	step, free           api.Function
	snapshot, info       api.Function

	sessionNew, sessionFree, sessionStep     api.Function
	sessionCall, sessionRestore, sessionDrop api.Function
	sessionSnapshot, sessionInfo             api.Function

	stack   [3]uint64
	payload []byte // built here, then copied into the module
}

// instantiate makes an instance of the engine.
func (r *Runtime) instantiate() (*instance, error) {
	module, err := r.machine.Instantiate("engine", r.compiled)
	if err != nil {
		return nil, err
	}
	i := &instance{module: module, memory: module.Memory()}
	for name, fn := range map[string]*api.Function{
		"parley_input": &i.input, "parley_output": &i.output,
		"parley_flow_new": &i.flowNew, "parley_flow_restore": &i.flowRestore,
		"parley_flow_step": &i.step, "parley_flow_free": &i.free,
		"parley_flow_snapshot": &i.snapshot, "parley_flow_info": &i.info,
		"parley_session_new": &i.sessionNew, "parley_session_free": &i.sessionFree, "parley_session_step": &i.sessionStep,
		"parley_session_call": &i.sessionCall, "parley_session_restore": &i.sessionRestore, "parley_session_drop": &i.sessionDrop,
		"parley_session_snapshot": &i.sessionSnapshot, "parley_session_info": &i.sessionInfo,
	} {
		*fn = module.ExportedFunction(name)
	}
	return i, nil
}

func (i *instance) newFlow(method string, params []byte, opts engine.Options) (Flow, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.payload = enginewire.AppendNew(i.payload[:0], method, params, opts)
	return i.handle(i.call(i.flowNew))
}

func (i *instance) restoreFlow(snapshot []byte, expect engine.Expect) (Flow, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.payload = enginewire.AppendRestore(i.payload[:0], snapshot, expect)
	return i.handle(i.call(i.flowRestore))
}

func (i *instance) handle(answer []byte, err error) (Flow, error) {
	if err != nil {
		return nil, err
	}
	handle, err := enginewire.DecodeHandle(answer)
	if err != nil {
		return nil, err
	}
	return &wasmFlow{instance: i, handle: handle}, nil
}

// call writes the payload into the module, calls fn with args and the
// payload's size, and returns a copy of the answer: the module's memory is its
// own again with the next call.
func (i *instance) call(fn api.Function, args ...uint64) ([]byte, error) {
	if i.dead.Load() {
		return nil, ErrInstance
	}
	return i.survive(i.exchange(fn, args))
}

// survive drops the instance after a trap: nothing in it can be trusted.
func (i *instance) survive(answer []byte, err error) ([]byte, error) {
	if err != nil {
		i.dead.Store(true)
		i.module.Close(context.Background())
		return nil, errors.Join(ErrInstance, err)
	}
	return answer, nil
}

func (i *instance) exchange(fn api.Function, args []uint64) ([]byte, error) {
	ctx := context.Background()
	size := uint64(len(i.payload))
	if size > math.MaxInt32 {
		return nil, errors.New("the payload is larger than the module's memory")
	}
	i.stack[0] = size
	if err := i.input.CallWithStack(ctx, i.stack[:1]); err != nil {
		return nil, err
	}
	if !i.memory.Write(uint32(i.stack[0]), i.payload) {
		return nil, errors.New("the engine's input buffer is outside its memory")
	}
	return i.copyOut(fn, append(append(i.stack[:0], args...), size))
}

// copyOut calls fn and copies its answer.
func (i *instance) copyOut(fn api.Function, stack []uint64) ([]byte, error) {
	ctx := context.Background()
	if err := fn.CallWithStack(ctx, stack); err != nil {
		return nil, err
	}
	length := uint32(stack[0])
	if err := i.output.CallWithStack(ctx, i.stack[:1]); err != nil {
		return nil, err
	}
	view, ok := i.memory.Read(uint32(i.stack[0]), length)
	if !ok {
		return nil, errors.New("the engine's output buffer is outside its memory")
	}
	return append(make([]byte, 0, len(view)), view...), nil
}

func (i *instance) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.dead.Swap(true) {
		i.module.Close(context.Background())
	}
}

// wasmFlow is a flow that lives in an instance.
type wasmFlow struct {
	instance *instance
	handle   uint32
	closed   bool
}

// Step implements [Flow].
func (f *wasmFlow) Step(now int64, ev engine.Event) ([]engine.Action, error) {
	i := f.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if f.closed {
		return nil, errClosed()
	}
	i.payload = enginewire.AppendEvent(i.payload[:0], ev)
	answer, err := i.call(i.step, uint64(f.handle), api.EncodeF64(float64(now)))
	if err != nil {
		return nil, err
	}
	return enginewire.DecodeActions(answer)
}

// Snapshot implements [Flow].
func (f *wasmFlow) Snapshot() ([]byte, error) {
	answer, err := f.ask(f.instance.snapshot)
	if err != nil {
		return nil, err
	}
	return enginewire.DecodeSnapshot(answer)
}

// Info implements [Flow].
func (f *wasmFlow) Info() (engine.Info, error) {
	answer, err := f.ask(f.instance.info)
	if err != nil {
		return engine.Info{}, err
	}
	return enginewire.DecodeInfo(answer)
}

// ask calls an export that takes the flow and nothing else.
func (f *wasmFlow) ask(fn api.Function) ([]byte, error) {
	i := f.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case f.closed:
		return nil, errClosed()
	case i.dead.Load():
		return nil, ErrInstance
	}
	return i.survive(i.copyOut(fn, append(i.stack[:0], uint64(f.handle))))
}

func errClosed() error {
	return &engine.Error{Code: fault.Order, Detail: "it is closed"}
}

// Close implements [Flow].
func (f *wasmFlow) Close() {
	i := f.instance
	i.mu.Lock()
	defer i.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	i.live.Add(-1)
	if !i.dead.Load() {
		i.stack[0] = uint64(f.handle)
		i.free.CallWithStack(context.Background(), i.stack[:1]) // a map delete: a trap would show at the next step
	}
}
