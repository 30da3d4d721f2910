package dialog

import (
	"errors"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// fieldPage makes the page of a field, and what takes the value from it. What
// is wrong with the value shows while it is typed, but not before anything is.
// Of a field of several types it is the page of the type that is picked.
func (d *filling) fieldPage(i int) (*page, func()) {
	field := &d.question.Fields[i]
	if field.Kind == form.Union {
		picked := field.Alternatives[d.values[i].Type-1]
		picked.Title, picked.Description, picked.Required = field.Title, field.Description, true
		field = &picked
	}
	switch field.Kind {
	case form.Boolean, form.Choice:
		return d.choicePage(i, field)
	case form.Choices:
		return d.choicesPage(i, field)
	case form.List:
		return d.linesPage(i, field)
	}
	return d.textPage(i, field)
}

// problem is what is wrong with a value of the field, in words for the person.
func (d *filling) problem(i int, v question.Value) error {
	field := &d.question.Fields[i]
	v.Type = d.values[i].Type
	if _, p := question.JSON(field, v); p != nil {
		return errors.New(question.Explain(field, p))
	}
	return nil
}

// notes go below the page of a field: which one it is, if there are several,
// and what the keys do, of which next leads on.
func (d *filling) notes(i int, next string, keys ...string) []string {
	var notes []string
	if len(d.values) > 1 {
		notes = append(notes, fmt.Sprintf("field %d of %d", i+1, len(d.values)))
	}
	notes = append(append(notes, keys...), next)
	if i > 0 || d.question.Fields[i].Kind == form.Union && !d.typing {
		notes = append(notes, "shift+tab back")
	}
	if d.own {
		return append(notes, "esc stop")
	}
	if d.mayPark {
		return append(notes, "esc decline, dismiss, park or stop")
	}
	return append(notes, "esc decline, dismiss or stop")
}

const next = "enter next"

// lines is how many lines a text takes.
func (d *filling) lines(text string) int {
	if text == "" {
		return 0
	}
	return lipgloss.Height(wrap(text, d.width-lipgloss.Width("┃ ")))
}

// wrap wraps as huh does.
func wrap(text string, width int) string { return lipgloss.Wrap(text, width, ",.-; ") }

// about is what the server says of a field, then what the host says.
func about(field *form.Field) string {
	var lines []string
	if field.Description != "" {
		lines = append(lines, question.Description(field))
	}
	if hints := question.Hints(field); len(hints) > 0 {
		lines = append(lines, strings.Join(hints, " · "))
	}
	return strings.Join(lines, "\n")
}
