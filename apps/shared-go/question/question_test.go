package question_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/question"
)

// question is elicitation params around a schema's properties.
func params(properties, required string) []byte {
	return []byte(`{"message":"m","requestedSchema":{"type":"object","properties":` + properties + `,"required":` + required + `}}`)
}

func parse(t *testing.T, properties, required string) question.Question {
	t.Helper()
	f, err := question.Parse(params(properties, required))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOrder(t *testing.T) {
	f := parse(t, `{"z":{"type":"string"}, "a" : {"type":"boolean"},
		"m":{"type":"number"}}`, `["m"]`)
	var names []string
	for _, field := range f.Fields {
		names = append(names, field.Name)
	}
	if got := strings.Join(names, " "); got != "z a m" {
		t.Errorf("order: got %q, want %q", got, "z a m")
	}
	if f.Fields[0].Required || !f.Fields[2].Required {
		t.Error("required is not where it belongs")
	}
}

func TestContent(t *testing.T) {
	const (
		colours = `{"c":{"type":"string","enum":["red","green"],"enumNames":["Red!","Green!"]}}`
		titled  = `{"c":{"type":"string","oneOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}],"default":"g"}}`
		several = `{"c":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]},"default":["g"]}}`
		list    = `{"c":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}}`
		lines   = `{"c":{"type":"array","items":{"type":"integer"},"minItems":2}}`
		either  = `{"c":{"anyOf":[{"type":"number"},{"type":"string"}]}}`
	)
	tests := map[string]struct {
		properties, required string
		value                question.Value
		want                 string // or the error
	}{
		"text":                   {`{"c":{"type":"string"}}`, `["c"]`, question.Value{Text: `say "hi" <&>`}, `{"c":"say \"hi\" <&>"}`},
		"text missing":           {`{"c":{"type":"string"}}`, `["c"]`, question.Value{}, "must be filled in"},
		"text left out":          {`{"c":{"type":"string"}}`, `[]`, question.Value{}, `{}`},
		"default as it came":     {`{"c":{"type":"string","default":"\u0061\/b"}}`, `[]`, question.Value{Text: "a/b"}, `{"c":"\u0061\/b"}`},
		"default changed":        {`{"c":{"type":"string","default":"a"}}`, `[]`, question.Value{Text: "b"}, `{"c":"b"}`},
		"default cleared":        {`{"c":{"type":"string","default":"a"}}`, `[]`, question.Value{}, `{}`},
		"integer":                {`{"c":{"type":"integer"}}`, `[]`, question.Value{Text: " 12345678901234567890 "}, `{"c":12345678901234567890}`},
		"integer negative":       {`{"c":{"type":"integer"}}`, `[]`, question.Value{Text: "-1"}, `{"c":-1}`},
		"integer with zero":      {`{"c":{"type":"integer"}}`, `[]`, question.Value{Text: "007"}, "must be a whole number like 42"},
		"integer with fraction":  {`{"c":{"type":"integer"}}`, `[]`, question.Value{Text: "1.0"}, "must be a whole number like 42"},
		"integer default 1.0":    {`{"c":{"type":"integer","default":1.0}}`, `[]`, question.Value{Text: "1.0"}, `{"c":1.0}`},
		"number":                 {`{"c":{"type":"number"}}`, `[]`, question.Value{Text: "1.50"}, `{"c":1.50}`},
		"number with exponent":   {`{"c":{"type":"number"}}`, `[]`, question.Value{Text: "-1E+400"}, `{"c":-1E+400}`},
		"number with comma":      {`{"c":{"type":"number"}}`, `[]`, question.Value{Text: "1,5"}, "must be a number like 42 or 2.5"},
		"number not a number":    {`{"c":{"type":"number"}}`, `[]`, question.Value{Text: "NaN"}, "must be a number like 42 or 2.5"},
		"number missing":         {`{"c":{"type":"number"}}`, `["c"]`, question.Value{Text: " "}, "must be filled in"},
		"no injection by number": {`{"c":{"type":"number"}}`, `[]`, question.Value{Text: `1,"d":2`}, "must be a number like 42 or 2.5"},
		"yes":                    {`{"c":{"type":"boolean"}}`, `[]`, question.Value{Chosen: []int{question.Yes}}, `{"c":true}`},
		"no":                     {`{"c":{"type":"boolean"}}`, `[]`, question.Value{Chosen: []int{question.No}}, `{"c":false}`},
		"neither":                {`{"c":{"type":"boolean"}}`, `[]`, question.Value{}, `{}`},
		"enum with names":        {colours, `[]`, question.Value{Chosen: []int{1}}, `{"c":"green"}`},
		"one of":                 {titled, `["c"]`, question.Value{Chosen: []int{0}}, `{"c":"r"}`},
		"one of, none":           {titled, `["c"]`, question.Value{}, "must be filled in"},
		"some, in order":         {several, `[]`, question.Value{Chosen: []int{1, 0}}, `{"c":["r","g"]}`},
		"some, default unmarked": {several, `[]`, question.Value{}, `{"c":[]}`},
		"a number chosen":        {`{"c":{"enum":[1.0,"1"]}}`, `[]`, question.Value{Chosen: []int{0}}, `{"c":1.0}`},
		"a text chosen":          {`{"c":{"enum":[1.0,"1"]}}`, `[]`, question.Value{Chosen: []int{1}}, `{"c":"1"}`},
		"an act":                 {`{"c":{"const":true}}`, `["c"]`, question.Value{Chosen: []int{0}}, `{"c":true}`},
		"an act, not done":       {`{"c":{"const":true}}`, `["c"]`, question.Value{}, "must be filled in"},
		"nullable, required":     {`{"c":{"anyOf":[{"type":"string"},{"type":"null"}]}}`, `["c"]`, question.Value{}, `{"c":null}`},
		"nullable":               {`{"c":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}}`, `[]`, question.Value{}, `{}`},
		"nullable, cleared":      {`{"c":{"type":["integer","null"],"default":5}}`, `[]`, question.Value{}, `{"c":null}`},
		"empty default":          {`{"c":{"type":"string","default":""}}`, `[]`, question.Value{}, `{}`},
		"steps":                  {`{"c":{"type":"number","multipleOf":0.1}}`, `[]`, question.Value{Text: "0.35"}, "must be a multiple of 0.1"},
		"exclusive":              {`{"c":{"type":"integer","exclusiveMinimum":0}}`, `[]`, question.Value{Text: "0"}, "must be more than 0"},
		"a list":                 {lines, `[]`, question.Value{Text: "1\n\n 2\n"}, `{"c":[1,2]}`},
		"a list, too short":      {lines, `[]`, question.Value{Text: "1"}, "must be at least 2 values"},
		"a list, wrong value":    {lines, `[]`, question.Value{Text: "1\nx"}, "must have values that fit: each must be a whole number like 42"},
		"a list, none":           {lines, `[]`, question.Value{}, `{}`},
		"a type's text":          {either, `["c"]`, question.Value{Type: 2, Text: "007"}, `{"c":"007"}`},
		"a type's number":        {either, `["c"]`, question.Value{Type: 1, Text: "007"}, "must be a number like 42 or 2.5"},
		"a type, no value":       {either, `["c"]`, question.Value{Type: 2}, "must be filled in"},
		"no type":                {either, `["c"]`, question.Value{}, "must be filled in"},
		"no type, optional":      {either, `[]`, question.Value{}, `{}`},
		"a type, left empty":     {either, `[]`, question.Value{Type: 1}, `{}`},
		"two types at once":      {`{"c":{"oneOf":[{"type":"string","maxLength":3},{"type":"string","minLength":2}]}}`, `[]`, question.Value{Type: 1, Text: "abc"}, "must fit only one of the types"},
		"only shown":             {`{"c":{"type":"string","default":"x","readOnly":true}}`, `[]`, question.Value{Text: "x"}, `{}`},
		"some, none":             {list, `[]`, question.Value{}, `{}`},
		"some, none, required":   {list, `["c"]`, question.Value{}, `{"c":[]}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			content, problems := parse(t, tt.properties, tt.required).Content([]question.Value{tt.value})
			got := string(content)
			if problems != nil {
				got = strings.TrimPrefix(problems[0].Text, "c ")
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestPreset(t *testing.T) {
	tests := map[string]struct {
		property string
		want     question.Value
	}{
		"text":           {`{"type":"string","default":"a\nb"}`, question.Value{Text: "a\nb"}},
		"number as text": {`{"type":"number","default":1.50}`, question.Value{Text: "1.50"}},
		"boolean":        {`{"type":"boolean","default":false}`, question.Value{Chosen: []int{question.No}}},
		"choice":         {`{"type":"string","enum":["a","b"],"default":"\u0062"}`, question.Value{Chosen: []int{1}}},
		"choices":        {`{"type":"array","items":{"type":"string","enum":["a","b"]},"default":["b"]}`, question.Value{Chosen: []int{1}}},
		"null or text":   {`{"type":["string","null"],"default":"a"}`, question.Value{Text: "a"}},
		"number chosen":  {`{"enum":[2,1],"default":1.0}`, question.Value{Chosen: []int{1}}},
		"list":           {`{"type":"array","items":{"type":"string"},"default":["a","b"]}`, question.Value{Text: "a\nb"}},
		"no lines":       {`{"type":"array","items":{"type":"string"},"default":["","a\nb"]}`, question.Value{}},
		"a type's text":  {`{"anyOf":[{"type":"number"},{"type":"string"}],"default":"7"}`, question.Value{Type: 2, Text: "7"}},
		"of other type":  {`{"type":"integer","default":"7"}`, question.Value{}},
		"no such choice": {`{"type":"string","enum":["a"],"default":"b"}`, question.Value{}},
		"null":           {`{"type":"boolean","default":null}`, question.Value{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, `[]`)
			if got := question.Preset(&f.Fields[0]); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestParseErrors has what the engine would not let through.
func TestParseErrors(t *testing.T) {
	tests := map[string]struct{ params, want string }{
		"no object": {`{"message":"m","requestedSchema":7}`, "the schema"},
		"an object": {string(params(`{"c":{"type":"object"}}`, `[]`)), `"c" is an object, which a form cannot show`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := question.Parse([]byte(tt.params))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestProblems tells of every field that is wrong.
func TestProblems(t *testing.T) {
	q := parse(t, `{"a":{"type":"integer","title":"A\u001b"},"b":{"type":"string"},"c":{"type":"string","enum":["x"]}}`, `["c"]`)
	content, problems := q.Content([]question.Value{{Text: "x"}, {Text: "y"}, {}})
	want := []question.Problem{{0, "A␛ must be a whole number like 42"}, {2, "c must be filled in"}}
	if content != nil || !reflect.DeepEqual(problems, want) {
		t.Errorf("got %s, %+v; want %+v", content, problems, want)
	}
}

// TestEarlier fills a form in with what was answered before, where that fits.
func TestEarlier(t *testing.T) {
	tests := map[string]struct {
		property, content string
		want              question.Value
	}{
		"nothing before": {`{"type":"string","default":"a"}`, ``, question.Value{Text: "a"}},
		"text":           {`{"type":"string","default":"a"}`, `{"c":"b"}`, question.Value{Text: "b"}},
		"left out":       {`{"type":"string","default":"a"}`, `{}`, question.Value{}},
		"number":         {`{"type":"integer"}`, `{"c":7}`, question.Value{Text: "7"}},
		"does not fit":   {`{"type":"integer","default":1}`, `{"c":"7"}`, question.Value{Text: "1"}},
		"choice":         {`{"type":"string","enum":["a","b"]}`, `{"c":"b"}`, question.Value{Chosen: []int{1}}},
		"other letters":  {`{"type":"string"}`, `{"C":"b"}`, question.Value{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, `[]`)
			var content []byte
			if tt.content != "" {
				content = []byte(tt.content)
			}
			if got := question.Earlier(&f.Fields[0], content); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
