package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// textPage has a text typed, on several lines if it has some already.
func (d *filling) textPage(i int, field *form.Field) (*page, func()) {
	if strings.Contains(question.Preset(field).Text+d.values[i].Text, "\n") {
		return d.linesPage(i, field)
	}
	value := &d.values[i]
	typed := value.Text
	validate := func(text string) error { return d.problem(i, question.Value{Text: text}) }
	input := huh.NewInput().Title(question.Label(field)).Description(about(field)).Value(&typed).Validate(validate)
	var keys []string
	completion := d.suggestions(i, &typed)
	if completion != nil {
		completion.input, keys = input, []string{"tab suggestions"}
	}
	p := newPage(input, false, d.notes(i, next, keys...)...)
	p.wrong, p.completion = d.wrong(i, input, &typed), completion
	return p, func() { value.Text = typed }
}

// linesPage has a text of several lines typed, or a list with one value a line:
// Enter begins the next value, and on an empty line it leads on.
func (d *filling) linesPage(i int, field *form.Field) (*page, func()) {
	value := &d.values[i]
	typed := value.Text
	validate := func(text string) error { return d.problem(i, question.Value{Text: text}) }
	input := huh.NewText().Title(question.Label(field)).Description(about(field)).CharLimit(0).ExternalEditor(false).Value(&typed).Validate(validate)
	notes := d.notes(i, next, "alt+enter new line")
	if field.Kind == form.List {
		notes = d.notes(i, "tab next", "one value a line, an empty line ends")
	}
	p := newPage(input, false, notes...)
	p.wrong = d.wrong(i, input, &typed)
	if field.Kind == form.List {
		p.list = &typed
	}
	return p, func() { value.Text = typed }
}

// wrong is what is wrong with a text, once something else is typed than was there
// or it was to be sent.
func (d *filling) wrong(i int, input huh.Field, typed *string) func() error {
	before := d.values[i].Text
	return func() error {
		if input.Error() == nil && *typed == before {
			return nil
		}
		return d.problem(i, question.Value{Text: *typed})
	}
}

// begins is what Enter means where values are typed on lines: another line, unless
// the last one is empty.
func (p *page) begins(key tea.KeyPressMsg) tea.KeyPressMsg {
	if p.list == nil || key.String() != "enter" {
		return key
	}
	if *p.list == "" || strings.HasSuffix(*p.list, "\n") {
		return tea.KeyPressMsg{Code: tea.KeyTab}
	}
	return tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl}
}
