package wasm

import _ "embed"

//go:embed parley-extism.wasm
var extism []byte

// Extism is the engine and the codec as an Extism plug-in, parley-extism.wasm.
// It imports Extism's own functions and the callbacks that EXTISM.md lists. Do not
// modify it.
func Extism() []byte { return extism }
