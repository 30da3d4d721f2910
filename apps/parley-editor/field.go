package main

import (
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// field is a field of a form, its texts fit to be shown.
type field struct {
	Label            string         `json:"label"`
	Description      string         `json:"description,omitempty"`
	Hint             string         `json:"hint,omitempty"` // what goes into it, in words
	Kind             string         `json:"kind"`
	Format           string         `json:"format,omitempty"`
	Required         bool           `json:"required,omitempty"` // it cannot be left empty
	ReadOnly         bool           `json:"readOnly,omitempty"` // only shown
	Options          []string       `json:"options,omitempty"`  // of a boolean, choice or choices; no two are the same
	Types            []field        `json:"types,omitempty"`    // of a union; no two labels are the same
	MinLength        int            `json:"minLength,omitempty"`
	MaxLength        int            `json:"maxLength,omitempty"`
	Minimum          string         `json:"minimum,omitempty"`
	Maximum          string         `json:"maximum,omitempty"`
	ExclusiveMinimum string         `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum string         `json:"exclusiveMaximum,omitempty"`
	MultipleOf       string         `json:"multipleOf,omitempty"`
	MinItems         int            `json:"minItems,omitempty"`
	MaxItems         int            `json:"maxItems,omitempty"`
	UniqueItems      bool           `json:"uniqueItems,omitempty"`
	Value            question.Value `json:"value,omitzero"`  // to begin with: the default, or what was answered earlier
	Nothing          string         `json:"nothing"`         // what it says where nothing is filled in
	Leave            string         `json:"leave,omitempty"` // what to choose to fill nothing in, if it is not required
}

var kinds = map[form.Kind]string{
	form.String: "string", form.Number: "number", form.Integer: "integer",
	form.Boolean: "boolean", form.Choice: "choice", form.Choices: "choices",
	form.List: "list", form.Union: "union",
}

// maxBound is the most characters of a field's bound or format.
const maxBound = 20

// fieldsOf are the fields of a form. They begin with what was answered earlier,
// if there is such an object, and with their defaults otherwise.
func fieldsOf(q question.Question, earlier []byte) []field {
	fields := make([]field, len(q.Fields))
	for i := range q.Fields {
		fields[i] = fieldOf(&q.Fields[i], earlier)
	}
	return fields
}

func fieldOf(f *form.Field, earlier []byte) field {
	bound := func(text string) string { return plain.Line(text, maxBound) }
	shown := field{
		Label: question.Label(f), Description: question.Description(f), Hint: strings.Join(question.Hints(f), ", "),
		Kind: kinds[f.Kind], Format: bound(string(f.Format)), Required: f.Required && !f.Nullable, ReadOnly: f.ReadOnly,
		MinLength: f.MinLength, MaxLength: f.MaxLength, MinItems: f.MinItems, MaxItems: f.MaxItems, UniqueItems: f.UniqueItems,
		Minimum: bound(f.Minimum), Maximum: bound(f.Maximum), MultipleOf: bound(f.MultipleOf),
		ExclusiveMinimum: bound(f.ExclusiveMinimum), ExclusiveMaximum: bound(f.ExclusiveMaximum),
		Value: question.Earlier(f, earlier), Nothing: question.Nothing(f),
	}
	if !shown.Required {
		shown.Leave = question.Leave(f)
	}
	if f.ReadOnly {
		shown.Value.Text = plain.Text(shown.Value.Text, maxText)
	} else {
		shown.Value.Text = plain.Strip(shown.Value.Text)
	}
	switch f.Kind {
	case form.Boolean:
		shown.Options = []string{question.No: "No", question.Yes: "Yes"}
	case form.Choice, form.Choices:
		shown.Options = question.Labels(f)
	}
	for i, label := range question.Types(f) {
		one := fieldOf(&f.Alternatives[i], nil)
		one.Label, one.Required, one.Leave = label, true, ""
		shown.Types = append(shown.Types, one)
	}
	return shown
}
