//go:build !age

package main

import "github.com/parley-mcp/parley/codec"

func newCodec(ring *codec.KeyRing, o codec.CodecOptions) (codec.Codec, error) {
	return codec.NewAEAD(ring, o)
}
