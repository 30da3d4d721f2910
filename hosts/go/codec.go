package parley

import (
	"context"
	"crypto/rand"
	"io"
	"math"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/wire"
)

// Guard is what a server calls with every request and its result: a
// [codec.Guard] or, in the sandbox, a [WasmGuard].
type Guard interface {
	Inbound(method string, params []byte, principal *string) (opened []byte, x *codec.Exchange, err error)
	Outbound(x *codec.Exchange, result []byte) (sealed []byte, err error)
}

// Box seals bytes at rest: a [codec.Box] or, in the sandbox, a [WasmBox].
type Box interface {
	SealBytes(plaintext, context []byte) ([]byte, error)
	OpenBytes(box, context []byte) ([]byte, error)
}

// WasmCodec is a [codec.Codec] in a WebAssembly sandbox: the same tokens and the
// same errors as [codec.AEAD] or, where a key is for age tokens, as those of
// package agecodec. It is safe for concurrent use.
//
// An error that wraps [ErrInstance] says that an instance trapped, and the next
// call gets a new one, or that the WasmCodec was closed.
type WasmCodec struct {
	pool     *codecPool
	random   io.Reader
	maxToken int
}

// NewCodec makes a codec of a key file's text (see [ReadKeyFile]). A copy of
// keys is kept until Close, to make instances of. Env.Rand is
// crypto/rand.Reader where it is nil, and must be safe for concurrent use;
// Env.Now is not used. ctx bounds the compilation only.
func (r *Runtime) NewCodec(ctx context.Context, keys []byte, o codec.CodecOptions, env codec.Env) (*WasmCodec, error) {
	p, err := r.newCodecPool(ctx, codecExports{"parley_codec_new", "parley_codec_seal", "parley_codec_open"}, keys, appendCodec(make([]byte, 0, len(keys)+8), keys, o)) // grown later, it would leave keys behind
	if err != nil {
		return nil, err
	}
	if o.MaxToken == 0 {
		o.MaxToken = codec.DefaultMaxToken
	}
	return &WasmCodec{p, defaults(env).Rand, o.MaxToken}, nil
}

// appendCodec appends the fields every codec is made of.
func appendCodec(dst, keys []byte, o codec.CodecOptions) []byte {
	return wire.AppendUint32(wire.AppendField(dst, keys), bounded(o.MaxToken))
}

// bounded is n where the module can take it, and else what every option refuses.
func bounded[T int | int64](n T) uint32 {
	if n < 0 || n > math.MaxInt32 {
		return math.MaxUint32
	}
	return uint32(n)
}

func defaults(env codec.Env) codec.Env {
	if env.Rand == nil {
		env.Rand = rand.Reader
	}
	if env.Now == nil {
		env.Now = time.Now
	}
	return env
}

// Seal implements [codec.Codec]. It fails with [codec.ErrTooLarge] and
// [codec.ErrRand].
func (c *WasmCodec) Seal(plaintext, context []byte) (token string, err error) {
	if len(plaintext) > c.maxToken { // nor may it make an instance's memory grow
		return "", &codec.Error{Code: codec.ErrTooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	i, err := c.pool.take()
	if err != nil {
		return "", err
	}
	defer c.pool.put(i)
	view, err := underContext(i, i.seal, c.random, context, plaintext)
	return string(view), err
}

// Open implements [codec.Codec]. It fails as [codec.AEAD.Open] does.
func (c *WasmCodec) Open(token string, context []byte) (plaintext []byte, err error) {
	if len(token) > c.maxToken {
		return nil, &codec.Error{Code: codec.ErrTooLarge}
	}
	i, err := c.pool.take()
	if err != nil {
		return nil, err
	}
	defer c.pool.put(i)
	view, err := underContext(i, i.open, nil, context, token)
	return copied(view), err
}

// Close waits for calls that are running and wipes the keys. Calls that come
// later fail with [ErrInstance].
func (c *WasmCodec) Close() error { return c.pool.close() }

// WasmBox is a [codec.Box] in a WebAssembly sandbox. It is safe for concurrent
// use; see [WasmCodec] for its errors.
type WasmBox struct{ pool *codecPool }

// NewBox makes a box of a key file's text; see [Runtime.NewCodec].
func (r *Runtime) NewBox(ctx context.Context, keys []byte) (*WasmBox, error) {
	p, err := r.newCodecPool(ctx, codecExports{"parley_box_new", "parley_box_seal", "parley_box_open"}, keys, copied(keys))
	if err != nil {
		return nil, err
	}
	return &WasmBox{p}, nil
}

const boxOverhead = 45 // bytes that a box is longer than its plaintext

// SealBytes implements [Box].
func (b *WasmBox) SealBytes(plaintext, context []byte) ([]byte, error) {
	if len(plaintext) > codec.MaxBox {
		return nil, &codec.Error{Code: codec.ErrTooLarge, Minting: true, Detail: "at most 8 MiB are sealed"}
	}
	i, err := b.pool.take()
	if err != nil {
		return nil, err
	}
	defer b.pool.put(i)
	view, err := underContext(i, i.seal, nil, context, plaintext)
	return copied(view), err
}

// OpenBytes implements [Box].
func (b *WasmBox) OpenBytes(box, context []byte) ([]byte, error) {
	if len(box) > codec.MaxBox+boxOverhead {
		return nil, &codec.Error{Code: codec.ErrTooLarge}
	}
	i, err := b.pool.take()
	if err != nil {
		return nil, err
	}
	defer b.pool.put(i)
	view, err := underContext(i, i.open, nil, context, box)
	return copied(view), err
}

// Close waits for calls that are running and wipes the keys.
func (b *WasmBox) Close() error { return b.pool.close() }

const codecEntropy = 32 // random bytes that a call which may need some brings

// underContext calls an export whose request is random bytes (unless random is
// nil), a context and a text. The answer is a view; see codecInstance.answer.
func underContext[T string | []byte](i *codecInstance, fn api.Function, random io.Reader, context []byte, text T) ([]byte, error) {
	entropy := 0
	if random != nil {
		entropy = codecEntropy
	}
	room, err := i.room(entropy + len(context) + len(text))
	if err != nil {
		return nil, err
	}
	if random != nil {
		if _, err := io.ReadFull(random, room[:entropy]); err != nil {
			return nil, &codec.Error{Code: codec.ErrRand, Minting: true, Err: err}
		}
	}
	copy(room[entropy:], context)
	copy(room[entropy+len(context):], text)
	return i.answer(fn, i.handle, uint64(len(context)), uint64(len(room)))
}

// copied is a copy of a view, nil where there is none.
func copied(view []byte) []byte {
	if view == nil {
		return nil
	}
	return append(make([]byte, 0, len(view)), view...)
}
