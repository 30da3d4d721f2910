package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/rawjson"
)

// field is a field of a form, its texts fit to be shown.
type field struct {
	Label       string   `json:"label"`
	Description string   `json:"description,omitempty"`
	Hint        string   `json:"hint,omitempty"` // what goes into it, in words
	Kind        string   `json:"kind"`
	Format      string   `json:"format,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Options     []string `json:"options,omitempty"` // of a boolean, choice or choices; no two are the same
	MinLength   int      `json:"minLength,omitempty"`
	MaxLength   int      `json:"maxLength,omitempty"`
	Minimum     string   `json:"minimum,omitempty"`
	Maximum     string   `json:"maximum,omitempty"`
	MinItems    int      `json:"minItems,omitempty"`
	MaxItems    int      `json:"maxItems,omitempty"`
	Value       *value   `json:"value,omitempty"` // to begin with: the default, or what was answered earlier
}

var kinds = map[form.Kind]string{
	form.String: "string", form.Number: "number", form.Integer: "integer",
	form.Boolean: "boolean", form.Choice: "choice", form.Choices: "choices",
}

// What a server can put into a form, in characters.
const (
	mostFieldLabel  = 120
	mostDescription = 600
	mostBound       = 20
)

// fieldsOf are the fields of a form. They begin with what was answered earlier, if
// there is such an object, and with their defaults otherwise.
func fieldsOf(schema form.Schema, earlier []byte) []field {
	fields := make([]field, len(schema.Fields))
	for i, f := range schema.Fields {
		fields[i] = fieldOf(&f)
		if earlier != nil {
			f.Default = string(rawjson.Member(earlier, f.Name))
			fields[i].Value = preset(&f)
		}
	}
	return fields
}

func fieldOf(f *form.Field) field {
	shown := field{
		Label: plain.Line(f.Title, mostFieldLabel), Description: plain.Text(f.Description, mostDescription),
		Hint: hint(f), Kind: kinds[f.Kind], Format: plain.Line(string(f.Format), mostBound), Required: f.Required,
		MinLength: f.MinLength, MaxLength: f.MaxLength, MinItems: f.MinItems, MaxItems: f.MaxItems,
		Minimum: plain.Line(f.Minimum, mostBound), Maximum: plain.Line(f.Maximum, mostBound), Value: preset(f),
	}
	switch f.Kind {
	case form.Boolean:
		shown.Options = []string{no: "No", yes: "Yes"}
	case form.Choice, form.Choices:
		shown.Options = options(f)
	}
	return shown
}

// options are what is shown of a field's options. Those of the same name are
// told apart by value and, should that be alike too, by number.
func options(f *form.Field) []string {
	labels := make([]string, len(f.Options))
	seen := map[string]int{}
	for i, o := range f.Options {
		labels[i] = plain.Line(o.Title, mostFieldLabel)
		seen[labels[i]]++
	}
	taken := map[string]bool{}
	for i, o := range f.Options {
		if seen[labels[i]] > 1 {
			labels[i] += " (" + plain.Line(o.Value, mostFieldLabel) + ")"
		}
		if taken[labels[i]] {
			labels[i] += fmt.Sprintf(" #%d", i+1)
		}
		taken[labels[i]] = true
	}
	return labels
}

var formats = map[form.Format]string{
	form.Email:    "an e-mail address",
	form.URI:      "a URI, such as https://example.com/",
	form.Date:     "a date, such as 2026-07-28",
	form.DateTime: "a date and time, such as 2026-07-28T09:30:00Z",
}

// hint says what goes into a field.
func hint(f *form.Field) string {
	var hints []string
	say := func(text string) {
		if text != "" {
			hints = append(hints, text)
		}
	}
	if !f.Required {
		say("optional")
	}
	switch f.Kind {
	case form.String:
		say(formats[f.Format])
		say(bounds(count(f.MinLength), count(f.MaxLength), " characters"))
	case form.Integer:
		say("a whole number")
		say(bounds(f.Minimum, f.Maximum, ""))
	case form.Number:
		say("a number")
		say(bounds(f.Minimum, f.Maximum, ""))
	case form.Choices:
		say(bounds(count(f.MinItems), count(f.MaxItems), " of them"))
	}
	if plain.Hidden(presetText(f)) {
		say("the server's default has hidden characters, which are left out")
	}
	return strings.Join(hints, ", ")
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func bounds(least, most, unit string) string {
	least, most = plain.Line(least, mostBound), plain.Line(most, mostBound)
	switch {
	case least != "" && most != "":
		return least + " to " + most + unit
	case least != "":
		return "at least " + least + unit
	case most != "":
		return "at most " + most + unit
	}
	return ""
}
