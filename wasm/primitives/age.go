package main

import (
	"bytes"

	"filippo.io/age"

	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// fileKeySize is that of an age file key, in bytes.
const fileKeySize = 16

// parleyAgeHeader reads an age file's header and checks its MAC: the file key,
// then the beginning of the file. It answers the header, -1 if that is malformed
// and -2 if the file key does not fit it.
//
//go:wasmexport parley_age_header
func parleyAgeHeader(size uint32) int32 {
	request := boundary.Request(size)
	header, err := age.ExtractHeader(bytes.NewReader(request[fileKeySize:]))
	if err != nil {
		return refused
	}
	if _, err := age.DecryptHeader(header, age.NewInjectedFileKeyIdentity(request[:fileKeySize])); err != nil {
		return badMAC
	}
	return succeed(header)
}

// badMAC is the answer in place of a size where the header can be read.
const badMAC = -2
