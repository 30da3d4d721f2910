package form_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

func TestCheckValue(t *testing.T) {
	text, colors := `{"type":"string","minLength":2,"maxLength":3}`, `{"type":"string","enum":["red","green"]}`
	number, integer := `{"type":"number","minimum":0,"maximum":9.5}`, `{"type":"integer","minimum":9007199254740993}`
	several := `{"type":"array","items":{"enum":["red","green","blue"]},"minItems":1,"maxItems":2}`
	tests := map[string]struct {
		property string
		value    string
		want     form.Code
		says     string
	}{
		"text":                     {text, `"ab"`, 0, ""},
		"short text":               {text, `"a"`, form.TooShort, "must be at least 2 characters"},
		"long text":                {text, `"abcd"`, form.TooLong, "must be at most 3 characters"},
		"one character":            {`{"type":"string","minLength":1}`, `""`, form.TooShort, "must be at least 1 character"},
		"code points":              {text, `"😀😀😀"`, 0, ""},
		"escaped pairs":            {text, `"\ud83d\ude00\ud83d\ude00\ud83d\ude00"`, 0, ""},
		"four code points":         {text, `"é😀é😀"`, form.TooLong, ""},
		"escapes count once":       {text, `"\n\u0041\\"`, 0, ""},
		"combining marks count":    {text, `"e\u0301e\u0301"`, form.TooLong, ""},
		"lone surrogate":           {text, `"a\ud800"`, form.NotText, "must not have broken characters"},
		"not UTF-8":                {text, "\"a\xff\"", form.NotText, ""},
		"number for text":          {text, `12`, form.WrongKind, "must be text"},
		"null for text":            {text, `null`, form.WrongKind, "must be text"},
		"list for text":            {text, `["ab"]`, form.WrongKind, "must be text"},
		"no value":                 {text, ``, form.Malformed, "must be a JSON value"},
		"two values":               {text, `"ab" "ab"`, form.Malformed, "must be a JSON value"},
		"white space around":       {text, " \"ab\"\n", 0, ""},
		"number":                   {number, `9.5`, 0, ""},
		"number as an integer":     {number, `9`, 0, ""},
		"number at the minimum":    {number, `-0.0`, 0, ""},
		"small number":             {number, `-0.001`, form.TooSmall, "must be at least 0"},
		"large number":             {number, `9.50000000000000000001`, form.TooLarge, "must be at most 9.5"},
		"text for a number":        {number, `"9"`, form.WrongKind, "must be a number like 42 or 2.5"},
		"true for a number":        {number, `true`, form.WrongKind, ""},
		"exponent":                 {number, `1e100000000`, form.BadExponent, "must be a number with fewer digits or a shorter exponent"},
		"longest exponent":         {`{"type":"number"}`, `-1e-99999999`, 0, ""},
		"zero with any exponent":   {number, `0e999999999999999999999`, 0, ""},
		"exponent of many zeros":   {number, `1e-000000000000000000000000000001`, 0, ""},
		"integer":                  {integer, `9007199254740993`, 0, ""},
		"integer a float confuses": {integer, `9007199254740992`, form.TooSmall, "must be at least 9007199254740993"},
		"integer as a decimal":     {`{"type":"integer"}`, `1.0`, 0, ""},
		"integer with an exponent": {`{"type":"integer"}`, `1.5e1`, 0, ""},
		"integer shifted down":     {`{"type":"integer"}`, `10e-1`, 0, ""},
		"integer shifted too far":  {`{"type":"integer"}`, `10e-2`, form.WrongKind, "must be a whole number like 42"},
		"integer with a fraction":  {`{"type":"integer"}`, `1.5`, form.WrongKind, ""},
		"text for an integer":      {`{"type":"integer"}`, `"1"`, form.WrongKind, ""},
		"boolean":                  {`{"type":"boolean"}`, `true`, 0, ""},
		"boolean no":               {`{"type":"boolean"}`, `false`, 0, ""},
		"text for a boolean":       {`{"type":"boolean"}`, `"true"`, form.WrongKind, "must be yes or no"},
		"number for a boolean":     {`{"type":"boolean"}`, `1`, form.WrongKind, ""},
		"choice":                   {colors, `"green"`, 0, ""},
		"choice by escape":         {colors, `"\u0067reen"`, 0, ""},
		"choice in other case":     {colors, `"Green"`, form.NoChoice, "must be one of the choices"},
		"list for a choice":        {colors, `["green"]`, form.NoChoice, ""},
		"choices":                  {several, `["red","blue"]`, 0, ""},
		"choices in any order":     {several, `["blue" , "red"]`, 0, ""},
		"few choices":              {several, `[]`, form.TooFew, "must be at least 1 choice"},
		"many choices":             {several, `["red","green","blue"]`, form.TooMany, "must be at most 2 choices"},
		"choice twice":             {several, `["red","red"]`, form.ChosenTwice, "must not have a choice twice"},
		"no such choice":           {several, `["red","pink"]`, form.NoChoice, "must be some of the choices"},
		"number as a choice":       {several, `[1]`, form.NoChoice, ""},
		"text for choices":         {several, `"red"`, form.WrongKind, "must be some of the choices"},
		"endless list":             {several, `["red"` + strings.Repeat(`,"red"`, maxOptions) + `]`, form.NoChoice, ""},
		"long limit is not told":   {`{"type":"number","minimum":1` + strings.Repeat("0", 50) + `}`, `1`, form.TooSmall, "must be at least what was asked for"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := fieldOf(t, tt.property)
			p := f.Check([]byte(tt.value))
			if p == nil {
				if tt.want != 0 {
					t.Fatalf("accepted, want code %d", tt.want)
				}
				return
			}
			if p.Code != tt.want || p.Property != "p" || tt.says != "" && p.Message.String() != tt.says {
				t.Errorf("got %+v, want code %d, %q", *p, tt.want, tt.says)
			}
		})
	}
}

func TestCheckAnswer(t *testing.T) {
	schema, p := form.Parse([]byte(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"integer"}},"required":["a","b"]}`))
	if p != nil {
		t.Fatal(p)
	}
	tests := map[string]struct {
		content string
		want    string // problems, one a line
	}{
		"all":                   {`{"a":"x","b":true,"c":1}`, ""},
		"in any order":          {`{"b":false,"a":""}`, ""},
		"name by escape":        {`{"\u0061":"x","b":true}`, ""},
		"nothing":               {``, "\"a\" must be filled in\n\"b\" must be filled in\n"},
		"empty":                 {`{}`, "\"a\" must be filled in\n\"b\" must be filled in\n"},
		"null is not missing":   {`{"a":null,"b":true}`, "\"a\" must be text\n"},
		"all problems in order": {`{"c":"x","b":"true"}`, "\"a\" must be filled in\n\"b\" must be yes or no\n\"c\" must be a whole number like 42\n"},
		"not asked for":         {`{"a":"x","d":1,"b":true,"e":2}`, "\"d\" is not part of the question\n\"e\" is not part of the question\n"},
		"other case":            {`{"A":"x","a":"x","b":true}`, "\"A\" is not part of the question\n"},
		"twice":                 {`{"a":"x","b":true,"a":"x"}`, "\"a\" is there more than once\n"},
		"three times":           {`{"a":"x","b":true,"a":"x","a":1}`, "\"a\" is there more than once\n"},
		"twice and wrong":       {`{"a":1,"b":true,"\u0061":"x"}`, "\"a\" is there more than once\n"},
		"name is not Unicode":   {`{"a":"x","b":true,"\ud800":1}`, "is not part of the question\n"},
		"endless name":          {`{"a":"x","b":true,"` + strings.Repeat("n", maxName+1) + `":1}`, "is not part of the question\n"},
		"array":                 {`[]`, "the answer is not a JSON object: expected an object at byte 0\n"},
		"null":                  {`null`, "the answer is not a JSON object: expected an object at byte 0\n"},
		"broken":                {`{"a":"x","b":tru}`, "the answer is not a JSON object: expected a JSON value at byte 13\n"},
		"text behind":           {`{"a":"x","b":true}}`, "the answer is not a JSON object: text after the JSON value at byte 18\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got string
			for _, p := range schema.Check([]byte(tt.content)) {
				got += p.Error() + "\n"
			}
			if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

func TestCheckTellsOfBoundedlyManyProblems(t *testing.T) {
	var b strings.Builder
	for i := range 10 * maxFields {
		b.WriteString(`,"` + strconv.Itoa(i) + `":1`)
	}
	content := "{" + b.String()[1:] + "}"
	if got := len(form.Schema{}.Check([]byte(content))); got != maxFields {
		t.Errorf("got %d problems, want %d", got, maxFields)
	}
}

// What somebody answered may be a secret, and a Problem may be logged.
func TestProblemsNeverTellTheAnswer(t *testing.T) {
	const secret = "s3cr3t"
	for _, property := range []string{
		`{"type":"number"}`, `{"type":"integer"}`, `{"type":"boolean"}`, `{"type":"string","maxLength":1}`, `{"type":"string","format":"email"}`,
		`{"type":"string","format":"uri"}`, `{"type":"string","enum":["a"]}`, `{"type":"array","items":{"enum":["a"]}}`,
	} {
		f := fieldOf(t, property)
		for _, value := range []string{`"` + secret + `"`, `["` + secret + `"]`, `{"` + secret + `":1}`, secret} {
			if p := f.Check([]byte(value)); p == nil || strings.Contains(p.Error(), secret) {
				t.Errorf("%s: Check(%s): got %v", property, value, p)
			}
		}
		if _, p := f.Parse(secret); p == nil || strings.Contains(p.Error(), secret) {
			t.Errorf("%s: Parse: got %v", property, p)
		}
	}
}

// Fields that no Parse made are refused or accepted, never a panic.
func TestFieldsMadeByHand(t *testing.T) {
	for _, f := range []form.Field{
		{}, {Kind: form.List}, {Kind: form.Union}, {Kind: 200}, {Kind: form.String, Format: "?"}, {Kind: form.Number, Minimum: "?", Maximum: "-"}, {Kind: form.Choices},
		{Kind: form.Choice, Options: make([]form.Option, 2*maxOptions)}, {Kind: form.Choices, Options: make([]form.Option, 2*maxOptions), MinItems: -1},
	} {
		s := form.Schema{Fields: []form.Field{f, f}}
		for _, value := range []string{`""`, `1`, `true`, `[]`, `[""]`, `{}`, `null`, `x`, ``} {
			f.Check([]byte(value))
			f.Parse(value)
			s.Check([]byte(`{"":` + value + `}`))
			s.Fill([]byte(`{"":` + value + `}`))
		}
		s.Fill(nil)
	}
	many := form.Field{Kind: form.Choices}
	for i := range 2 * maxOptions {
		many.Options = append(many.Options, form.Option{Value: strconv.Itoa(i)})
	}
	if p := many.Check([]byte(`[2047,2048]`)); p == nil || p.Code != form.NoChoice {
		t.Errorf("a choice that is not there: got %v", p)
	}
	if p := (&form.Field{Kind: form.String, Format: "?"}).Check([]byte(`"?"`)); p == nil || p.Code != form.BadFormat {
		t.Errorf("an unknown format: got %v, want BadFormat", p)
	}
	if p := (&form.Field{}).Check([]byte(`"?"`)); p == nil || p.Code != form.WrongKind {
		t.Errorf("no kind: got %v, want WrongKind", p)
	}
}
