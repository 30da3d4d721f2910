package main

import (
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/internal/codecwire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// parleyCodecNew makes a codec of a key file and the longest token, 0 for the
// default; it answers a handle.
//
//go:wasmexport parley_codec_new
func parleyCodecNew(size uint32) int32 {
	c, _, err := readCodec(size)
	if err == nil && c == nil {
		err = errUsage
	}
	if err != nil {
		return fail(err)
	}
	return int32(live.Hold(&held{codec: c}))
}

// readCodec reads the two fields every codec is made of, and wipes the keys.
// Without keys there is no codec in here.
func readCodec(size uint32) (codec.Codec, codecwire.Reader, error) {
	r := codecwire.Reader{Data: boundary.Request(size)}
	keys, maxToken := r.Field(), r.Uint32()
	if r.Bad {
		return nil, r, errUsage
	}
	if keys == nil {
		return nil, r, nil
	}
	ring, err := codec.ParseKeyRing(keys)
	clear(keys)
	if err != nil {
		return nil, r, err
	}
	c, err := agecodec.New(ring, &source, codec.CodecOptions{MaxToken: int(maxToken)})
	return c, r, err
}

// parleyCodecSeal seals: 32 random bytes, then the context of contextSize bytes,
// then the plaintext. It answers the token.
//
//go:wasmexport parley_codec_seal
func parleyCodecSeal(handle, contextSize, size uint32) int32 {
	request := boundary.Request(size)
	h := live.Get(handle)
	if h == nil || h.codec == nil || len(request) < entropySize || uint32(len(request)-entropySize) < contextSize {
		return fail(errUsage)
	}
	source.fill(request[:entropySize])
	context, plaintext := request[entropySize:][:contextSize], request[entropySize:][contextSize:]
	token, err := h.codec.Seal(plaintext, context)
	clear(request)
	if err != nil {
		return fail(err)
	}
	return succeed(append(boundary.Room(), token...))
}

// parleyCodecOpen opens: the context of contextSize bytes, then the token. It
// answers the plaintext.
//
//go:wasmexport parley_codec_open
func parleyCodecOpen(handle, contextSize, size uint32) int32 {
	request := boundary.Request(size)
	h := live.Get(handle)
	if h == nil || h.codec == nil || uint32(len(request)) < contextSize {
		return fail(errUsage)
	}
	plaintext, err := h.codec.Open(string(request[contextSize:]), request[:contextSize])
	if err != nil {
		return fail(err)
	}
	defer clear(plaintext)
	return succeed(append(boundary.Room(), plaintext...))
}

// parleyBoxNew makes a box, for bytes at rest, of a key file; it answers a
// handle.
//
//go:wasmexport parley_box_new
func parleyBoxNew(size uint32) int32 {
	keys := boundary.Request(size)
	ring, err := codec.ParseKeyRing(keys)
	clear(keys)
	if err != nil {
		return fail(err)
	}
	box, err := codec.NewBox(ring)
	if err != nil {
		return fail(err)
	}
	return int32(live.Hold(&held{box: box}))
}

// parleyBoxSeal seals: the context of contextSize bytes, then the plaintext.
//
//go:wasmexport parley_box_seal
func parleyBoxSeal(handle, contextSize, size uint32) int32 {
	request := boundary.Request(size)
	h := live.Get(handle)
	if h == nil || h.box == nil || uint32(len(request)) < contextSize {
		return fail(errUsage)
	}
	box, err := h.box.SealBytes(request[contextSize:], request[:contextSize])
	clear(request)
	if err != nil {
		return fail(err)
	}
	return succeed(append(boundary.Room(), box...))
}

// parleyBoxOpen opens: the context of contextSize bytes, then the box.
//
//go:wasmexport parley_box_open
func parleyBoxOpen(handle, contextSize, size uint32) int32 {
	request := boundary.Request(size)
	h := live.Get(handle)
	if h == nil || h.box == nil || uint32(len(request)) < contextSize {
		return fail(errUsage)
	}
	plaintext, err := h.box.OpenBytes(request[contextSize:], request[:contextSize])
	if err != nil {
		return fail(err)
	}
	defer clear(plaintext)
	return succeed(append(boundary.Room(), plaintext...))
}
