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
	"github.com/parley-mcp/parley/internal/wire"
)

// instance is one instance of the module with its sessions. Calls
// into it are made one at a time: two at once would corrupt it.
type instance struct {
	live atomic.Int32 // sessions and their calls; negative once it is dropped
	dead atomic.Bool

	mu                                       sync.Mutex
	module                                   api.Module
	memory                                   api.Memory
	input, output                            api.Function
	sessionNew, sessionFree, sessionStep     api.Function
	sessionCall, sessionRestore, sessionDrop api.Function
	sessionSnapshot, sessionInfo             api.Function

	stack   [3]uint64
	request wire.Request
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
		"parley_session_new": &i.sessionNew, "parley_session_free": &i.sessionFree, "parley_session_step": &i.sessionStep,
		"parley_session_call": &i.sessionCall, "parley_session_restore": &i.sessionRestore, "parley_session_drop": &i.sessionDrop,
		"parley_session_snapshot": &i.sessionSnapshot, "parley_session_info": &i.sessionInfo,
	} {
		*fn = module.ExportedFunction(name)
	}
	if _, err := module.ExportedFunction("parley_marks").Call(context.Background(), 1); err != nil {
		return nil, err
	}
	return i, nil
}

// call writes the request into the module, calls fn with args and the request's
// size, and returns the answer, a view: the module's memory is its own again
// with the next call.
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
	defer i.request.Forget()
	size := uint64(i.request.Size())
	if size > math.MaxInt32 {
		return nil, errors.New("the request is larger than the module's memory")
	}
	i.stack[0] = size
	if err := i.input.CallWithStack(ctx, i.stack[:1]); err != nil {
		return nil, err
	}
	at := uint32(i.stack[0])
	inside := i.memory.Write(at, i.request.Head)
	at += uint32(len(i.request.Head))
	for _, blob := range i.request.Blobs {
		inside = inside && i.memory.Write(at, blob)
		at += uint32(len(blob))
	}
	if !inside {
		return nil, errors.New("the engine's input buffer is outside its memory")
	}
	return i.view(fn, append(append(i.stack[:0], args...), size))
}

// view calls fn and looks at its answer.
func (i *instance) view(fn api.Function, stack []uint64) ([]byte, error) {
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
	return view, nil
}

// reserve takes a place, unless the instance was dropped meanwhile.
func (i *instance) reserve() bool {
	for {
		live := i.live.Load()
		if live < 0 {
			return false
		}
		if i.live.CompareAndSwap(live, live+1) {
			return true
		}
	}
}

// keptMemory is how large an instance may have grown to be used again: its
// memory never shrinks.
const keptMemory = 4 << 20

// release gives places back. An instance that is empty and has grown is dropped.
func (i *instance) release(places int32) {
	if i.live.Add(-places) == 0 && !i.dead.Load() && i.memory.Size() > keptMemory && i.live.CompareAndSwap(0, math.MinInt32) {
		i.dead.Store(true)
		i.module.Close(context.Background())
	}
}

func (i *instance) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.dead.Swap(true) {
		i.module.Close(context.Background())
	}
}

// told calls an export that takes no request, and reads its answer.
func told[T any](i *instance, read func([]byte) (T, error), fn api.Function, args ...uint64) (answer T, err error) {
	if i.dead.Load() {
		return answer, ErrInstance
	}
	view, err := i.survive(i.view(fn, append(i.stack[:0], args...)))
	if err != nil {
		return answer, err
	}
	return read(view)
}

func errClosed() error {
	return &engine.Error{Code: fault.Order, Detail: "it is closed"}
}
