package main

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
)

// value is what was typed into a field, or which of its options were chosen.
// The zero value, and none at all, is nothing: the field is left out. Editors
// send no JSON values: a number would not survive every editor's arithmetic.
type value struct {
	Text   string `json:"text,omitempty"`   // of a string, number or integer
	Chosen []int  `json:"chosen,omitempty"` // of the others: indexes of options
}

// The options of a boolean.
const (
	no  = 0
	yes = 1
)

// preset is the field's default as the person gets it, nil if there is none.
func preset(f *form.Field) *value {
	raw := []byte(f.Default)
	if len(raw) == 0 {
		return nil
	}
	switch f.Kind {
	case form.Boolean:
		if raw[0] == 't' {
			return &value{Chosen: []int{yes}}
		}
		return &value{Chosen: []int{no}}
	case form.Choice:
		return &value{Chosen: []int{option(f, raw)}}
	case form.Choices:
		var list []json.RawMessage
		json.Unmarshal(raw, &list) // a default fits its field
		v := &value{}
		for _, one := range list {
			v.Chosen = append(v.Chosen, option(f, one))
		}
		return v
	}
	return &value{Text: plain.Strip(presetText(f))}
}

// presetText is the default of a field that is typed, as the server wrote it.
func presetText(f *form.Field) string {
	switch f.Kind {
	case form.String, form.Number, form.Integer:
		return words([]byte(f.Default))
	}
	return ""
}

// option is the index of the option with a value.
func option(f *form.Field, raw []byte) int {
	return slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == words(raw) })
}

// encode is a value as JSON text, nil to leave the field out, or what is wrong
// with it. A default that was not touched stays as it came.
func encode(f *form.Field, v *value) ([]byte, *form.Problem) {
	if v == nil {
		v = &value{}
	}
	switch f.Kind {
	case form.Boolean, form.Choice, form.Choices:
		if len(v.Chosen) == 0 {
			return f.Parse("")
		}
		raw := choose(f, v.Chosen)
		return raw, f.Check(raw)
	}
	if f.Default != "" && v.Text == presetText(f) && !plain.Hidden(v.Text) {
		return []byte(f.Default), nil
	}
	return f.Parse(v.Text)
}

// choose is the value of chosen options.
func choose(f *form.Field, chosen []int) []byte {
	switch f.Kind {
	case form.Boolean:
		return []byte([]string{no: "false", yes: "true"}[chosen[0]])
	case form.Choice:
		return quote(f.Options[chosen[0]].Value)
	}
	list := []byte{'['}
	for i, option := range slices.Sorted(slices.Values(chosen)) {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, quote(f.Options[option].Value)...)
	}
	return append(list, ']')
}

// checkValue says what is wrong with a value that no person could have given.
func checkValue(f *form.Field, v *value) error {
	if v == nil {
		return nil
	}
	most := len(f.Options)
	if f.Kind == form.Boolean {
		most = 2
	}
	for _, i := range v.Chosen {
		if i < 0 || i >= most {
			return wrong("a value chooses an option that the field does not have")
		}
	}
	if f.Kind != form.Choices && len(v.Chosen) > 1 {
		return wrong("a value chooses several options of a field that takes one")
	}
	if !utf8.ValidString(v.Text) {
		return wrong("a value is not UTF-8")
	}
	return nil
}
