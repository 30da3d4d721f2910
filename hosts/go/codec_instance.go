package parley

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/wire"
	"github.com/parley-mcp/parley/wasm"
)

// codecModules are the codec's modules, each compiled when it is first needed.
type codecModules struct {
	mu         sync.Mutex
	plain, age wazero.CompiledModule
	closed     bool
}

// compileCodec is the module for keys: the larger one, with age tokens, only
// where one of them is for those. Keys that are none are the module's to refuse.
func (r *Runtime) compileCodec(ctx context.Context, keys []byte) (wazero.CompiledModule, error) {
	r.codecs.mu.Lock()
	defer r.codecs.mu.Unlock()
	if r.codecs.closed {
		return nil, gone(errClosedCodec)
	}
	compiled, binary := &r.codecs.plain, wasm.Codec
	if ring, err := codec.ParseKeyRing(keys); err == nil && slices.ContainsFunc(ring.Keys(), ofAge) {
		compiled, binary = &r.codecs.age, wasm.CodecAge
	}
	if *compiled == nil {
		var err error
		if *compiled, err = r.rt.CompileModule(ctx, binary()); err != nil {
			return nil, fmt.Errorf("parley: compiling the codec: %w", err)
		}
	}
	return *compiled, nil
}

func ofAge(key *codec.Key) bool { return key.Suite() != codec.SuiteXChaCha }

// close waits for a compilation that is running and allows no other.
func (m *codecModules) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
}

// codecExports are the exports of one kind of handle.
type codecExports struct{ create, seal, open string }

// codecInstance is one instance of the codec's module and the one handle in it.
// It serves one call at a time.
type codecInstance struct {
	module              api.Module
	memory              api.Memory
	input, output, wipe api.Function
	seal, open          api.Function
	handle              uint64
	dead                bool
	stack               [4]uint64
	exchange            []byte // built here, then copied into the module
}

// newCodecInstance makes an instance and, of the request setup, its handle.
func (r *Runtime) newCodecInstance(compiled wazero.CompiledModule, exports codecExports, setup []byte) (*codecInstance, error) {
	module, err := r.instantiateModule("codec", compiled)
	if err != nil {
		return nil, gone(err)
	}
	i := &codecInstance{
		module: module, memory: module.Memory(),
		input: module.ExportedFunction("parley_input"), output: module.ExportedFunction("parley_output"),
		wipe: module.ExportedFunction("parley_wipe"),
		seal: module.ExportedFunction(exports.seal), open: module.ExportedFunction(exports.open),
	}
	room, err := i.room(len(setup))
	if err == nil {
		copy(room, setup)
		i.handle, err = i.run(module.ExportedFunction(exports.create), uint64(len(setup)))
	}
	if err = errors.Join(err, i.clean()); err != nil {
		i.close()
		return nil, err
	}
	return i, nil
}

// room makes room for a request of size bytes and returns it, to be written
// before the next call.
func (i *codecInstance) room(size int) ([]byte, error) {
	if size > math.MaxInt32 {
		return nil, &codec.Error{Code: codec.ErrTooLarge}
	}
	i.stack[0] = uint64(size)
	if err := i.input.CallWithStack(context.Background(), i.stack[:1]); err != nil {
		return nil, i.trapped(err)
	}
	view, ok := i.memory.Read(uint32(i.stack[0]), uint32(size))
	if !ok {
		return nil, i.trapped(errors.New("the codec's input buffer is outside its memory"))
	}
	return view, nil
}

// run calls fn and returns its result, or the error it stands for.
func (i *codecInstance) run(fn api.Function, args ...uint64) (uint64, error) {
	stack := append(i.stack[:0], args...)
	if err := fn.CallWithStack(context.Background(), stack); err != nil {
		return 0, i.trapped(err)
	}
	if result := int32(stack[0]); result < 0 {
		return 0, i.refusal(-result)
	}
	return uint64(uint32(stack[0])), nil
}

// answer calls fn and returns a view of its answer, which stands until clean or
// the next call.
func (i *codecInstance) answer(fn api.Function, args ...uint64) ([]byte, error) {
	size, err := i.run(fn, args...)
	if err != nil {
		return nil, err
	}
	at, err := i.outputAt()
	if err != nil {
		return nil, err
	}
	view, ok := i.memory.Read(at, uint32(size))
	if !ok {
		return nil, i.trapped(errors.New("the codec's output buffer is outside its memory"))
	}
	return view, nil
}

func (i *codecInstance) outputAt() (uint32, error) {
	if err := i.output.CallWithStack(context.Background(), i.stack[:1]); err != nil {
		return 0, i.trapped(err)
	}
	return uint32(i.stack[0]), nil
}

// refusal is the error that the module answered, as package codec gives it.
func (i *codecInstance) refusal(code int32) error {
	at, err := i.outputAt()
	if err != nil {
		return err
	}
	rest, ok := i.memory.Read(at, i.memory.Size()-at)
	r := wire.Reader{Data: rest}
	text, response := string(r.Field()), string(r.Field())
	if !ok || r.Bad {
		return i.trapped(errors.New("the codec's error is outside its memory"))
	}
	e := &codec.Error{Code: codec.Code(code)}
	e.Detail = strings.TrimPrefix(strings.TrimPrefix(text, e.Error()), ": ")
	e.Minting = strings.HasPrefix(response, `{"code":-32603`)
	return e
}

// clean zeroes the module's buffers once an answer was copied out of them.
func (i *codecInstance) clean() error {
	if i.dead {
		return nil
	}
	if err := i.wipe.CallWithStack(context.Background(), nil); err != nil {
		return i.trapped(err)
	}
	return nil
}

// trapped marks the instance: nothing in it can be trusted any more.
func (i *codecInstance) trapped(err error) error {
	i.dead = true
	return gone(err)
}

// gone is the error of a codec that has no instance. No client is at fault.
func gone(err error) error {
	return &codec.Error{Code: codec.ErrResult, Minting: true, Err: fmt.Errorf("%w: %w", ErrInstance, err)}
}

// close ends the instance and leaves nothing of its keys in memory.
func (i *codecInstance) close() {
	if all, ok := i.memory.Read(0, i.memory.Size()); ok {
		clear(all)
	}
	i.module.Close(context.Background())
}
