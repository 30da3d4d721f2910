package sandbox

import (
	"errors"
	"io"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
)

// Guard is a [codec.Guard] in a WebAssembly sandbox: the same tokens, the
// same answers, the same errors. It is safe for concurrent use; see [Codec] for
// what it says about its instances.
//
// Whatever opened a request, any Guard with the same options can seal its
// result. To rotate keys, either make a new Guard for the requests that come
// from now on, or use a [codec.Guard] over a seal.SwapCodec.
type Guard struct {
	pool   *pool
	env    codec.Env
	replay codec.ReplayStore
}

// NewGuard makes a guard of a key file's text; see [Runtime.NewCodec]. o is as
// for [codec.NewGuard], with c in place of o.Codec, which must be nil, and with
// crypto/rand.Reader and time.Now where o.Env has none.
func (r *Runtime) NewGuard(keys []byte, c codec.CodecOptions, o codec.GuardOptions) (*Guard, error) {
	unusable := ""
	switch {
	case o.Codec != nil:
		unusable = "a guard in the sandbox has a Codec of its own: Codec must be nil"
	case o.MaxFlowAge < 0:
		unusable = "MaxFlowAge is not negative"
	case len(o.SingleUse) > 0 && o.Replay == nil:
		unusable = "SingleUse needs a Replay store"
	}
	if unusable != "" {
		return nil, &codec.Error{Code: refusal.Options, Detail: unusable}
	}
	p, err := r.newPool(exports{"parley_guard_new", "parley_guard_outbound", "parley_guard_inbound"}, appendGuard(keys, c, &o))
	if err != nil {
		return nil, err
	}
	return &Guard{p, defaults(o.Env), o.Replay}, nil
}

const (
	flagProcessLocal = 1
	flagRequireState = 2
)

func appendGuard(keys []byte, c codec.CodecOptions, o *codec.GuardOptions) []byte {
	size := len(keys) + len(o.Audience) + 64
	for _, target := range o.SingleUse {
		size += 4 + len(target)
	}
	setup := appendCodec(make([]byte, 0, size), keys, c) // grown later, it would leave the keys behind
	setup = codecwire.AppendField(setup, o.Audience)
	setup = codecwire.AppendUint32(setup, bounded(seconds(o.TTL)))
	setup = codecwire.AppendUint32(setup, bounded(seconds(o.MaxFlowAge)))
	setup = codecwire.AppendUint32(setup, bounded(o.MaxRounds))
	flags := uint32(0)
	if o.ProcessLocal {
		flags |= flagProcessLocal
	}
	if o.RequireState {
		flags |= flagRequireState
	}
	setup = codecwire.AppendUint32(setup, flags)
	setup = codecwire.AppendUint32(setup, uint32(len(o.SingleUse)))
	for _, target := range o.SingleUse {
		setup = codecwire.AppendField(setup, target)
	}
	return setup
}

// seconds rounds up, away from zero.
func seconds(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return int64((d + time.Second - 1) / time.Second)
}

// Inbound opens the state of a request before the server sees it; see
// [codec.Guard.Inbound].
func (g *Guard) Inbound(method string, params []byte, principal *string) (opened []byte, x *codec.Exchange, err error) {
	answer, err := g.open(method, params, principal)
	if err != nil {
		return nil, nil, err
	}
	r := codecwire.Reader{Data: answer}
	opened, exchange, id, until := r.Field(), r.Field(), r.Field(), r.Uint32()
	if !r.End() {
		return nil, nil, gone(errAnswer)
	}
	if opened == nil {
		opened = params
	}
	if exchange == nil {
		return opened, nil, nil
	}
	x = new(codec.Exchange)
	if err := x.UnmarshalBinary(exchange); err != nil {
		return nil, nil, err
	}
	if id == nil {
		return opened, x, nil
	}
	first, err := g.replay.Consume([16]byte(id), time.Unix(int64(until), 0))
	switch {
	case err != nil:
		return nil, nil, &codec.Error{Code: refusal.ReplayStore, Err: err}
	case !first:
		return nil, nil, &codec.Error{Code: refusal.Replayed}
	}
	return opened, x, nil
}

// open returns a copy of the module's answer.
func (g *Guard) open(method string, params []byte, principal *string) ([]byte, error) {
	i, err := g.pool.take()
	if err != nil {
		return nil, err
	}
	defer g.pool.put(i)
	size := 3*fieldHead + len(method) + len(params)
	if principal != nil {
		size += len(*principal)
	}
	room, err := i.room(size)
	if err != nil {
		return nil, err
	}
	request := codecwire.AppendField(codecwire.AppendField(room[:0], method), params)
	codecwire.AppendOptional(request, principal)
	view, err := i.answer(i.open, i.handle, g.now(), uint64(size))
	return copied(view), err
}

// Outbound seals the state of a result before it is sent; see
// [codec.Guard.Outbound].
func (g *Guard) Outbound(x *codec.Exchange, result []byte) (sealed []byte, err error) {
	if x == nil {
		return result, nil
	}
	i, err := g.pool.take()
	if err != nil {
		return nil, err
	}
	defer g.pool.put(i)
	if i.exchange, err = x.AppendBinary(i.exchange[:0]); err != nil {
		return nil, err
	}
	defer clear(i.exchange)
	size := 3*fieldHead + len(i.exchange) + guardEntropy + len(result)
	room, err := i.room(size)
	if err != nil {
		return nil, err
	}
	request := codecwire.AppendUint32(codecwire.AppendField(room[:0], i.exchange), guardEntropy)
	entropy := room[len(request):][:guardEntropy]
	_, noRandom := io.ReadFull(g.env.Rand, entropy)
	codecwire.AppendField(request[:len(request)+guardEntropy], result)
	view, err := i.answer(i.seal, i.handle, g.now(), uint64(size))
	if err != nil {
		return nil, err
	}
	r := codecwire.Reader{Data: view}
	sealed = copied(r.Field())
	switch {
	case !r.End():
		return nil, gone(errAnswer)
	case sealed == nil: // there was nothing to seal, nor any need of randomness
		return result, nil
	case noRandom != nil:
		return nil, &codec.Error{Code: refusal.Rand, Minting: true, Err: noRandom}
	}
	return sealed, nil
}

// Close waits for calls that are running and wipes the keys. Later calls fail
// with [ErrInstance].
func (g *Guard) Close() error { return g.pool.close() }

func (g *Guard) now() uint64 { return api.EncodeF64(float64(g.env.Now().UnixMilli())) }

const (
	fieldHead    = 4                // bytes of a field's length
	guardEntropy = 8 + codecEntropy // for the salt, and for the token
)

var errAnswer = errors.New("the codec answered in another shape than the ABI's")
