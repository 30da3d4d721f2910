package dialog

import (
	"slices"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// manyOptions is from where on the options can be searched.
const manyOptions = 12

// none is the value of the option to choose nothing.
const none = -1

// choicePage has one of the options chosen.
func (d *filling) choicePage(i int, field *form.Field) (*page, func()) {
	value := &d.values[i]
	chosen := none
	if len(value.Chosen) > 0 {
		chosen = value.Chosen[0]
	}
	list, filter := d.options(field)
	switch {
	case !field.Required || field.Nullable:
		list = append(list, huh.NewOption("("+question.Leave(field)+")", none))
	case chosen != none:
	case len(list) == 1: // to say it is an act, and Enter alone is none
		list = append([]huh.Option[int]{huh.NewOption("(not chosen)", none)}, list...)
	default:
		chosen = 0
	}
	return d.selectPage(i, field, list, filter, &chosen), func() {
		if value.Chosen = nil; chosen != none {
			value.Chosen = []int{chosen}
		}
	}
}

// typePage has the type picked that the value is to be of.
func (d *filling) typePage(i int) (*page, func()) {
	field, value := &d.question.Fields[i], &d.values[i]
	picked := value.Type - 1
	var list []huh.Option[int]
	for i, label := range question.Types(field) {
		list = append(list, huh.NewOption(label, i))
	}
	if !field.Required || field.Nullable {
		list = append(list, huh.NewOption("("+question.Leave(field)+")", none))
	} else {
		picked = max(picked, 0)
	}
	return d.selectPage(i, field, list, false, &picked), func() {
		if picked+1 != value.Type {
			*value = question.Value{Type: picked + 1}
		}
		if d.isValue(i) {
			value.Chosen = []int{0}
		}
	}
}

// isValue reports whether the type that is picked is a single value, so that
// nothing more is to be chosen.
func (d *filling) isValue(i int) bool {
	field, picked := &d.question.Fields[i], d.values[i].Type
	return picked > 0 && field.Alternatives[picked-1].Kind == form.Choice && len(field.Alternatives[picked-1].Options) == 1
}

func (d *filling) selectPage(i int, field *form.Field, list []huh.Option[int], filter bool, chosen *int) *page {
	validate := func(chosen int) error {
		if chosen == none && field.Required && !field.Nullable {
			return d.problem(i, question.Value{})
		}
		return nil
	}
	input := huh.NewSelect[int]().Title(question.Label(field)).Description(about(field)).Options(list...).Value(chosen).Validate(validate)
	p := newPage(input, filter, d.notes(i, next, moves(filter)...)...)
	p.park, p.wrong = d.mayPark, input.Error
	return p
}

// choicesPage has some of the options marked.
func (d *filling) choicesPage(i int, field *form.Field) (*page, func()) {
	value := &d.values[i]
	title, about := question.Label(field), about(field)
	chosen := slices.Clone(value.Chosen)
	list, filter := d.options(field)
	validate := func(chosen []int) error { return d.problem(i, question.Value{Chosen: chosen}) }
	input := huh.NewMultiSelect[int]().Title(title).Description(about).Filterable(filter).Options(list...).Value(&chosen).Validate(validate).
		Height(d.lines(title) + d.lines(about) + height(list)) // it does not measure itself
	p := newPage(input, filter, d.notes(i, next, append(moves(filter), "space mark")...)...)
	p.park = d.mayPark
	p.wrong = func() error {
		if input.Error() == nil && slices.Equal(chosen, value.Chosen) {
			return nil
		}
		return validate(chosen)
	}
	return p, func() { value.Chosen = chosen }
}

func moves(filter bool) []string {
	if filter {
		return []string{"↑/↓ move", "/ search"}
	}
	return []string{"↑/↓ move"}
}

func height(options []huh.Option[int]) int {
	lines := 0
	for _, o := range options {
		lines += lipgloss.Height(o.Key)
	}
	return lines
}

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
