package dialog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/parley-mcp/parley/apps/desk/question"
	"github.com/parley-mcp/parley/engine/form"
)

// manyOptions is from where on the options can be searched.
const manyOptions = 12

// leftOut is the value of the option to choose nothing.
const leftOut = -1

// fieldPage makes the page of a field, and what takes the value from it. What
// is wrong with the value shows while it is typed, but not before anything is.
func (d *filling) fieldPage(i int) (*page, func()) {
	field, value := &d.question.Fields[i], &d.values[i]
	title, about := question.Label(field), description(field)
	switch field.Kind {
	case form.Boolean, form.Choice:
		chosen := leftOut
		if len(value.Chosen) > 0 {
			chosen = value.Chosen[0]
		} else if field.Required {
			chosen = 0
		}
		list, filter := d.options(field)
		if !field.Required {
			list = append(list, huh.NewOption("(leave it out)", leftOut))
		}
		input := huh.NewSelect[int]().Title(title).Description(about).Options(list...).Value(&chosen)
		return d.choosing(newPage(input, filter, d.notes(i, moves(filter)...)...)), func() {
			if value.Chosen = nil; chosen != leftOut {
				value.Chosen = []int{chosen}
			}
		}
	case form.Choices:
		chosen := slices.Clone(value.Chosen)
		list, filter := d.options(field)
		validate := func(chosen []int) error { return problem(field, question.Value{Chosen: chosen}) }
		input := huh.NewMultiSelect[int]().Title(title).Description(about).Filterable(filter).Options(list...).Value(&chosen).Validate(validate).
			Height(d.lines(title) + d.lines(about) + height(list)) // it does not measure itself
		notes := d.notes(i, append(moves(filter), "space mark")...)
		p := d.choosing(newPage(input, filter, notes...))
		p.wrong = func() error {
			if input.Error() == nil && slices.Equal(chosen, value.Chosen) {
				return nil
			}
			return validate(chosen)
		}
		return p, func() { value.Chosen = chosen }
	}
	typed := value.Text
	store := func() { value.Text = typed }
	validate := func(text string) error { return problem(field, question.Value{Text: text}) }
	wrong := func(input huh.Field) func() error {
		return func() error {
			if input.Error() == nil && typed == value.Text {
				return nil
			}
			return validate(typed)
		}
	}
	if strings.Contains(question.Preset(field).Text+value.Text, "\n") {
		input := huh.NewText().Title(title).Description(about).CharLimit(0).ExternalEditor(false).Value(&typed).Validate(validate)
		p := newPage(input, false, d.notes(i, "alt+enter new line")...)
		p.wrong = wrong(input)
		return p, store
	}
	input := huh.NewInput().Title(title).Description(about).Value(&typed).Validate(validate)
	var keys []string
	completion := d.suggestions(i, &typed)
	if completion != nil {
		completion.input, keys = input, []string{"tab suggestions"}
	}
	p := newPage(input, false, d.notes(i, keys...)...)
	p.wrong, p.completion = wrong(input), completion
	return p, store
}

// choosing lets a key park the call on a page where no text is typed.
func (d *filling) choosing(p *page) *page {
	p.park = d.mayPark
	return p
}

// problem is what is wrong with a value, in words for the person.
func problem(field *form.Field, v question.Value) error {
	if _, p := question.JSON(field, v); p != nil {
		return errors.New(question.Explain(field, p))
	}
	return nil
}

// notes go below the page of a field: which one it is, if there are several,
// and what the keys do.
func (d *filling) notes(i int, keys ...string) []string {
	var notes []string
	if len(d.values) > 1 {
		notes = append(notes, fmt.Sprintf("field %d of %d", i+1, len(d.values)))
	}
	notes = append(append(notes, keys...), "enter next")
	if i > 0 {
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

func moves(filter bool) []string {
	if filter {
		return []string{"↑/↓ move", "/ search"}
	}
	return []string{"↑/↓ move"}
}

// lines is how many lines a text takes.
func (d *filling) lines(text string) int {
	if text == "" {
		return 0
	}
	return lipgloss.Height(wrap(text, d.width-lipgloss.Width("┃ ")))
}

func height(options []huh.Option[int]) int {
	lines := 0
	for _, o := range options {
		lines += lipgloss.Height(o.Key)
	}
	return lines
}

// wrap wraps as huh does.
func wrap(text string, width int) string { return lipgloss.Wrap(text, width, ",.-; ") }

// options are a field's options as huh has them, and whether they are so many
// that they can be searched.
func (d *filling) options(field *form.Field) ([]huh.Option[int], bool) {
	if field.Kind == form.Boolean {
		return []huh.Option[int]{huh.NewOption("Yes", question.Yes), huh.NewOption("No", question.No)}, false
	}
	list := make([]huh.Option[int], len(field.Options))
	for i, label := range question.Labels(field) {
		if field.Kind == form.Choices {
			label = wrap(label, d.width-lipgloss.Width("┃ > [x] ")) // which huh does for the others
		}
		list[i] = huh.NewOption(label, i)
	}
	return list, len(list) >= manyOptions
}

// description is what the server says of a field, then what the host says.
func description(field *form.Field) string {
	var lines []string
	if field.Description != "" {
		lines = append(lines, question.Description(field))
	}
	var hints []string
	if !field.Required {
		hints = append(hints, "optional")
	}
	if hint := question.Hint(field); hint != "" {
		hints = append(hints, hint)
	}
	if len(hints) > 0 {
		lines = append(lines, strings.Join(hints, " · "))
	}
	if question.HidesDefault(field) {
		lines = append(lines, "The server's default has hidden characters: they are not in here.")
	}
	return strings.Join(lines, "\n")
}
