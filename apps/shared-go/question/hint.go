package question

import (
	"slices"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// What a server can put into a hint, in characters.
const (
	maxQuoted  = 40
	maxKeyword = 20
)

var formats = map[form.Format]string{
	form.Email:    "an e-mail address",
	form.URI:      "a URI, such as https://example.com/",
	form.Date:     "a date, such as 2026-07-28",
	form.DateTime: "a date and time, such as 2026-07-28T09:30:00Z",
}

// Hints are all that there is to know before a field is filled in, apart from what
// the server says of it. What is the server's in there comes last, in quotes.
func Hints(f *form.Field) []string {
	var hints []string
	add := func(hint string) {
		if hint != "" {
			hints = append(hints, hint)
		}
	}
	switch {
	case f.ReadOnly:
		add("only shown")
	case !f.Required:
		add("optional")
	case f.Nullable:
		add("may be left empty")
	}
	if f.Deprecated {
		add("deprecated")
	}
	add(Hint(f))
	add(Unchecked(f.Unchecked))
	switch preset := Preset(f); {
	case f.ReadOnly:
	case plain.Hidden(preset.Text):
		add("the server's default has hidden characters, which are left out")
	case f.Kind == form.List && preset.Text == "" && len(elements([]byte(f.Default))) > 0:
		add("the server's default cannot be shown line by line, and is left out")
	}
	add(examples(f.Examples))
	for _, hint := range wishes(f) {
		add(hint)
	}
	return hints
}

// Hint says what goes into a field, "" if its options say it.
func Hint(f *form.Field) string {
	switch f.Kind {
	case form.String:
		return joined(formats[f.Format], bounds(count(f.MinLength), count(f.MaxLength), " characters"))
	case form.Integer:
		return joined("a whole number", numbers(f))
	case form.Number:
		return joined("a number", numbers(f))
	case form.Choices:
		return bounds(count(f.MinItems), count(f.MaxItems), " of them")
	case form.List:
		each, twice := Hint(f.Items), ""
		if each != "" {
			each = "each " + each
		}
		if f.UniqueItems {
			twice = "none of them twice"
		}
		return joined("a list of values", each, bounds(count(f.MinItems), count(f.MaxItems), " of them"), twice)
	}
	return ""
}

// examples are what the server has for examples, in quotes if they are text.
func examples(list []string) string {
	var shown []string
	for _, one := range list {
		if strings.ContainsAny(one[:1], `"[{`) {
			one = quoted(jsontext.Text([]byte(one)), maxQuoted)
		}
		shown = append(shown, one)
	}
	if shown == nil {
		return ""
	}
	return "such as " + strings.Join(shown, ", ")
}

// wishes are what the server says of the text that it wants, in quotes. A format
// that Parley knows says it better.
func wishes(f *form.Field) []string {
	if f.Format != "" || f.Items != nil && f.Items.Format != "" {
		return nil
	}
	var hints []string
	for _, u := range f.Unchecked {
		if u.Value != "" {
			hints = append(hints, wished[u.Keyword]+quoted(u.Value, maxQuoted))
		}
	}
	return hints
}

var wished = map[string]string{"pattern": "the pattern ", "format": "the format ", "contentEncoding": "in the encoding ", "contentMediaType": "of the type "}

// Unchecked names what only the server checks, "" if that is nothing.
func Unchecked(list []form.Unchecked) string {
	var names []string
	for _, u := range list {
		if name := plain.Line(u.Keyword, maxKeyword); u.Value == "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return "the server checks more: " + strings.Join(names, ", ")
}

// quoted is text of a server in quotes that it cannot end.
func quoted(text string, most int) string {
	return "“" + strings.NewReplacer("“", "<U+201C>", "”", "<U+201D>", `"`, `\"`).Replace(plain.Line(text, most)) + "”"
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// numbers says which numbers a field takes.
func numbers(f *form.Field) string {
	around := func(words, bound string) string {
		if bound == "" {
			return ""
		}
		return words + plain.Line(bound, maxBound)
	}
	return joined(bounds(f.Minimum, f.Maximum, ""), around("more than ", f.ExclusiveMinimum), around("less than ", f.ExclusiveMaximum),
		around("a multiple of ", f.MultipleOf))
}

func bounds(least, most, unit string) string {
	least, most = plain.Line(least, maxBound), plain.Line(most, maxBound)
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
