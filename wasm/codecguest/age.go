//go:build age

package main

import (
	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

func newCodec(ring *codec.KeyRing, o codec.CodecOptions) (codec.Codec, error) {
	return agecodec.New(ring, &source, o)
}
