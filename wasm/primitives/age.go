package main

import (
	"bytes"

	"filippo.io/age"

	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// parleyAgeHeader reads an age file's header and checks its MAC: file key, the
// beginning of the file. It answers the header, or -1 if it is malformed and -2
// if the MAC is not of this file key.
//
//go:wasmexport parley_age_header
func parleyAgeHeader(keySize, size uint32) int32 {
	request := boundary.Request(size)
	header, err := age.ExtractHeader(bytes.NewReader(request[keySize:]))
	if err != nil {
		return refused
	}
	if _, err := age.DecryptHeader(header, age.NewInjectedFileKeyIdentity(request[:keySize])); err != nil {
		return badMAC
	}
	return succeed(header)
}

// badMAC is the answer in place of a size where the header can be read.
const badMAC = -2
