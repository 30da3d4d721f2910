package main

import (
	"github.com/parley-mcp/parley/internal/enginewire"
	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

// parleyForm takes a requestedSchema and answers its fields.
//
//go:wasmexport parley_form
func parleyForm(size uint32) uint32 {
	return boundary.Answer(enginewire.Frame.AppendForm(boundary.Room(), boundary.Request(size)))
}

// parleyFormCheck checks one field of a form while a person fills it in.
//
//go:wasmexport parley_form_check
func parleyFormCheck(size uint32) uint32 {
	return boundary.Answer(enginewire.Frame.AppendFieldCheck(boundary.Room(), boundary.Request(size)))
}
