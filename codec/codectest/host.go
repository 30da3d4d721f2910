package codectest

import (
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/internal/canon"
)

// Host is an implementation that vectors are replayed against.
type Host interface {
	Codec(keys []byte, o codec.CodecOptions, env codec.Env) (codec.Codec, error)
	Box(keys []byte) (Box, error)
	// Guard makes a Guard with keys and maxToken in place of o.Codec.
	Guard(keys []byte, maxToken int, o codec.GuardOptions) (Guard, error)
	Canonical(json []byte) ([]byte, bool)
	Question(key, method string, params []byte) ([16]byte, error)
}

// Box is what [codec.Box] does.
type Box interface {
	SealBytes(plaintext, context []byte) ([]byte, error)
	OpenBytes(box, context []byte) ([]byte, error)
}

// Guard is what [codec.Guard] does, with an Exchange of the host's own kind.
type Guard interface {
	// Inbound returns a nil Exchange where there is nothing to guard, and params
	// itself where nothing changes.
	Inbound(method string, params []byte, principal *string) (opened []byte, x Exchange, err error)
	Outbound(x Exchange, result []byte) (sealed []byte, err error)
}

// Exchange is what [codec.Exchange] tells.
type Exchange interface {
	Verdict(key, method string, params []byte) codec.Verdict
}

// Native is package codec itself. NewCodec makes the Codec of a key ring; nil is
// [codec.NewAEAD].
type Native struct {
	NewCodec func(ring *codec.KeyRing, o codec.CodecOptions, env codec.Env) (codec.Codec, error)
}

// Codec makes a Codec of a key file.
func (n Native) Codec(keys []byte, o codec.CodecOptions, env codec.Env) (codec.Codec, error) {
	ring, err := codec.ParseKeyRing(keys)
	if err != nil {
		return nil, err
	}
	if n.NewCodec != nil {
		return n.NewCodec(ring, o, env)
	}
	return codec.NewAEAD(ring, o)
}

// Box makes a Box of a key file.
func (n Native) Box(keys []byte) (Box, error) {
	ring, err := codec.ParseKeyRing(keys)
	if err != nil {
		return nil, err
	}
	return codec.NewBox(ring)
}

// Guard makes a Guard of a key file.
func (n Native) Guard(keys []byte, maxToken int, o codec.GuardOptions) (Guard, error) {
	c, err := n.Codec(keys, codec.CodecOptions{MaxToken: maxToken}, o.Env)
	if err != nil {
		return nil, err
	}
	o.Codec = c
	g, err := codec.NewGuard(o)
	return nativeGuard{g}, err
}

// Canonical is [canon.Append].
func (Native) Canonical(json []byte) ([]byte, bool) { return canon.Append(nil, json) }

// Question is [codec.Question.Digest].
func (Native) Question(key, method string, params []byte) ([16]byte, error) {
	return codec.Question{Key: key, Method: method, Params: params}.Digest()
}

type nativeGuard struct{ *codec.Guard }

func (g nativeGuard) Inbound(method string, params []byte, principal *string) ([]byte, Exchange, error) {
	opened, x, err := g.Guard.Inbound(method, params, principal)
	if x == nil {
		return opened, nil, err
	}
	return opened, x, err
}

func (g nativeGuard) Outbound(x Exchange, result []byte) ([]byte, error) {
	native, _ := x.(*codec.Exchange)
	return g.Guard.Outbound(native, result)
}
