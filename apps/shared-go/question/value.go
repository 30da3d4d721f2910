package question

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// Value is what was typed into a field, or which of its options were chosen.
// The zero Value is nothing.
type Value struct {
	Text   string `json:"text,omitempty"`   // of a String, Integer or Number; of a List, one value a line
	Chosen []int  `json:"chosen,omitempty"` // of a Boolean, Choice or Choices: indexes of options
	Type   int    `json:"type,omitempty"`   // of a Union: which of its types the rest is a value of, counted from 1
}

// The options of a Boolean.
const (
	No  = 0
	Yes = 1
)

func (v Value) isNothing() bool { return v.Text == "" && len(v.Chosen) == 0 && v.Type == 0 }

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

// valueOf is a JSON value that fits the field, nil for none. A list with a value
// that a line cannot show is nothing.
func valueOf(f *form.Field, raw json.RawMessage) (v Value) {
	if len(raw) == 0 || string(raw) == "null" {
		return v
	}
	switch f.Kind {
	case form.Boolean:
		v.Chosen = []int{No}
		if raw[0] == 't' {
			v.Chosen = []int{Yes}
		}
	case form.Choice:
		v.Chosen = []int{option(f, raw)}
	case form.Choices:
		for _, one := range elements(raw) {
			v.Chosen = append(v.Chosen, option(f, one))
		}
	case form.List:
		var lines []string
		for _, one := range elements(raw) {
			lines = append(lines, jsontext.Text(one))
		}
		text := strings.Join(lines, "\n")
		again, _ := f.Parse(text)
		if slices.EqualFunc(elements(again), lines, func(one json.RawMessage, line string) bool { return jsontext.Text(one) == line }) {
			v.Text = text
		}
	case form.Union:
		if i := alternative(f, raw); i >= 0 {
			v = valueOf(&f.Alternatives[i], raw)
			v.Type = i + 1
		}
	default:
		v.Text = jsontext.Text(raw)
	}
	return v
}

// elements are those of an array that fits its field.
func elements(raw json.RawMessage) (list []json.RawMessage) {
	json.Unmarshal(raw, &list)
	return list
}

// JSON is the value as JSON text, nil to leave the field out, or what is wrong
// with it. A default that was not touched stays as it came.
func JSON(f *form.Field, v Value) (json.RawMessage, *form.Problem) {
	switch {
	case f.ReadOnly || v.isNothing():
		return f.Parse("")
	case f.Default != "" && reflect.DeepEqual(v, Preset(f)):
		return json.RawMessage(f.Default), nil
	}
	switch f.Kind {
	case form.Boolean, form.Choice, form.Choices:
		if len(v.Chosen) == 0 {
			return f.Parse("")
		}
		raw := chosen(f, v.Chosen)
		return raw, f.Check(raw)
	case form.Union:
		if v.Type == 0 {
			return f.Parse("")
		}
		picked := f.Alternatives[v.Type-1]
		v.Type = 0
		raw, problem := JSON(&picked, v)
		switch {
		case problem != nil:
			return nil, problem
		case raw == nil:
			return f.Parse("")
		}
		return raw, f.Check(raw)
	}
	return f.Parse(v.Text)
}

func chosen(f *form.Field, indexes []int) json.RawMessage {
	switch f.Kind {
	case form.Boolean:
		return json.RawMessage([]string{No: "false", Yes: "true"}[indexes[0]])
	case form.Choice:
		return json.RawMessage(f.Options[indexes[0]].Value)
	}
	var list []json.RawMessage
	for _, option := range slices.Sorted(slices.Values(indexes)) {
		list = append(list, json.RawMessage(f.Options[option].Value))
	}
	return jsontext.Array(list)
}

// One is the list that v is one value of, without what goes for all of them.
func One(f *form.Field, v Value) *form.Field {
	if v.Type > 0 {
		f = &f.Alternatives[v.Type-1]
	}
	return &form.Field{Name: f.Name, Title: f.Title, Kind: f.Kind, Options: f.Options, Items: f.Items}
}
