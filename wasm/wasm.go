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

//go:embed parley-codec.wasm
var codec []byte

// Codec is the codec's module, parley-codec.wasm. It imports nothing. Do not
// modify it.
func Codec() []byte { return codec }

//go:embed manifest.json
var manifest []byte

// Manifest is manifest.json. Do not modify it.
func Manifest() []byte { return manifest }

// ABIVersion is the version of the modules' boundary.
const ABIVersion = 3
