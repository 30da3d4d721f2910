package question_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/question"
)

func TestDescriptions(t *testing.T) {
	f := parse(t, `{
		"name":{"type":"string","title":"Your name","format":"email"},
		"size":{"type":"integer"},
		"ok":{"type":"boolean"},
		"pace":{"type":"string","oneOf":[{"const":"a","title":"Slow"},{"const":"b"}]},
		"tags":{"type":"array","items":{"enum":["x","y"]}},
		"sure":{"enum":[true,1,"1",null]},
		"list":{"type":"array","items":{"type":"integer"}},
		"cost":{"anyOf":[{"type":"number"},{"type":"string"}]},
		"id":{"type":"string","default":"A\u001b1","readOnly":true}}`, `["size","cost"]`)
	want := `{"name": <email, optional>, "size": <integer>, "ok": <true or false, optional>, "pace": <"a" or "b", optional>, "tags": <list of "x", "y", optional>, ` +
		`"sure": <true or 1 or "1" or null, optional>, "list": <list of integer, optional>, "cost": <number or text>}`
	if got := f.Skeleton(); got != want {
		t.Errorf("skeleton: got %s, want %s", got, want)
	}
	entries := f.Entries([]byte(`{"name":"é","size":1.0,"ok":true,"pace":"a","tags":["y","z"],"sure":true,"list":[1,2],"cost":"7","more":{"a":1}}`))
	wanted := []question.Entry{{"Your name", "é"}, {"size", "1.0"}, {"ok", "yes"}, {"pace", "Slow"}, {"tags", "y, z"}, {"sure", "yes"}, {"list", "1, 2"}, {"cost", "7"}, {"more", `{"a":1}`}}
	if !reflect.DeepEqual(entries, wanted) {
		t.Errorf("entries: got %q, want %q", entries, wanted)
	}
	entries = f.Entries([]byte(`{"sure":null,"list":[]}`))
	if wanted := []question.Entry{{"sure", "(left empty)"}, {"list", "none"}}; !reflect.DeepEqual(entries, wanted) {
		t.Errorf("empty entries: got %q, want %q", entries, wanted)
	}
	if got, want := f.Shown(), []question.Entry{{"id", "A\x1b1"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("shown: got %q, want %q", got, want)
	}
	if got := f.Asked(); len(got.Fields) != len(f.Fields)-1 {
		t.Errorf("asked: got %d fields of %d", len(got.Fields), len(f.Fields))
	}
}

// TestHints says what goes into a field, and tells its options apart.
func TestHints(t *testing.T) {
	tests := map[string]struct{ property, hints, labels string }{
		"text":       {`{"type":"string"}`, "", ""},
		"bounded":    {`{"type":"string","minLength":1,"maxLength":9}`, "1 to 9 characters", ""},
		"format":     {`{"type":"string","format":"date","maxLength":10}`, "a date, such as 2026-07-28, at most 10 characters", ""},
		"integer":    {`{"type":"integer","minimum":-3}`, "a whole number, at least -3", ""},
		"number":     {`{"type":"number"}`, "a number", ""},
		"exclusive":  {`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5}`, "a number, more than 0, less than 1.5", ""},
		"steps":      {`{"type":"integer","minimum":0,"multipleOf":5}`, "a whole number, at least 0, a multiple of 5", ""},
		"boolean":    {`{"type":"boolean"}`, "", ""},
		"nullable":   {`{"type":["integer","null"]}`, "may be left empty · a whole number", ""},
		"deprecated": {`{"type":"string","deprecated":true}`, "deprecated", ""},
		"examples":   {`{"type":"string","examples":["a","b\"c",["d"]]}`, `such as “a”, “b\"c”, “[\"d\"]”`, ""},
		"numbers":    {`{"type":"integer","examples":[5,10]}`, "a whole number · such as 5, 10", ""},
		"choices":    {`{"type":"array","items":{"enum":["a","b"]},"minItems":1,"maxItems":2}`, "1 to 2 of them", "a, b"},
		"list":       {`{"type":"array","items":{"type":"integer","minimum":1},"minItems":2,"uniqueItems":true}`, "a list of values, each a whole number, at least 1, at least 2 of them, none of them twice", ""},

		"pattern":       {`{"type":"string","pattern":"^[A-Z]+$"}`, "the pattern “^[A-Z]+$”", ""},
		"format's name": {`{"type":"string","format":"uuid","contentEncoding":"base64"}`, "the format “uuid” · in the encoding “base64”", ""},
		"known format":  {`{"type":"string","format":"email","pattern":"@"}`, "an e-mail address", ""},
		"more":          {`{"type":"string","not":{"const":"x"},"if":{},"then":{}}`, "the server checks more: not, if", ""},
		"more, each":    {`{"type":"array","items":{"type":"string","pattern":"a"},"contains":{"const":"a"}}`, "a list of values · the server checks more: contains · the pattern “a”", ""},

		"numbers to choose": {`{"enum":[1,2.50]}`, "", "1, 2.50"},
		"mixed":             {`{"enum":[1,"1",true,"true",false]}`, "", `1, "1", yes, "true", no`},
		"an act":            {`{"const":true}`, "", "yes"},
		"titled act":        {`{"const":true,"oneOf":[{"const":true,"title":"I agree"}]}`, "", "I agree"},
		"yes is taken":      {`{"enum":[true,"yes"]}`, "", `yes (true), yes ("yes")`},
		"one name":          {`{"type":"string","oneOf":[{"const":"a","title":"X"},{"const":"b","title":"X"},{"const":"c","title":"Y"}]}`, "", `X ("a"), X ("b"), Y`},
		"look-alike":        {`{"type":"string","oneOf":[{"const":"a\u001b","title":"X"},{"const":"a␛","title":"X"}]}`, "", `X ("a\u001b"), X ("a␛")`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, `["c"]`).Fields[0]
			if got := strings.Join(question.Hints(&f), " · "); got != tt.hints {
				t.Errorf("hints: got %q, want %q", got, tt.hints)
			}
			if got := strings.Join(question.Labels(&f), ", "); got != tt.labels {
				t.Errorf("labels: got %q, want %q", got, tt.labels)
			}
		})
	}
}

// TestHostileHints has hints that try to end their quotes, to turn the writing or
// to be longer than all around them.
func TestHostileHints(t *testing.T) {
	tests := map[string]struct{ pattern, want string }{
		"quotes":       {`x” · checked by Parley. “y`, "the pattern “x<U+201D> · checked by Parley. <U+201C>y”"},
		"other quotes": {`x\", and Parley trusts it`, `the pattern “x\", and Parley trusts it”`},
		"controls":     {`a\u001b[2J\u202eb\n`, "the pattern “a␛[2J<U+202E>b␤”"},
		"long":         {strings.Repeat("x", 5000), "the pattern “" + strings.Repeat("x", 40) + "… (4960 more bytes)”"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":{"type":"string","pattern":"`+tt.pattern+`"}}`, `["c"]`).Fields[0]
			if got := strings.Join(question.Hints(&f), " · "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestTypes tells the types of a value apart.
func TestTypes(t *testing.T) {
	tests := map[string]struct{ property, want string }{
		"kinds":     {`{"anyOf":[{"type":"number"},{"type":"string"},{"type":"boolean"}]}`, "a number, text, yes or no"},
		"a value":   {`{"anyOf":[{"type":"integer"},{"const":"auto"}]}`, "a whole number, “auto”"},
		"described": {`{"anyOf":[{"type":"string","description":"a code"},{"type":"string","description":"a name"}]}`, "text (“a code”), text (“a name”)"},
		"bounds":    {`{"anyOf":[{"type":"string","maxLength":3},{"type":"string","minLength":9}]}`, "text (at most 3 characters), text (at least 9 characters)"},
		"patterns":  {`{"anyOf":[{"type":"string","pattern":"a"},{"type":"string","pattern":"b"}]}`, "text (the pattern “a”), text (the pattern “b”)"},
		"titles":    {`{"anyOf":[{"type":"string","title":"A"},{"type":"string","title":"B"}]}`, "text (“A”), text (“B”)"},
		"all alike": {`{"anyOf":[{"type":"string","title":"A"},{"type":"string","title":"A"}],"title":"A"}`, "text, text #2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, `["c"]`).Fields[0]
			if got := strings.Join(question.Types(&f), ", "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestNothing says what comes of a field that is left empty.
func TestNothing(t *testing.T) {
	tests := map[string]struct{ property, required, want string }{
		"optional":           {`{"type":"string"}`, `[]`, "(left out)"},
		"required":           {`{"type":"string"}`, `["c"]`, "(left out)"},
		"default":            {`{"type":"string","default":"x"}`, `[]`, "(left out: the server may use its default)"},
		"default, nullable":  {`{"type":["string","null"],"default":"x"}`, `[]`, "(left empty)"},
		"required, nullable": {`{"type":["string","null"]}`, `["c"]`, "(left empty)"},
		"a choice of none":   {`{"oneOf":[{"const":"","title":"No\u202e"},{"const":"a"}]}`, `["c"]`, "No<U+202E>"},
		"list with default":  {`{"type":"array","items":{"type":"string"},"default":["x"]}`, `[]`, "none"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := parse(t, `{"c":`+tt.property+`}`, tt.required).Fields[0]
			if got := question.Nothing(&f); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
