// Package wasm holds the built WebAssembly modules. ABI.md describes their
// boundary, manifest.json their sizes, hashes, and the sources and tools that
// made them.
package wasm

import _ "embed"

//go:embed parley.wasm
var engine []byte

// Engine is the engine's module, parley.wasm. It imports nothing. Do not
// modify it.
func Engine() []byte { return engine }

//go:embed parley-session.wasm
var session []byte

// Session is the engine's module with sessions, parley-session.wasm. It imports
// nothing. Do not modify it.
func Session() []byte { return session }

//go:embed parley-codec.wasm
var codec []byte

// Codec is the codec's module, parley-codec.wasm. It imports nothing. Do not
// modify it.
func Codec() []byte { return codec }

//go:embed parley-codec-age.wasm
var codecAge []byte

// CodecAge is the codec's module with age tokens, parley-codec-age.wasm. It
// imports nothing. Do not modify it.
func CodecAge() []byte { return codecAge }

//go:embed manifest.json
var manifest []byte

// Manifest is manifest.json. Do not modify it.
func Manifest() []byte { return manifest }

// ABIVersion is the version of the modules' boundary.
const ABIVersion = 2
