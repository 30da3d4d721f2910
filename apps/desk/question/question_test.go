package question_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/desk/question"
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
	)
	tests := map[string]struct {
		properties, required string
		value                question.Value
		want                 string // or the error
	}{
		"text":                   {`{"c":{"type":"string"}}`, `["c"]`, question.Value{Text: `say "hi" <&>`}, `{"c":"say \"hi\" <&>"}`},
		"text missing":           {`{"c":{"type":"string"}}`, `["c"]`, question.Value{}, `{"c":""}`},
		"text left out":          {`{"c":{"type":"string"}}`, `[]`, question.Value{}, `{}`},
		"default as it came":     {`{"c":{"type":"string","default":"\u0061\/b"}}`, `[]`, question.Value{Text: "a/b"}, `{"c":"\u0061\/b"}`},
		"default changed":        {`{"c":{"type":"string","default":"a"}}`, `[]`, question.Value{Text: "b"}, `{"c":"b"}`},
		"default cleared":        {`{"c":{"type":"string","default":"a"}}`, `[]`, question.Value{}, `{"c":""}`},
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
		"no schema": {`{"message":"m","requestedschema":{"type":"object","properties":{}}}`, "the schema is not a JSON object"},
		"an object": {string(params(`{"c":{"type":"object"}}`, `[]`)), `"c" has no type that a form can ask for`},
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

func TestDescriptions(t *testing.T) {
	f := parse(t, `{
		"name":{"type":"string","title":"Your name","format":"email"},
		"size":{"type":"integer"},
		"ok":{"type":"boolean"},
		"pace":{"type":"string","oneOf":[{"const":"a","title":"Slow"},{"const":"b"}]},
		"tags":{"type":"array","items":{"enum":["x","y"]}}}`, `["size"]`)
	want := `{"name": <email, optional>, "size": <integer>, "ok": <true or false, optional>, "pace": <"a" or "b", optional>, "tags": <list of "x", "y", optional>}`
	if got := f.Skeleton(); got != want {
		t.Errorf("skeleton: got %s, want %s", got, want)
	}
	entries := f.Entries([]byte(`{"name":"é","size":1.0,"ok":true,"pace":"a","tags":["y","z"],"more":{"a":1}}`))
	wanted := []question.Entry{{"Your name", "é"}, {"size", "1.0"}, {"ok", "yes"}, {"pace", "Slow"}, {"tags", "y, z"}, {"more", `{"a":1}`}}
	if !reflect.DeepEqual(entries, wanted) {
		t.Errorf("entries: got %q, want %q", entries, wanted)
	}
}

// TestWords says what goes into a field, and tells its options apart.
func TestWords(t *testing.T) {
	tests := map[string]struct{ property, hint, labels string }{
		"text":       {`{"type":"string"}`, "", ""},
		"bounded":    {`{"type":"string","minLength":1,"maxLength":9}`, "1 to 9 characters", ""},
		"format":     {`{"type":"string","format":"date","maxLength":10}`, "a date, such as 2026-07-28, at most 10 characters", ""},
		"integer":    {`{"type":"integer","minimum":-3}`, "a whole number, at least -3", ""},
		"number":     {`{"type":"number"}`, "a number", ""},
		"boolean":    {`{"type":"boolean"}`, "", ""},
		"choices":    {`{"type":"array","items":{"enum":["a","b"]},"minItems":1,"maxItems":2}`, "1 to 2 of them", "a, b"},
		"one name":   {`{"type":"string","oneOf":[{"const":"a","title":"X"},{"const":"b","title":"X"},{"const":"c","title":"Y"}]}`, "", "X (a), X (b), Y"},
		"look-alike": {`{"type":"string","oneOf":[{"const":"a\u001b","title":"X"},{"const":"a␛","title":"X"}]}`, "", "X (a␛), X (a␛) #2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, `[]`).Fields[0]
			if got := question.Hint(&f); got != tt.hint {
				t.Errorf("hint: got %q, want %q", got, tt.hint)
			}
			if got := strings.Join(question.Labels(&f), ", "); got != tt.labels {
				t.Errorf("labels: got %q, want %q", got, tt.labels)
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
