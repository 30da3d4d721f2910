package main

import (
	"github.com/parley-mcp/parley/internal/wire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// parleyForm takes a requestedSchema and answers its fields.
//
//go:wasmexport parley_form
func parleyForm(size uint32) uint32 {
	return boundary.Answer(wire.Frame.AppendForm(boundary.Room(), boundary.Request(size)))
}

// parleyFormCheck checks one field of a form while a person fills it in.
//
//go:wasmexport parley_form_check
func parleyFormCheck(size uint32) uint32 {
	return boundary.Answer(wire.Frame.AppendFieldCheck(boundary.Room(), boundary.Request(size)))
}
