package question

import (
	"encoding/json"
	"slices"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// Value is what was typed into a field, or which of its options were chosen.
// The zero Value is nothing.
type Value struct {
	Text   string `json:"text,omitempty"`   // of a String, Integer or Number
	Chosen []int  `json:"chosen,omitempty"` // of a Boolean, Choice or Choices: indexes of options
}

// The options of a Boolean.
const (
	No  = 0
	Yes = 1
)

// Preset is the field's default, or nothing.
func Preset(f *form.Field) Value { return valueOf(f, json.RawMessage(f.Default)) }

// Earlier is what an earlier answer's content has for the field. Without one,
// or where that does not fit, it is the field's default.
func Earlier(f *form.Field, content json.RawMessage) Value {
	if content == nil {
		return Preset(f)
	}
	raw := jsontext.Get(content, f.Name)
	if raw != nil && f.Check(raw) != nil {
		return Preset(f)
	}
	return valueOf(f, raw)
}

// valueOf is a JSON value that fits the field, nil for none.
func valueOf(f *form.Field, raw json.RawMessage) (v Value) {
	if len(raw) == 0 {
		return v
	}
	switch f.Kind {
	case form.Boolean:
		v.Chosen = []int{No}
		if raw[0] == 't' {
			v.Chosen = []int{Yes}
		}
	case form.Choice:
		v.Chosen = []int{option(*f, raw)}
	case form.Choices:
		var list []json.RawMessage
		json.Unmarshal(raw, &list) // a default fits its field
		for _, one := range list {
			v.Chosen = append(v.Chosen, option(*f, one))
		}
	default:
		v.Text = jsontext.Text(raw)
	}
	return v
}

// JSON is the value as JSON text, nil to leave the field out, or what is wrong
// with it. A default that was not touched stays as it came.
func JSON(f *form.Field, v Value) (json.RawMessage, *form.Problem) {
	switch f.Kind {
	case form.Boolean, form.Choice, form.Choices:
		if len(v.Chosen) == 0 {
			return f.Parse("")
		}
		raw := chosen(f, v.Chosen)
		return raw, f.Check(raw)
	}
	if f.Default != "" && v.Text == Preset(f).Text {
		return json.RawMessage(f.Default), nil
	}
	return f.Parse(v.Text)
}

func chosen(f *form.Field, indexes []int) json.RawMessage {
	switch f.Kind {
	case form.Boolean:
		return json.RawMessage([]string{No: "false", Yes: "true"}[indexes[0]])
	case form.Choice:
		return jsontext.Quote(f.Options[indexes[0]].Value)
	}
	var list []json.RawMessage
	for _, option := range slices.Sorted(slices.Values(indexes)) {
		list = append(list, jsontext.Quote(f.Options[option].Value))
	}
	return jsontext.Array(list)
}
