package question

import (
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
)

// What a server can put into a form, in characters.
const (
	maxLabel       = 120
	maxDescription = 600
	maxBound       = 20
)

const (
	yes       = "yes"
	no        = "no"
	leftOut   = "(left out)"
	leftToIt  = "(left out: the server may use its default)"
	leftEmpty = "(left empty)"
)

// Label is a field's title, fit to be shown.
func Label(f *form.Field) string { return plain.Line(f.Title, maxLabel) }

// Description is what the server says of a field, fit to be shown.
func Description(f *form.Field) string { return plain.Text(f.Description, maxDescription) }

// Explain is what is wrong with a value, in words fit to be shown.
func Explain(f *form.Field, p *form.Problem) string {
	return Label(f) + " " + plain.Line(p.Message.String(), maxDescription)
}

// Nothing says what a field comes to where nothing is filled in.
func Nothing(f *form.Field) string {
	raw, problem := f.Parse("")
	switch {
	case problem != nil || raw == nil && f.Default == "":
		return leftOut
	case raw == nil:
		return leftToIt
	}
	return plain.Line(describe(f, raw), maxLabel)
}

// Leave is what to choose to fill nothing in.
func Leave(f *form.Field) string {
	switch Nothing(f) {
	case leftOut:
		return "leave it out"
	case leftToIt:
		return "leave it out: the server may use its default"
	}
	return "leave it empty"
}

// Labels are what is shown of a field's options. Those of the same name are told
// apart by value and, should that be alike too, by number.
func Labels(f *form.Field) []string {
	return apart(len(f.Options), func(i int) (label, value string) {
		return title(&f.Options[i]), f.Options[i].Value
	})
}

// title is what an option is called: true and false, if the server has no title
// for them, are yes and no.
func title(o *form.Option) string {
	switch {
	case o.Value != o.Title:
	case o.Value == "true":
		return yes
	case o.Value == "false":
		return no
	}
	return o.Title
}

// Types are what is shown of the types that a value of the field may be of. No two
// are alike.
func Types(f *form.Field) []string {
	return apart(len(f.Alternatives), func(i int) (label, about string) {
		one := &f.Alternatives[i]
		about = joined(Hint(one), strings.Join(wishes(one), ", "))
		if one.Description != "" && one.Description != f.Description {
			about = quoted(one.Description, maxLabel)
		}
		if one.Title != f.Title {
			about = quoted(one.Title, maxLabel)
		}
		return typeOf(one), about
	})
}

// types are the types of a value in a person's words.
var types = map[form.Kind]string{
	form.String: "text", form.Number: "a number", form.Integer: "a whole number", form.Boolean: "yes or no",
	form.Choice: "one of some choices", form.Choices: "some of some choices", form.List: "a list of values",
}

func typeOf(f *form.Field) string {
	switch {
	case f.Kind == form.Choice && len(f.Options) == 1:
		return quoted(title(&f.Options[0]), maxLabel)
	case f.Kind == form.String && formats[f.Format] != "":
		return formats[f.Format]
	}
	return types[f.Kind]
}

// apart are labels, told apart where they are alike.
func apart(n int, of func(i int) (label, about string)) []string {
	labels := make([]string, n)
	seen := map[string]int{}
	for i := range labels {
		label, _ := of(i)
		labels[i] = plain.Line(label, maxLabel)
		seen[labels[i]]++
	}
	taken := map[string]bool{}
	for i := range labels {
		if _, about := of(i); seen[labels[i]] > 1 && about != "" {
			labels[i] += " (" + plain.Line(about, maxLabel) + ")"
		}
		if taken[labels[i]] {
			labels[i] += fmt.Sprintf(" #%d", i+1)
		}
		taken[labels[i]] = true
	}
	return labels
}
