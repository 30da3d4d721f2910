package main

import (
	"strings"

	"github.com/parley-mcp/parley/apps/desk/question"
	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
)

// field is a field of a form, its texts fit to be shown.
type field struct {
	Label       string         `json:"label"`
	Description string         `json:"description,omitempty"`
	Hint        string         `json:"hint,omitempty"` // what goes into it, in words
	Kind        string         `json:"kind"`
	Format      string         `json:"format,omitempty"`
	Required    bool           `json:"required,omitempty"`
	Options     []string       `json:"options,omitempty"` // of a boolean, choice or choices; no two are the same
	MinLength   int            `json:"minLength,omitempty"`
	MaxLength   int            `json:"maxLength,omitempty"`
	Minimum     string         `json:"minimum,omitempty"`
	Maximum     string         `json:"maximum,omitempty"`
	MinItems    int            `json:"minItems,omitempty"`
	MaxItems    int            `json:"maxItems,omitempty"`
	Value       question.Value `json:"value,omitzero"`    // to begin with: the default, or what was answered earlier
	Empties     bool           `json:"empties,omitempty"` // nothing is sent as an empty text, and not left out
}

var kinds = map[form.Kind]string{
	form.String: "string", form.Number: "number", form.Integer: "integer",
	form.Boolean: "boolean", form.Choice: "choice", form.Choices: "choices",
}

// mostBound is the most characters of a field's bound or format.
const mostBound = 20

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
	shown := field{
		Label: question.Label(f), Description: question.Description(f), Hint: hint(f),
		Kind: kinds[f.Kind], Format: plain.Line(string(f.Format), mostBound), Required: f.Required,
		MinLength: f.MinLength, MaxLength: f.MaxLength, MinItems: f.MinItems, MaxItems: f.MaxItems,
		Minimum: plain.Line(f.Minimum, mostBound), Maximum: plain.Line(f.Maximum, mostBound),
		Value: question.Earlier(f, earlier),
	}
	shown.Value.Text = plain.Strip(shown.Value.Text)
	nothing, _ := question.JSON(f, question.Value{})
	shown.Empties = string(nothing) == `""`
	switch f.Kind {
	case form.Boolean:
		shown.Options = []string{question.No: "No", question.Yes: "Yes"}
	case form.Choice, form.Choices:
		shown.Options = question.Labels(f)
	}
	return shown
}

// hint says what goes into a field.
func hint(f *form.Field) string {
	var hints []string
	if !f.Required {
		hints = append(hints, "optional")
	}
	if hint := question.Hint(f); hint != "" {
		hints = append(hints, hint)
	}
	if question.HidesDefault(f) {
		hints = append(hints, "the server's default has hidden characters, which are left out")
	}
	return strings.Join(hints, ", ")
}
