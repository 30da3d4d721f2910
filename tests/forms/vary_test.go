package forms_test

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/parley-mcp/parley/engine/form"
)

// variants is how many answers of each form are judged without being posted.
const variants = 20

// vary has answers judged that are just allowed, or just not.
func (r *row) vary(of int) {
	text := r.offers[of].Schema
	schema, _ := form.Parse(text)
	d := newDice(r.server.name, of, "vary")
	for range variants {
		r.answers = append(r.answers, r.newAnswer(of, text, schema, vary(d, schema)))
	}
}

// vary is an answer with one value that may not be allowed, or without one that may have to be there.
func vary(d *dice, schema form.Schema) json.RawMessage {
	var members []string
	odd := -1
	if n := len(schema.Fields); n > 0 {
		odd = d.below(n)
	}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		v := value(d, f, false)
		if i == odd {
			if d.below(8) == 0 {
				continue
			}
			v = oddValue(d, f)
		}
		members = append(members, jsonText(f.Name)+":"+v)
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// oddValue is a value for a field that is near what is allowed.
func oddValue(d *dice, f *form.Field) string {
	near := []string{
		`null`, `""`, `"x"`, `0`, `-1`, `1`, `1.5`, `2.0`, `1e2`, `true`, `false`, `[]`, `["x"]`, `["x","x"]`, `[1]`, `[1,1.0]`, `[null]`, `{}`,
		`"2026-02-30"`, `"2026-02-28"`, `"ada@@example.org"`, `"a b"`, `"1"`, `9007199254740993`, `"2026-01-02T10:30:00+02:00"`,
		`"2026-01-02 10:30:00"`, `"ftp://example.org"`, `"//example.org"`, `12345678901234567890.5`,
	}
	for range 4 { // more of what is of its kind
		near = append(near, ofKind(d, f)...)
	}
	return one(d, near...)
}

func ofKind(d *dice, f *form.Field) (near []string) {
	switch f.Kind {
	case form.String:
		near = append(near, jsonText(strings.Repeat("é", max(f.MinLength-1, 0))), jsonText(strings.Repeat("é", f.MinLength)))
		if f.MaxLength > 0 {
			near = append(near, jsonText(strings.Repeat("😀", f.MaxLength)), jsonText(strings.Repeat("😀", f.MaxLength+1)))
		}
	case form.Number, form.Integer:
		for _, bound := range []string{f.Minimum, f.Maximum, f.ExclusiveMinimum, f.ExclusiveMaximum, f.MultipleOf} {
			if bound != "" {
				at := rational(bound)
				little := one(d, big.NewRat(1, 1), big.NewRat(1, 100))
				near = append(near, bound, decimal(new(big.Rat).Add(at, little)), decimal(new(big.Rat).Sub(at, little)))
			}
		}
	case form.Choice:
		near = append(near, f.Options[0].Value, jsonText(f.Options[0].Title), jsonText(strings.Trim(f.Options[0].Value, `"`)), strings.Trim(f.Options[0].Value, `"`))
		if !json.Valid([]byte(near[3])) {
			near = near[:3]
		}
	case form.Choices, form.List:
		item := func() string {
			if f.Kind == form.Choices {
				return one(d, f.Options...).Value
			}
			return value(d, f.Items, true)
		}
		a, b := item(), item()
		near = append(near, "["+a+"]", "["+a+","+b+"]", "["+a+","+a+"]", "["+a+","+b+","+a+","+b+"]", "["+a+`,"x"]`, "["+a+",1]", a)
		if f.Kind == form.List {
			for _, v := range ofKind(d, f.Items) {
				near = append(near, "["+v+"]")
			}
		}
	case form.Union:
		for i := range f.Alternatives {
			near = append(near, value(d, &f.Alternatives[i], true))
			near = append(near, ofKind(d, &f.Alternatives[i])...)
		}
	}
	return near
}
