package form_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine/form"
)

// The bounds that Parse's documentation gives.
const (
	maxFields  = 128
	maxOptions = 1024
	maxName    = 256
)

// schemaOf is a schema with one property called p.
func schemaOf(property string) string {
	return `{"type":"object","properties":{"p":` + property + `}}`
}

func fieldOf(t *testing.T, property string) form.Field {
	t.Helper()
	s, p := form.Parse([]byte(schemaOf(property)))
	if p != nil {
		t.Fatalf("Parse(%s): %v", property, p)
	}
	return s.Fields[0]
}

// The examples of client/elicitation, Requested Schema, and what else a field
// may be.
func TestParseField(t *testing.T) {
	colors := []form.Option{{`"#FF0000"`, "Red"}, {`"#00FF00"`, "Green"}}
	plain := []form.Option{{`"Red"`, "Red"}, {`"Green"`, "Green"}}
	tests := map[string]struct {
		property string
		want     form.Field // without Name; no Title is the name
	}{
		"string": {
			`{"type":"string","title":"Display Name","description":"Description text","minLength":3,"maxLength":50,"format":"email","default":"user@example.com"}`,
			form.Field{Kind: form.String, Title: "Display Name", Description: "Description text", MinLength: 3, MaxLength: 50, Format: form.Email, Default: `"user@example.com"`},
		},
		"number": {
			`{"type":"number","title":"Display Name","description":"Description text","minimum":0,"maximum":100,"default":50}`,
			form.Field{Kind: form.Number, Title: "Display Name", Description: "Description text", Minimum: "0", Maximum: "100", Default: "50"},
		},
		"integer":  {`{"type":"integer"}`, form.Field{Kind: form.Integer}},
		"boolean":  {`{"type":"boolean","default":false}`, form.Field{Kind: form.Boolean, Default: "false"}},
		"uri":      {`{"type":"string","format":"uri"}`, form.Field{Kind: form.String, Format: form.URI}},
		"date":     {`{"type":"string","format":"date"}`, form.Field{Kind: form.String, Format: form.Date}},
		"datetime": {`{"type":"string","format":"date-time"}`, form.Field{Kind: form.String, Format: form.DateTime}},
		"choice":   {`{"type":"string","enum":["Red","Green"],"default":"Red"}`, form.Field{Kind: form.Choice, Options: plain, Default: `"Red"`}},
		"titled choice": {
			`{"type":"string","oneOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}],"default":"#FF0000"}`,
			form.Field{Kind: form.Choice, Options: colors, Default: `"#FF0000"`},
		},
		"legacy choice": {
			`{"enumNames":["Red","Green"],"type":"string","enum":["#FF0000","#00FF00"]}`,
			form.Field{Kind: form.Choice, Options: colors},
		},
		"choice twice": {
			`{"type":"string","enum":["Red","Green","R\u0065d"]}`,
			form.Field{Kind: form.Choice, Options: plain},
		},
		"choices": {
			`{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["Red","Green"]},"default":["Red","Green"]}`,
			form.Field{Kind: form.Choices, Options: plain, MinItems: 1, MaxItems: 2, Default: `["Red","Green"]`},
		},
		"titled choices": {
			`{"type":"array","items":{"anyOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}]},"default":[]}`,
			form.Field{Kind: form.Choices, Options: colors, Default: `[]`},
		},
		"anyOf for oneOf": {
			`{"type":"string","anyOf":[{"const":"#FF0000","title":"Red"},{"const":"#00FF00","title":"Green"}]}`,
			form.Field{Kind: form.Choice, Options: colors},
		},
		"oneOf for anyOf": {
			`{"type":"array","items":{"type":"string","oneOf":[{"const":"#FF0000","title":"Red"},{"type":"string","const":"#00FF00","title":"Green"}]}}`,
			form.Field{Kind: form.Choices, Options: colors},
		},
		"choice without title":        {`{"type":"string","oneOf":[{"const":"Red"},{"const":"Green","title":""}]}`, form.Field{Kind: form.Choice, Options: plain}},
		"empty choice":                {`{"type":"string","enum":[""]}`, form.Field{Kind: form.Choice, Options: []form.Option{{`""`, ""}}}},
		"type last":                   {`{"default":"Red","enum":["Red","Green"],"type":"string"}`, form.Field{Kind: form.Choice, Options: plain, Default: `"Red"`}},
		"default first":               {`{"default":3,"maximum":3,"type":"integer"}`, form.Field{Kind: form.Integer, Maximum: "3", Default: "3"}},
		"escapes":                     {`{"\u0074ype":"s\u0074ring","title":"A\tB \ud83d\ude00","default":"\u0041"}`, form.Field{Kind: form.String, Title: "A\tB 😀", Default: `"\u0041"`}},
		"white space":                 {" { \"type\" : \"number\" , \"minimum\" : -1.50e2 } ", form.Field{Kind: form.Number, Minimum: "-1.50e2"}},
		"length as a decimal":         {`{"type":"string","minLength":3.0,"maxLength":0.5e1}`, form.Field{Kind: form.String, MinLength: 3, MaxLength: 5}},
		"length beyond reason":        {`{"type":"string","maxLength":9007199254740991}`, form.Field{Kind: form.String, MaxLength: 1 << 30}},
		"length of nine digits":       {`{"type":"string","maxLength":123456789}`, form.Field{Kind: form.String, MaxLength: 123456789}},
		"one length":                  {`{"type":"string","minLength":2,"maxLength":2}`, form.Field{Kind: form.String, MinLength: 2, MaxLength: 2}},
		"one number":                  {`{"type":"number","minimum":2,"maximum":2.0}`, form.Field{Kind: form.Number, Minimum: "2", Maximum: "2.0"}},
		"all the choices":             {`{"type":"array","items":{"enum":["Red","Green"]},"minItems":2,"maxItems":2}`, form.Field{Kind: form.Choices, Options: plain, MinItems: 2, MaxItems: 2}},
		"no minLength is 0":           {`{"type":"string","minLength":0}`, form.Field{Kind: form.String}},
		"empty title":                 {`{"type":"string","title":""}`, form.Field{Kind: form.String}},
		"unknown keywords":            {`{"type":"string","$comment":"?","examples":["a"],"x-order":1,"deprecated":false,"placeholder":"?"}`, form.Field{Kind: form.String, Examples: []string{`"a"`}}},
		"what the form honors anyway": {`{"type":"array","items":{"enum":["Red","Green"]},"uniqueItems":true,"additionalProperties":{}}`, form.Field{Kind: form.Choices, Options: plain}},

		// Null is as good as absent.
		"nulls": {`{"type":"number","title":null,"description":null,"minimum":null,"maximum":null,"enum":null,"pattern":null}`, form.Field{Kind: form.Number}},

		// A default that breaks its own schema is left out.
		"default of another kind":     {`{"type":"boolean","default":"false"}`, form.Field{Kind: form.Boolean}},
		"default null":                {`{"type":"string","default":null}`, form.Field{Kind: form.String}},
		"default too short":           {`{"type":"string","minLength":1,"default":""}`, form.Field{Kind: form.String, MinLength: 1}},
		"default not in the format":   {`{"type":"string","format":"email","default":"me"}`, form.Field{Kind: form.String, Format: form.Email}},
		"default not whole":           {`{"type":"integer","default":1.5}`, form.Field{Kind: form.Integer}},
		"default no choice":           {`{"type":"string","enum":["Red","Green"],"default":"red"}`, form.Field{Kind: form.Choice, Options: plain}},
		"default with no such choice": {`{"type":"array","items":{"enum":["Red","Green"]},"default":["Red","Blue"]}`, form.Field{Kind: form.Choices, Options: plain}},
		"default chosen twice":        {`{"type":"array","items":{"enum":["Red","Green"]},"default":["Red","Red"]}`, form.Field{Kind: form.Choices, Options: plain}},
		"default not Unicode":         {`{"type":"string","default":"\ud800"}`, form.Field{Kind: form.String}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.want.Name = "p"
			if tt.want.Title == "" {
				tt.want.Title = "p"
			}
			if got := fieldOf(t, tt.property); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseSchema(t *testing.T) {
	tests := map[string]struct {
		schema string
		want   string // names in order, * after the required
	}{
		"order of the text":     {`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"number"}}}`, "b a"},
		"required":              {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`, "a b*"},
		"required first":        {`{"required":["a"],"properties":{"a":{"type":"string"}},"type":"object"}`, "a*"},
		"required by escape":    {`{"type":"object","properties":{"a":{"type":"string"}},"required":["\u0061"]}`, "a*"},
		"nothing required":      {`{"type":"object","properties":{"a":{"type":"string"}},"required":[]}`, "a"},
		"consent only":          {`{"type":"object","properties":{}}`, ""},
		"annotations":           {`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","description":"D","default":{},"$id":"x","type":"object","properties":{"a":{"type":"string"}}}`, "a"},
		"additionalProperties":  {`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, "a"},
		"definitions not used":  {`{"type":"object","properties":{"a":{"type":"string"}},"$defs":{"x":{"pattern":"x"}}}`, "a"},
		"empty name":            {`{"type":"object","properties":{"":{"type":"string"}},"required":[""]}`, "*"},
		"prototype as a name":   {`{"type":"object","properties":{"__proto__":{"type":"string"}}}`, "__proto__"},
		"names differ in case":  {`{"type":"object","properties":{"a":{"type":"string"},"A":{"type":"string"}}}`, "a A"},
		"name of a keyword":     {`{"type":"object","properties":{"pattern":{"type":"string"}}}`, "pattern"},
		"white space around it": {"\n{\"type\":\"object\",\"properties\":{ \"a\" : {\"type\":\"string\"} } }\t", "a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, p := form.Parse([]byte(tt.schema))
			if p != nil {
				t.Fatal(p)
			}
			var names []string
			for _, f := range s.Fields {
				if f.Required {
					f.Name += "*"
				}
				names = append(names, f.Name)
			}
			if got := strings.Join(names, " "); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestParseStrict(t *testing.T) {
	many := func(n int, each string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(each, "#", strconv.Itoa(i)))
		}
		return b.String()
	}
	long := strings.Repeat("x", maxName+1)
	tests := map[string]struct {
		schema   string
		code     form.Code
		property string
		says     string
	}{
		"not JSON":                 {`{`, form.Malformed, "", "the schema is not a JSON object"},
		"nothing":                  {``, form.Malformed, "", "the schema is not a JSON object"},
		"text behind":              {`{"type":"object","properties":{}} x`, form.Malformed, "", "the schema is not a JSON object"},
		"array":                    {`[]`, form.Malformed, "", "the schema is not a JSON object"},
		"no type":                  {`{"properties":{}}`, form.Unsupported, "", `the schema is not of type "object"`},
		"other type":               {`{"type":"string","properties":{}}`, form.Unsupported, "", `the schema is not of type "object"`},
		"list of types":            {`{"type":["object"],"properties":{}}`, form.Unsupported, "", "the schema has several types"},
		"no properties":            {`{"type":"object"}`, form.Unsupported, "", `the schema is not of type "object" with properties`},
		"properties is an array":   {`{"type":"object","properties":[]}`, form.Malformed, "", "properties that are not an object"},
		"keyword for the whole":    {`{"type":"object","properties":{},"minProperties":1}`, form.Unsupported, "", `the schema uses "minProperties"`},
		"oneOf for the whole":      {`{"type":"object","properties":{},"oneOf":[]}`, form.Unsupported, "", `the schema uses "oneOf"`},
		"reference for the whole":  {`{"type":"object","properties":{},"$ref":"#"}`, form.Unsupported, "", `the schema uses "$ref"`},
		"keyword twice":            {`{"type":"object","properties":{},"type":"object"}`, form.Unsupported, "", "keyword twice"},
		"required does not exist":  {`{"type":"object","properties":{},"required":["p"]}`, form.Unsupported, "p", "not one of the properties"},
		"required is no list":      {`{"type":"object","properties":{},"required":true}`, form.Malformed, "", "the schema requires"},
		"long name required":       {`{"type":"object","properties":{},"required":["` + long + `"]}`, form.Unsupported, "", "not one of the properties"},
		"required is no name":      {`{"type":"object","properties":{"1":{"type":"string"}},"required":[1]}`, form.Malformed, "", "the schema requires"},
		"property twice":           {`{"type":"object","properties":{"p":{"type":"string"},"\u0070":{"type":"string"}}}`, form.Unsupported, "p", "is there twice"},
		"name not Unicode":         {`{"type":"object","properties":{"\ud800":{"type":"string"}}}`, form.Unsupported, "", "not Unicode text"},
		"long name":                {`{"type":"object","properties":{"` + long + `":{"type":"string"}}}`, form.Unsupported, "", "the schema has more than 128 properties, or one with a name that is longer than 256 bytes or not Unicode text"},
		"many properties":          {`{"type":"object","properties":{` + many(maxFields+1, `"#":{"type":"string"}`) + `}}`, form.Unsupported, "", "the schema has more than 128 properties, or one with a name that is longer than 256 bytes or not Unicode text"},
		"property is a string":     {schemaOf(`"string"`), form.Malformed, "p", "is not a JSON object"},
		"property is true":         {schemaOf(`true`), form.Malformed, "p", "is not a JSON object"},
		"property without type":    {schemaOf(`{}`), form.Unsupported, "p", "has no type that a form can show"},
		"untyped choice":           {schemaOf(`{"enum":["a"]}`), form.Unsupported, "p", `has choices, but not the type "string"`},
		"nested":                   {schemaOf(`{"type":"object","properties":{}}`), form.Unsupported, "p", `uses "properties"`},
		"object":                   {schemaOf(`{"type":"object"}`), form.Unsupported, "p", "is an object, which a form cannot show"},
		"type is null":             {schemaOf(`{"type":null}`), form.Unsupported, "p", "has no type"},
		"null":                     {schemaOf(`{"type":"null"}`), form.Unsupported, "p", "has no type"},
		"nullable":                 {schemaOf(`{"type":["string","null"]}`), form.Unsupported, "p", "has several types"},
		"optional of pydantic":     {schemaOf(`{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`), form.Unsupported, "p", "has a choice that is not text"},
		"pattern":                  {schemaOf(`{"type":"string","pattern":"^a"}`), form.Unsupported, "p", `uses "pattern"`},
		"pattern by escape":        {schemaOf(`{"type":"string","\u0070attern":"^a"}`), form.Unsupported, "p", `uses "pattern"`},
		"const":                    {schemaOf(`{"type":"string","const":"a"}`), form.Unsupported, "p", `uses "const"`},
		"not":                      {schemaOf(`{"type":"string","not":{}}`), form.Unsupported, "p", `uses "not"`},
		"allOf":                    {schemaOf(`{"type":"string","allOf":[]}`), form.Unsupported, "p", `uses "allOf"`},
		"if":                       {schemaOf(`{"type":"string","if":{}}`), form.Unsupported, "p", `uses "if"`},
		"reference":                {schemaOf(`{"$ref":"#/$defs/x"}`), form.Unsupported, "p", `uses "$ref"`},
		"exclusiveMinimum":         {schemaOf(`{"type":"number","exclusiveMinimum":0}`), form.Unsupported, "p", `uses "exclusiveMinimum"`},
		"multipleOf":               {schemaOf(`{"type":"number","multipleOf":2}`), form.Unsupported, "p", `uses "multipleOf"`},
		"draft 3 required":         {schemaOf(`{"type":"string","required":true}`), form.Unsupported, "p", `uses "required"`},
		"minimum of text":          {schemaOf(`{"type":"string","minimum":1}`), form.Unsupported, "p", `uses "minimum"`},
		"length of a number":       {schemaOf(`{"type":"number","maxLength":1}`), form.Unsupported, "p", `uses "maxLength"`},
		"length of a boolean":      {schemaOf(`{"type":"boolean","maxLength":1}`), form.Unsupported, "p", `uses "maxLength"`},
		"length of a choice":       {schemaOf(`{"type":"string","enum":["a"],"minLength":1}`), form.Unsupported, "p", `uses "minLength"`},
		"items of text":            {schemaOf(`{"type":"string","items":{"enum":["a"]}}`), form.Unsupported, "p", `uses "items"`},
		"choice of numbers":        {schemaOf(`{"type":"number","enum":[1]}`), form.Unsupported, "p", "has a choice that is neither text nor a number nor true or false"},
		"choice among numbers":     {schemaOf(`{"type":"string","enum":["a",1]}`), form.Unsupported, "p", "has a choice that is neither text nor a number nor true or false"},
		"choice not Unicode":       {schemaOf(`{"type":"string","enum":["\udc00"]}`), form.Unsupported, "p", "has a choice that is neither text nor a number nor true or false"},
		"typed number with text":   {schemaOf(`{"type":"number","enum":["1"]}`), form.Unsupported, "p", "has no choice that its other keywords allow"},
		"no choices":               {schemaOf(`{"type":"string","enum":[]}`), form.Unsupported, "p", "has no list of choices"},
		"choices as an object":     {schemaOf(`{"type":"string","oneOf":{}}`), form.Unsupported, "p", "has no list of choices"},
		"a choice twice, titled":   {schemaOf(`{"type":"string","enum":["a","a"],"enumNames":["A","B"]}`), form.Unsupported, "p", "does not give each choice a title"},
		"same constant twice":      {schemaOf(`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"a","title":"B"}]}`), form.Unsupported, "p", "has the same choice twice"},
		"two lists":                {schemaOf(`{"type":"string","enum":["a"],"oneOf":[{"const":"a"}]}`), form.Unsupported, "p", "has two lists of choices"},
		"constant is missing":      {schemaOf(`{"type":"string","oneOf":[{"title":"A"}]}`), form.Unsupported, "p", "has a choice that is not text"},
		"constant is no text":      {schemaOf(`{"type":"string","oneOf":[{"const":1}]}`), form.Unsupported, "p", "has a choice that is neither text nor a number nor true or false"},
		"constant of another type": {schemaOf(`{"type":"string","oneOf":[{"type":"number","const":"a"}]}`), form.Unsupported, "p", "has no choice that its other keywords allow"},
		"constant with more":       {schemaOf(`{"type":"string","oneOf":[{"const":"a","pattern":"b"}]}`), form.Unsupported, "p", `uses "pattern"`},
		"alternatives":             {schemaOf(`{"type":"string","oneOf":[{"format":"email"},{"format":"uri"}]}`), form.Unsupported, "p", `uses "format"`},
		"too many choices":         {schemaOf(`{"type":"string","enum":[` + many(maxOptions+1, `"#"`) + `]}`), form.Unsupported, "p", "has no list of choices, or one of more than 1,024"},
		"too many choices together": {`{"type":"object","properties":{"a":{"type":"string","enum":[` + many(maxOptions, `"#"`) + `]},"b":{"type":"array","items":{"enum":[` +
			many(maxOptions, `"#"`) + `]}},"c":{"type":"string","enum":["a"]}}}`, form.Unsupported, "c", "has more than 2,048 choices, together with other properties"},
		"names without choices":     {schemaOf(`{"type":"string","enumNames":["A"]}`), form.Unsupported, "p", `has an "enumNames" that does not give each choice a title`},
		"names beside titles":       {schemaOf(`{"type":"string","oneOf":[{"const":"a","title":"B"}],"enumNames":["A"]}`), form.Unsupported, "p", `has an "enumNames" that does not give each choice a title`},
		"too few names":             {schemaOf(`{"type":"string","enum":["a","b"],"enumNames":["A"]}`), form.Unsupported, "p", `"enumNames"`},
		"too many names":            {schemaOf(`{"type":"string","enum":["a"],"enumNames":["A","B"]}`), form.Unsupported, "p", `"enumNames"`},
		"name is no text":           {schemaOf(`{"type":"string","enum":["a"],"enumNames":[1]}`), form.Malformed, "p", "not text"},
		"free list":                 {schemaOf(`{"type":"array","items":{"type":"string"}}`), form.Unsupported, "p", "is a list without choices, which other clients cannot show"},
		"list of anything":          {schemaOf(`{"type":"array"}`), form.Unsupported, "p", "is a list of anything, which a form cannot show"},
		"list of objects":           {schemaOf(`{"type":"array","items":{"type":"object"}}`), form.Unsupported, "p", "is an object, which a form cannot show"},
		"list of lists":             {schemaOf(`{"type":"array","items":{"type":"array","items":{"enum":["a"]}}}`), form.Unsupported, "p", `uses "items"`},
		"list of numbers":           {schemaOf(`{"type":"array","items":{"type":"number","enum":["1"]}}`), form.Unsupported, "p", "has no choice that its other keywords allow"},
		"list of patterns":          {schemaOf(`{"type":"array","items":{"enum":["a"],"pattern":"b"}}`), form.Unsupported, "p", `uses "pattern"`},
		"choices without items":     {schemaOf(`{"type":"array","enum":["a"]}`), form.Unsupported, "p", "has no choice that its other keywords allow"},
		"contains":                  {schemaOf(`{"type":"array","items":{"enum":["a"]},"contains":{"const":"a"}}`), form.Unsupported, "p", `uses "contains"`},
		"unknown format":            {schemaOf(`{"type":"string","format":"hostname"}`), form.Unsupported, "p", "has a format that is none of"},
		"password":                  {schemaOf(`{"type":"string","format":"password"}`), form.Secret, "p", "asks for a secret, and a form must not: the server has to use a page of its own for that"},
		"empty format":              {schemaOf(`{"type":"string","format":""}`), form.Unsupported, "p", "has a format that is none of"},
		"format is no text":         {schemaOf(`{"type":"string","format":1}`), form.Malformed, "p", "has a format that is not text"},
		"title is no text":          {schemaOf(`{"type":"string","title":1}`), form.Malformed, "p", "title"},
		"title not Unicode":         {schemaOf("{\"type\":\"string\",\"title\":\"\xff\"}"), form.Malformed, "p", "title"},
		"description is no text":    {schemaOf(`{"type":"string","description":{}}`), form.Malformed, "p", "description"},
		"negative length":           {schemaOf(`{"type":"string","minLength":-1}`), form.Malformed, "p", "minimum or maximum"},
		"broken length":             {schemaOf(`{"type":"string","minLength":1.5}`), form.Malformed, "p", "minimum or maximum"},
		"length is text":            {schemaOf(`{"type":"string","minLength":"1"}`), form.Malformed, "p", "minimum or maximum"},
		"minimum is text":           {schemaOf(`{"type":"number","minimum":"1"}`), form.Malformed, "p", "minimum or maximum"},
		"minimum beyond comparing":  {schemaOf(`{"type":"number","minimum":1e100000000}`), form.Malformed, "p", "minimum or maximum"},
		"lengths crossed":           {schemaOf(`{"type":"string","minLength":3,"maxLength":2}`), form.Unsupported, "p", "leaves nothing to answer"},
		"limits crossed":            {schemaOf(`{"type":"number","minimum":9007199254740993,"maximum":9007199254740992}`), form.Unsupported, "p", "leaves nothing to answer"},
		"counts crossed":            {schemaOf(`{"type":"array","items":{"enum":["a","b"]},"minItems":2,"maxItems":1}`), form.Unsupported, "p", "leaves nothing to answer"},
		"no length":                 {schemaOf(`{"type":"string","maxLength":0}`), form.Unsupported, "p", "leaves nothing to answer"},
		"no items":                  {schemaOf(`{"type":"array","items":{"enum":["a"]},"maxItems":0}`), form.Unsupported, "p", "leaves nothing to answer"},
		"more items than there are": {schemaOf(`{"type":"array","items":{"enum":["a"]},"minItems":2}`), form.Unsupported, "p", "leaves nothing to answer"},
		"hostile nesting":           {schemaOf(strings.Repeat(`{"items":`, 5000) + "1" + strings.Repeat("}", 5000)), form.Unsupported, "p", `uses "items"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, p := form.ParseStrict([]byte(tt.schema))
			if p == nil {
				t.Fatal("accepted")
			}
			if p.Code != tt.code || p.Property != tt.property || !strings.Contains(p.Message.String(), tt.says) {
				t.Errorf("got  %d %q %q\nwant %d %q %q", p.Code, p.Property, p.Message, tt.code, tt.property, tt.says)
			}
		})
	}
}

func TestParseKeepsNothingOfItsInput(t *testing.T) {
	for _, length := range []int{0, 5000} {
		description := strings.Repeat("d", length)
		text := []byte(schemaOf(`{"type":"string","title":"Title","description":"` + description + `","enum":["a","b"],"default":"b"}`))
		s, p := form.Parse(text)
		if p != nil {
			t.Fatal(p)
		}
		for i := range text {
			text[i] = 'x'
		}
		f := s.Fields[0]
		if f.Name != "p" || f.Title != "Title" || f.Description != description || f.Options[1].Value != `"b"` || f.Default != `"b"` {
			t.Errorf("got %+v", f)
		}
	}
}

func TestParseMostThereMayBe(t *testing.T) {
	var properties, options []string
	for i := range maxFields - 2 {
		properties = append(properties, `"`+strconv.Itoa(100+i)+strings.Repeat("n", maxName-3)+`":{"type":"string"}`)
	}
	for i := range maxOptions {
		options = append(options, `"`+strconv.Itoa(i)+`"`)
	}
	list := strings.Join(options, ",")
	slices.Reverse(options)
	most := `:{"type":"array","items":{"enum":[` + list + `]},"minItems":1024,"default":[` + strings.Join(options, ",") + `]}`
	properties = append(properties, `"a"`+most, `"b"`+most)
	s, p := form.Parse([]byte(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`))
	if p != nil {
		t.Fatal(p)
	}
	if got := len(s.Fields); got != maxFields {
		t.Errorf("got %d fields, want %d", got, maxFields)
	}
	if s.Fields[maxFields-1].Default == "" {
		t.Error("the default is gone")
	}
	if problems := s.Check(s.Fill(nil)); problems != nil {
		t.Error(problems[0])
	}
}

func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string cannot fail
	return b
}
