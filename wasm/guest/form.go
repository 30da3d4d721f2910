package main

import "github.com/parley-mcp/parley/engine/wire"

// parleyForm takes a requestedSchema and answers its fields.
//
//go:wasmexport parley_form
func parleyForm(size uint32) uint32 {
	return output(wire.AppendForm(out[:0], input(size)))
}

// parleyFormCheck checks one field of a form while a person fills it in.
//
//go:wasmexport parley_form_check
func parleyFormCheck(size uint32) uint32 {
	return output(wire.AppendFieldCheck(out[:0], input(size)))
}
