package sandbox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
)

// exports are the exports of one kind of handle.
type exports struct{ create, seal, open string }

// instance is one instance of the codec's module and the one handle in it.
// It serves one call at a time.
type instance struct {
	module              api.Module
	memory              api.Memory
	input, output, wipe api.Function
	seal, open          api.Function
	handle              uint64
	dead                bool
	stack               [4]uint64
	exchange            []byte // built here, then copied into the module
}

// newInstance makes an instance and, of the request setup, its handle.
func (r *Runtime) newInstance(exports exports, setup []byte) (*instance, error) {
	module, err := r.machine.Instantiate("codec", r.compiled)
	if err != nil {
		return nil, gone(err)
	}
	i := &instance{
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
func (i *instance) room(size int) ([]byte, error) {
	if size > math.MaxInt32 {
		return nil, &codec.Error{Code: refusal.TooLarge}
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
func (i *instance) run(fn api.Function, args ...uint64) (uint64, error) {
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
func (i *instance) answer(fn api.Function, args ...uint64) ([]byte, error) {
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

func (i *instance) outputAt() (uint32, error) {
	if err := i.output.CallWithStack(context.Background(), i.stack[:1]); err != nil {
		return 0, i.trapped(err)
	}
	return uint32(i.stack[0]), nil
}

// refusal is the error that the module answered, as package codec gives it.
func (i *instance) refusal(code int32) error {
	at, err := i.outputAt()
	if err != nil {
		return err
	}
	rest, ok := i.memory.Read(at, i.memory.Size()-at)
	r := codecwire.Reader{Data: rest}
	text, response := string(r.Field()), string(r.Field())
	if !ok || r.Bad {
		return i.trapped(errors.New("the codec's error is outside its memory"))
	}
	e := &codec.Error{Code: refusal.Code(code)}
	e.Detail = strings.TrimPrefix(strings.TrimPrefix(text, e.Error()), ": ")
	e.Minting = strings.HasPrefix(response, `{"code":-32603`)
	return e
}

// clean zeroes the module's buffers once an answer was copied out of them.
func (i *instance) clean() error {
	if i.dead {
		return nil
	}
	if err := i.wipe.CallWithStack(context.Background(), nil); err != nil {
		return i.trapped(err)
	}
	return nil
}

// trapped marks the instance: nothing in it can be trusted any more.
func (i *instance) trapped(err error) error {
	i.dead = true
	return gone(err)
}

// gone is the error of a codec that has no instance. No client is at fault.
func gone(err error) error {
	return &codec.Error{Code: refusal.Result, Minting: true, Err: fmt.Errorf("%w: %w", ErrInstance, err)}
}

// close ends the instance and leaves nothing of its keys in memory.
func (i *instance) close() {
	if all, ok := i.memory.Read(0, i.memory.Size()); ok {
		clear(all)
	}
	i.module.Close(context.Background())
}
