package forms_test

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine/form"
)

// What a person writes who reads what the form says.
var (
	byFormat = map[form.Format][]string{
		form.Email:    {"ada@example.org", "ada.lovelace+forms@example.com"},
		form.URI:      {"https://example.org/a?b=c", "http://example.com"},
		form.Date:     {"2999-02-28", "2996-02-29"}, // some have to be in the future
		form.DateTime: {"2026-01-02T10:30:00Z", "2026-12-24T23:59:59.5Z"},
	}
	// By what is shown as a hint: formats that Parley does not know, and patterns.
	byHint = map[string][]string{
		"uuid": {"c0ffee00-0000-4000-8000-000000000000"}, "time": {"10:30:00Z"}, "partial-time": {"10:30:00"}, "duration": {"P3DT4H"},
		"ipv4": {"192.0.2.7"}, "ipv6": {"2001:db8::7"}, "hostname": {"www.example.org"}, "base64": {"UGFybGV5"}, "path": {"/tmp/a"},
		"nanoid": {"V1StGXR8_Z5jdHi6B-myT"}, "e164": {"+4790000000"}, "guid": {"c0ffee00-0000-4000-8000-000000000000"}, "base64url": {"UGFybGV5"},
		"ulid": {"01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "cidrv4": {"192.0.2.0/24"}, "json-string": {`{"a":1}`}, "application/json": {`{"a":1}`},
		`^[A-Z]{3}$`: {"OSL", "ABC"}, `^\d{5}$`: {"01234"}, `^[a-z]+-[0-9]+$`: {"gate-7"}, `^a.*`: {"a text"}, `^a.*$`: {"a text"}, `a`: {"a text"},
		`.*z$`: {"jazz"}, `^[^a-z]*$`: {"OSLO"}, `^a`: {"az"}, `^a--?\d+(?:\.\d+)?$`: {"a-5"}, `^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$`: {"10:30"},
	}
	// Texts for anything, short to long.
	texts = []string{"O", "Bø", "Øst", "Oslo", "“Åse”", "Bergen", "a\ttab", "Hammerfest", "C:\\\"x\"", "a longer text", "😀😀😀 and 日本語", "one more, that is longer still"}

	like = regexp.MustCompile(` like (\S+)$`) // how a description says what to write
)

// written is a text for a String, and how a person types it. edge is a short or long one.
func written(d *dice, f *form.Field, edge bool) string {
	if found := like.FindStringSubmatch(f.Description); found != nil {
		return found[1]
	}
	if all := byFormat[f.Format]; all != nil {
		return one(d, all...)
	}
	// A pattern says more than the name of a format.
	for _, keyword := range []string{"pattern", "format"} {
		for _, u := range f.Unchecked {
			if all := byHint[u.Value]; u.Keyword == keyword && all != nil {
				return one(d, all...)
			}
		}
	}
	length := func(s string) int { return len([]rune(s)) }
	fitting := slices.DeleteFunc(slices.Clone(texts), func(s string) bool {
		return length(s) < f.MinLength || f.MaxLength > 0 && length(s) > f.MaxLength
	})
	switch {
	case len(fitting) == 0:
		return strings.Repeat("ø", max(f.MinLength, 1))
	case edge && f.MaxLength > 0 && d.below(2) == 0:
		return strings.Repeat("😀", f.MaxLength)
	case edge && f.MinLength > 0:
		return strings.Repeat("é", f.MinLength)
	}
	return one(d, fitting...)
}

// value is a value for a field, as JSON text; edge is one at a limit of what the form allows.
func value(d *dice, f *form.Field, edge bool) string {
	if edge && f.Nullable && d.below(2) == 0 {
		return "null"
	}
	switch f.Kind {
	case form.String:
		return jsonText(written(d, f, edge))
	case form.Number, form.Integer:
		return number(d, f, edge)
	case form.Boolean:
		return one(d, "true", "false")
	case form.Choice:
		return one(d, f.Options...).Value
	case form.Choices:
		values := make([]string, len(f.Options))
		for i, o := range f.Options {
			values[i] = o.Value
		}
		return "[" + strings.Join(some(d, count(d, f, len(values), edge), values...), ",") + "]"
	case form.List:
		return "[" + strings.Join(items(d, f, edge), ",") + "]"
	case form.Union:
		picked := f.Alternatives[d.below(len(f.Alternatives))]
		picked.Description = cmp.Or(picked.Description, f.Description)
		return value(d, &picked, edge)
	}
	panic("a field of an unknown kind")
}

// count is how many values of at most so many there are in a list.
func count(d *dice, f *form.Field, most int, edge bool) int {
	if f.MaxItems > 0 {
		most = min(most, f.MaxItems)
	}
	least := min(f.MinItems, most)
	switch {
	case edge:
		return one(d, least, most)
	case least == 0 && most > 0:
		least = 1
	}
	return least + d.below(most-least+1)
}

// items are values of a List.
func items(d *dice, f *form.Field, edge bool) []string {
	n := count(d, f, max(3, f.MinItems), edge)
	var all []string
	for tries := 0; len(all) < n && tries < 100; tries++ {
		if v := value(d, f.Items, edge && tries < 3); !f.UniqueItems || !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// picked is the type that a person picks for a value of a Union, and otherwise the field itself.
func picked(f *form.Field, value string) *form.Field {
	for i := range f.Alternatives {
		if one := &f.Alternatives[i]; one.Check([]byte(value)) == nil {
			return one
		}
	}
	return f
}

// typed is what a person types for a value, in a terminal; ok is false where there is more than one way.
func typed(f *form.Field, value string) (text string, ok bool) {
	switch f.Kind {
	case form.Boolean:
		return map[string]string{"true": "yes", "false": "no"}[value], true
	case form.Number, form.Integer:
		return value, true
	case form.String:
		return textOf(value), true
	case form.Choice:
		i := slices.IndexFunc(f.Options, func(o form.Option) bool { return o.Value == value })
		alike := func(o form.Option) bool { return strings.EqualFold(o.Title, f.Options[i].Title) }
		return f.Options[i].Title, f.Options[i].Title != "" && !slices.ContainsFunc(f.Options[i+1:], alike) && !slices.ContainsFunc(f.Options[:i], alike)
	case form.List, form.Choices:
		of := f.Items
		if f.Kind == form.Choices {
			of = &form.Field{Kind: form.Choice, Options: f.Options}
		}
		var all []json.RawMessage
		if err := json.Unmarshal([]byte(value), &all); err != nil {
			panic(err)
		}
		var lines []string
		for _, one := range all {
			line, ok := typed(of, string(one))
			if !ok || line == "" {
				return "", false
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

func jsonText(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func textOf(value string) (text string) {
	if err := json.Unmarshal([]byte(value), &text); err != nil {
		panic(err)
	}
	return text
}
