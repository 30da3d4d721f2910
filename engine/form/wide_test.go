package form_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

// What SDKs make beyond the specification's subset, as a host shows it.
func TestParseWide(t *testing.T) {
	sizes := []form.Option{{`"s"`, "s"}, {`"m"`, "m"}}
	defs := `,"$defs":{"Size":{"type":"string","enum":["s","m"],"title":"Size","description":"Of a shirt"},"Null":{"type":"null"}}`
	tests := map[string]struct {
		property string
		want     form.Field // without Name; no Title is the name
	}{
		"optional of pydantic":       {`{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null,"title":"Age"}`, form.Field{Kind: form.Integer, Title: "Age", Nullable: true, Minimum: "1"}},
		"pointer of Go":              {`{"type":["null","integer"]}`, form.Field{Kind: form.Integer, Nullable: true}},
		"nullable":                   {`{"type":"boolean","nullable":true}`, form.Field{Kind: form.Boolean, Nullable: true}},
		"default of an optional":     {`{"type":["string","null"],"default":"x"}`, form.Field{Kind: form.String, Nullable: true, Default: `"x"`}},
		"null in an enum":            {`{"enum":["s","m",null]}`, form.Field{Kind: form.Choice, Nullable: true, Options: sizes}},
		"null that the type refuses": {`{"type":"string","enum":["s","m",null]}`, form.Field{Kind: form.Choice, Options: sizes}},
		"reference":                  {`{"$ref":"#/$defs/Size"}`, form.Field{Kind: form.Choice, Title: "Size", Description: "Of a shirt", Options: sizes}},
		"reference with a title":     {`{"$ref":"#/$defs/Size","title":"Shirt"}`, form.Field{Kind: form.Choice, Title: "Shirt", Description: "Of a shirt", Options: sizes}},
		"optional reference":         {`{"anyOf":[{"$ref":"#/$defs/Size"},{"$ref":"#/$defs/Null"}]}`, form.Field{Kind: form.Choice, Nullable: true, Options: sizes}},
		"allOf with a reference":     {`{"allOf":[{"$ref":"#/$defs/Size"}],"title":"Shirt"}`, form.Field{Kind: form.Choice, Title: "Shirt", Description: "Of a shirt", Options: sizes}},
		"const and enum":             {`{"const":"s","enum":["s"],"type":"string"}`, form.Field{Kind: form.Choice, Options: sizes[:1]}},
		"const true":                 {`{"type":"boolean","const":true}`, form.Field{Kind: form.Choice, Options: []form.Option{{"true", "true"}}}},
		"numbers":                    {`{"type":"integer","enum":[1,2.0,2,1.5]}`, form.Field{Kind: form.Choice, Options: []form.Option{{"1", "1"}, {"2.0", "2.0"}}}},
		"a number beside its text":   {`{"enum":["1",1]}`, form.Field{Kind: form.Choice, Options: []form.Option{{`"1"`, `"1"`}, {"1", "1"}}}},
		"default by value":           {`{"enum":[1,2],"default":2.0}`, form.Field{Kind: form.Choice, Options: []form.Option{{"1", "1"}, {"2", "2"}}, Default: "2"}},
		"names of older servers":     {`{"type":"string","enum":["s","s","m"],"enumNames":["Small","Smaller","Medium"]}`, form.Field{Kind: form.Choice, Options: sizes}},
		"some of numbers":            {`{"type":"array","items":{"enum":[1,2]}}`, form.Field{Kind: form.Choices, Options: []form.Option{{"1", "1"}, {"2", "2"}}}},
		"list": {`{"type":"array","items":{"type":"string","format":"date","pattern":"^2"},"minItems":1,"uniqueItems":true,"default":["2026-01-01"]}`, form.Field{
			Kind: form.List, MinItems: 1, UniqueItems: true, Default: `["2026-01-01"]`, Items: &form.Field{Name: "p", Title: "p", Kind: form.String, Format: form.Date}, Unchecked: []form.Unchecked{{"pattern", "^2"}},
		}},
		"decimal of pydantic": {`{"anyOf":[{"type":"number"},{"type":"string","pattern":"^1"}],"title":"Price","default":1.5}`, form.Field{Kind: form.Union, Title: "Price", Default: "1.5", Alternatives: []form.Field{
			{Name: "p", Title: "Price", Kind: form.Number}, {Name: "p", Title: "Price", Kind: form.String, Unchecked: []form.Unchecked{{"pattern", "^1"}}},
		}}},
		"types with titles": {`{"anyOf":[{"type":"string","title":"By name"},{"type":"string","title":"By address"}],"title":"Host"}`, form.Field{Kind: form.Union, Title: "Host", Alternatives: []form.Field{
			{Name: "p", Title: "By name", Kind: form.String}, {Name: "p", Title: "By address", Kind: form.String},
		}}},
		"choices or text": {`{"anyOf":[{"const":"s"},{"const":"m"},{"type":"string"},{"type":"null"}]}`, form.Field{Kind: form.Union, Nullable: true, Alternatives: []form.Field{
			{Name: "p", Title: "p", Kind: form.String, Nullable: true}, {Name: "p", Title: "p", Kind: form.Choice, Options: sizes, Nullable: true},
		}}},
		"bounds beside a union": {`{"anyOf":[{"type":"integer"},{"type":"string"}],"minimum":1}`, form.Field{Kind: form.Union, Unchecked: []form.Unchecked{{"minimum", ""}}, Alternatives: []form.Field{
			{Name: "p", Title: "p", Kind: form.Integer}, {Name: "p", Title: "p", Kind: form.String},
		}}},
		"bounds":                {`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":9,"multipleOf":0.5}`, form.Field{Kind: form.Number, ExclusiveMinimum: "0", ExclusiveMaximum: "9", MultipleOf: "0.5"}},
		"bounds of draft 4":     {`{"exclusiveMinimum":true,"type":"number","minimum":0,"maximum":5,"exclusiveMaximum":false}`, form.Field{Kind: form.Number, Minimum: "0", ExclusiveMinimum: "0", Maximum: "5"}},
		"narrower bounds":       {`{"type":"integer","minimum":1,"maximum":9,"allOf":[{"minimum":3,"maximum":20}]}`, form.Field{Kind: form.Integer, Minimum: "3", Maximum: "9"}},
		"bounds of other kinds": {`{"type":"boolean","minLength":3,"minimum":1,"minItems":2,"format":"date"}`, form.Field{Kind: form.Boolean}},
		"not checked":           {`{"type":"string","pattern":"^a","format":"uuid","contentEncoding":"base64","contentMediaType":"image/png","contentSchema":{},"not":{},"if":{}}`, form.Field{Kind: form.String, Unchecked: []form.Unchecked{{"format", "uuid"}, {"pattern", "^a"}, {"contentEncoding", "base64"}, {"contentMediaType", "image/png"}, {"contentSchema", ""}, {"not", ""}, {"if", ""}}}},
		"display":               {`{"type":"string","examples":["a",1,null,"b"],"deprecated":true,"readOnly":true,"default":"x"}`, form.Field{Kind: form.String, Deprecated: true, ReadOnly: true, Default: `"x"`, Examples: []string{`"a"`, "1", "null"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.want.Name = "p"
			if tt.want.Title == "" {
				tt.want.Title = "p"
			}
			s, p := form.Parse([]byte(`{"properties":{"p":` + tt.property + `}` + defs + `}`))
			if p != nil {
				t.Fatal(p)
			}
			if got := s.Fields[0]; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseWideRefuses(t *testing.T) {
	for property, want := range map[string]string{
		`{}`: "no type", `true`: "no type", `false`: "allows no answer", `{"type":"null"}`: "no type", `{"type":"object"}`: "is an object", `{"type":"array"}`: "is a list of anything",
		`{"type":"array","items":{}}`: "no type", `{"type":"array","items":{"type":"boolean"}}`: "is a list of values", `{"type":"array","items":{"type":["string","integer"]}}`: "is a list of values",
		`{"anyOf":[{"type":"object"},{"type":"null"}]}`: "is an object", `{"anyOf":[]}`: "has no list of choices", `{"enum":[{}]}`: "has a choice that is neither", `{"enum":[]}`: "has no list of choices",
		`{"enum":[null]}`: "has no choice", `{"type":"string","enum":[1]}`: "has no choice", `{"type":"string","format":"password"}`: "asks for a secret",
		`{"anyOf":[{"type":"string","format":"password"},{"type":"null"}]}`: "asks for a secret", `{"anyOf":[{"type":"string","writeOnly":true},{"type":"integer"}]}`: "asks for a secret",
		`{"$ref":"#"}`: "is an object", `{"$ref":"#foo"}`: "is not there", `{"$ref":"#/$defs/~2"}`: "is not there", `{"$ref":"#/$defs/%zz"}`: "is not there", `{"$ref":"other.json#/a"}`: "outside of the form",
		`{"type":"number","multipleOf":0}`: "not a number above 0", `{"type":"number","multipleOf":-1}`: "not a number above 0", `{"type":"number","exclusiveMinimum":3,"maximum":3}`: "leaves nothing",
		`{"type":"array","items":{"type":"string"},"minItems":3,"maxItems":2}`: "leaves nothing", `{"type":"array","prefixItems":[{"type":"string"}]}`: "prefixItems",
	} {
		_, p := form.Parse([]byte(schemaOf(property)))
		if p == nil || !strings.Contains(p.Message.String(), want) {
			t.Errorf("%s: got %v, want %q", property, p, want)
		}
	}
}
