package sandbox

import (
	"crypto/rand"
	"io"
	"math"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
)

// Codec is a [codec.Codec] in a WebAssembly sandbox: the same tokens and the
// same errors as [codec.AEAD] or, where a key is for age tokens, as those of
// package agecodec. It is safe for concurrent use.
//
// An error that wraps [ErrInstance] says that an instance trapped, and the next
// call gets a new one, or that the Codec was closed.
type Codec struct {
	pool     *pool
	random   io.Reader
	maxToken int
}

// NewCodec makes a codec of a key file's text (see seal.ReadKeyFile). A copy of
// keys is kept until Close, to make instances of. Env.Rand is
// crypto/rand.Reader where it is nil, and must be safe for concurrent use;
// Env.Now is not used.
func (r *Runtime) NewCodec(keys []byte, o codec.CodecOptions, env codec.Env) (*Codec, error) {
	p, err := r.newPool(exports{"parley_codec_new", "parley_codec_seal", "parley_codec_open"}, appendCodec(make([]byte, 0, len(keys)+8), keys, o)) // grown later, it would leave keys behind
	if err != nil {
		return nil, err
	}
	if o.MaxToken == 0 {
		o.MaxToken = codec.DefaultMaxToken
	}
	return &Codec{p, defaults(env).Rand, o.MaxToken}, nil
}

// appendCodec appends the fields every codec is made of.
func appendCodec(dst, keys []byte, o codec.CodecOptions) []byte {
	return codecwire.AppendUint32(codecwire.AppendField(dst, keys), bounded(o.MaxToken))
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

// Seal implements [codec.Codec]. It fails with [refusal.TooLarge] and
// [refusal.Rand].
func (c *Codec) Seal(plaintext, context []byte) (token string, err error) {
	if len(plaintext) > c.maxToken { // nor may it make an instance's memory grow
		return "", &codec.Error{Code: refusal.TooLarge, Minting: true, Detail: "the state does not fit a token"}
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
func (c *Codec) Open(token string, context []byte) (plaintext []byte, err error) {
	if len(token) > c.maxToken {
		return nil, &codec.Error{Code: refusal.TooLarge}
	}
	i, err := c.pool.take()
	if err != nil {
		return nil, err
	}
	defer c.pool.put(i)
	view, err := underContext(i, i.open, nil, context, token)
	return copied(view), err
}

// Close waits for calls that are running and wipes the keys. Later calls fail
// with [ErrInstance].
func (c *Codec) Close() error { return c.pool.close() }

// Box is a [codec.Box] in a WebAssembly sandbox. It is safe for concurrent
// use; see [Codec] for its errors.
type Box struct{ pool *pool }

// NewBox makes a box of a key file's text; see [Runtime.NewCodec].
func (r *Runtime) NewBox(keys []byte) (*Box, error) {
	p, err := r.newPool(exports{"parley_box_new", "parley_box_seal", "parley_box_open"}, copied(keys))
	if err != nil {
		return nil, err
	}
	return &Box{p}, nil
}

const boxOverhead = 45 // bytes that a box is longer than its plaintext

// SealBytes seals as [codec.Box.SealBytes] does.
func (b *Box) SealBytes(plaintext, context []byte) ([]byte, error) {
	if len(plaintext) > codec.MaxBox {
		return nil, &codec.Error{Code: refusal.TooLarge, Minting: true, Detail: "at most 8 MiB are sealed"}
	}
	i, err := b.pool.take()
	if err != nil {
		return nil, err
	}
	defer b.pool.put(i)
	view, err := underContext(i, i.seal, nil, context, plaintext)
	return copied(view), err
}

// OpenBytes opens as [codec.Box.OpenBytes] does.
func (b *Box) OpenBytes(box, context []byte) ([]byte, error) {
	if len(box) > codec.MaxBox+boxOverhead {
		return nil, &codec.Error{Code: refusal.TooLarge}
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
func (b *Box) Close() error { return b.pool.close() }

const codecEntropy = 32 // random bytes that a call which may need some brings

// underContext calls an export whose request is random bytes (unless random is
// nil), a context and a text. The answer is a view; see instance.answer.
func underContext[T string | []byte](i *instance, fn api.Function, random io.Reader, context []byte, text T) ([]byte, error) {
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
			return nil, &codec.Error{Code: refusal.Rand, Minting: true, Err: err}
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
