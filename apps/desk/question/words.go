package question

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
)

// What a server can put into a form, in characters.
const (
	mostLabel       = 120
	mostDescription = 600
	mostBound       = 20
)

// Label is a field's title, fit to be shown.
func Label(f *form.Field) string { return plain.Line(f.Title, mostLabel) }

// Description is what the server says of a field, fit to be shown.
func Description(f *form.Field) string { return plain.Text(f.Description, mostDescription) }

// Explain is what is wrong with a value, in words fit to be shown.
func Explain(f *form.Field, p *form.Problem) string {
	return Label(f) + " " + plain.Line(p.Message.String(), mostDescription)
}

// HidesDefault reports whether a field's default has characters that cannot be
// seen, which are not offered.
func HidesDefault(f *form.Field) bool { return plain.Hidden(Preset(f).Text) }

// Labels are what is shown of a field's options. Those of the same name are told
// apart by value and, should that be alike too, by number.
func Labels(f *form.Field) []string {
	labels := make([]string, len(f.Options))
	seen := map[string]int{}
	for i, o := range f.Options {
		labels[i] = plain.Line(o.Title, mostLabel)
		seen[labels[i]]++
	}
	taken := map[string]bool{}
	for i, o := range f.Options {
		if seen[labels[i]] > 1 {
			labels[i] += " (" + plain.Line(o.Value, mostLabel) + ")"
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

// Hint says what goes into a field, "" if its options say it.
func Hint(f *form.Field) string {
	switch f.Kind {
	case form.String:
		return joined(formats[f.Format], bounds(count(f.MinLength), count(f.MaxLength), " characters"))
	case form.Integer:
		return joined("a whole number", bounds(f.Minimum, f.Maximum, ""))
	case form.Number:
		return joined("a number", bounds(f.Minimum, f.Maximum, ""))
	case form.Choices:
		return bounds(count(f.MinItems), count(f.MaxItems), " of them")
	}
	return ""
}

func joined(what, bounds string) string {
	return strings.TrimPrefix(strings.TrimSuffix(what+", "+bounds, ", "), ", ")
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
