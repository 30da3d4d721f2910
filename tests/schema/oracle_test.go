// Package schema_test holds package form to a JSON Schema library that we did not
// write.
package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-mcp/parley/engine/form"
)

// The oracle is that library: an answer has no problems exactly if the oracle
// validates it, or the form says that the server checks more. Where package form is stricter on purpose, the oracle is told so
// (properties that nobody asked for, choices chosen twice) or not asked: the
// oracle takes formats for annotations, the last of two members with one name,
// U+FFFD for broken text, and floats for the limits of a number.

const sixFields = `{"type":"object","properties":{
	"name":{"type":"string","title":"Your name","minLength":1,"maxLength":80},
	"email":{"type":"string","format":"email","description":"Where the receipt goes"},
	"seats":{"type":"integer","minimum":1,"maximum":8,"default":2},
	"window":{"type":"boolean","default":false},
	"class":{"type":"string","oneOf":[{"const":"y","title":"Economy"},{"const":"c","title":"Business"}],"default":"y"},
	"meals":{"type":"array","items":{"type":"string","enum":["fish","meat","none"]},"minItems":1,"maxItems":2}},
	"required":["name","email","seats"]}`

const sixAnswers = `{"name":"Mona Lisa","email":"mona@example.com","seats":2,"window":true,"class":"c","meals":["fish"]}`

// schemaOf is a schema with one property called p.
func schemaOf(property string) string {
	return `{"type":"object","properties":{"p":` + property + `}}`
}

// FuzzOracle asks about whatever schemas and answers come up.
func FuzzOracle(f *testing.F) {
	f.Add(sixFields, sixAnswers)
	f.Add(schemaOf(`{"type":"string","minLength":2,"maxLength":3}`), `{"p":"\ud83d\ude00😀"}`)
	f.Add(schemaOf(`{"type":"integer","minimum":-1e2}`), `{"p":-1.0e2}`)
	f.Add(schemaOf(`{"type":"array","items":{"enum":["a","b"]},"minItems":1}`), `{"p":["b","a"]}`)
	f.Add(schemaOf(`{"type":"string","oneOf":[{"const":"a","title":"b"}],"default":"b"}`), `{"p":"\u0061"}`)
	f.Add(`{"type":"object","properties":{},"minProperties":1}`, `{}`)
	f.Fuzz(func(t *testing.T, schema, content string) {
		if oracle := newOracle(schema); oracle != nil {
			agree(t, oracle, schema, content)
		}
	})
}

// FuzzOracleSubset asks about schemas of the subset and answers that nearly
// fit, with now and then a keyword that is no part of the subset.
func FuzzOracleSubset(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(askOracle)
}

func TestOracleSubset(t *testing.T) {
	for seed := range uint64(1000) {
		askOracle(t, seed)
	}
}

func askOracle(t *testing.T, seed uint64) {
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	schema, odd := g.schema()
	_, p := form.Parse([]byte(schema))
	if p != nil && !odd {
		t.Fatalf("refused: %v\n%s", p, schema)
	}
	if p != nil {
		return
	}
	oracle := newOracle(schema)
	if oracle == nil {
		t.Fatalf("the oracle cannot read %s", schema)
	}
	for range 8 {
		agree(t, oracle, schema, g.content(schema))
	}
}

// agree fails if the oracle thinks otherwise about an answer.
func agree(t *testing.T, oracle *jsonschema.Resolved, schema, content string) {
	t.Helper()
	s, p := form.Parse([]byte(schema))
	if content == "" {
		content = "{}"
	}
	if p != nil || broken.MatchString(content) || !exactNumbers(schema) || !exactNumbers(content) {
		return
	}
	var answer map[string]any
	valid := json.Unmarshal([]byte(content), &answer) == nil && answer != nil
	if valid {
		valid = oracle.Validate(answer) == nil
	}
	problems := s.Check([]byte(content))
	for _, p := range problems {
		switch p.Code {
		case form.Repeated, form.NotText, form.BadExponent:
			return
		}
	}
	ours := slices.DeleteFunc(slices.Clone(problems), func(p form.Problem) bool { return p.Code == form.BadFormat })
	if len(ours) == 0 && !valid && isUnchecked(s) { // the form says that the server checks more
		return
	}
	if (len(ours) == 0) != valid {
		t.Fatalf("Check: %v, the oracle says valid is %v\nschema  %s\ncontent %s", problems, valid, schema, content)
	}
}

// isUnchecked reports whether a form says that it does not check all.
func isUnchecked(s form.Schema) bool {
	unchecked := len(s.Unchecked) > 0
	for _, f := range s.Fields {
		unchecked = unchecked || isUnchecked(form.Schema{Fields: f.Alternatives, Unchecked: f.Unchecked})
	}
	return unchecked
}

// broken is text that encoding/json does not decode as it stands.
var broken = regexp.MustCompile(`(?i)\\ud[89a-f]|\x{FFFD}`)

// newOracle reads a schema as JSON Schema, nil if the oracle does not.
func newOracle(schema string) *jsonschema.Resolved {
	var s jsonschema.Schema
	var names any
	if json.Unmarshal([]byte(schema), &names) != nil || json.Unmarshal([]byte(schema), &s) != nil || hasFolded(names) {
		return nil
	}
	s.Schema, s.ID = "", ""
	s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	read, _ := form.Parse([]byte(schema))
	for _, f := range read.Fields {
		if property := s.Properties[f.Name]; property != nil && f.Kind == form.Choices {
			property.UniqueItems = true
		}
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

// hasFolded reports whether a schema has what the oracle takes for a keyword
// and is only nearly one: encoding/json matches names in any case.
func hasFolded(schema any) bool {
	switch v := schema.(type) {
	case map[string]any:
		for name, value := range v {
			if strings.EqualFold(name, "type") && name != "type" || strings.EqualFold(name, "const") && name != "const" || strings.EqualFold(name, "items") && name != "items" {
				return true // which have no field of their own
			}
			for field := range reflect.TypeFor[jsonschema.Schema]().Fields() {
				keyword, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if strings.EqualFold(name, keyword) && name != keyword {
					return true
				}
			}
			if hasFolded(value) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, hasFolded)
	}
	return false
}

// exactNumbers reports whether a float holds every number of a text.
func exactNumbers(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return true
		}
		if n, ok := token.(json.Number); ok {
			if _, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e"); len(exponent) > 4 {
				return false
			}
			x, _ := new(big.Rat).SetString(string(n))
			float, err := n.Float64()
			if err != nil || x.Cmp(new(big.Rat).SetFloat64(float)) != 0 {
				return false
			}
		}
	}
}

// generator makes schemas and answers.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g generator) maybe(s string) string {
	if g.IntN(2) == 0 {
		return ""
	}
	return s
}

var fieldNames = []string{"a", "B", "", "é", "__proto__", `q"`, "type", "1"}

// schema is a schema of the subset, or an odd one that may be refused.
func (g generator) schema() (schema string, odd bool) {
	var properties, required []string
	for _, name := range fieldNames[:g.IntN(len(fieldNames)+1)] {
		members := g.property()
		if g.IntN(20) == 0 {
			odd = true
			members = append(members, g.oddity())
		}
		g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		properties = append(properties, strconv.Quote(name)+": {"+strings.Join(members, ",")+"}")
		if g.IntN(2) == 0 {
			required = append(required, strconv.Quote(name))
		}
	}
	members := []string{`"type":"object"`, `"properties":{` + strings.Join(properties, ", ") + `}`, `"required":[` + strings.Join(required, ",") + `]`}
	if g.IntN(20) == 0 {
		odd = true
		members = append(members, g.oddity())
	}
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}", odd
}

func (g generator) property() []string {
	members := []string{`"x-annotation":` + g.value()}
	add := func(format string, values ...any) {
		if g.IntN(2) == 0 {
			members = append(members, fmt.Sprintf(format, values...))
		}
	}
	add(`"title":%s`, g.text())
	add(`"description":%s`, g.text())
	add(`"default":%s`, g.value())
	low, high := g.IntN(3), 3+g.IntN(3)
	switch g.IntN(7) {
	case 0, 1:
		members = append(members, `"type":"string"`)
		add(`"minLength":%d`, low)
		add(`"maxLength":%d.0`, high)
		add(`"format":%q`, g.one("email", "uri", "date", "date-time"))
	case 2:
		members = append(members, `"type":`+g.one(`"number"`, `"integer"`))
		add(`"minimum":%s`, g.one("-1e1", "0", "-0.0", "0.5", "1", "-9007199254740991"))
		add(`"maximum":%s`, g.one("1", "1.5", "3e0", "100", "9007199254740992"))
	case 3:
		members = append(members, `"type":"boolean"`)
	case 4, 5:
		members = append(members, `"type":"string"`)
		if list := g.list("oneOf"); list != "" {
			return append(members, list)
		}
		members = append(members, `"enum":["a","b","\u00e9"]`)
		add(`"enumNames":["A","","E"]`)
	default:
		list := g.list("anyOf")
		if list == "" {
			list = `"type":"string","enum":["a","b","é"]`
		}
		members = append(members, `"type":"array"`, `"items":{`+list+`}`)
		add(`"minItems":%d`, low)
		add(`"maxItems":%d`, high)
	}
	return members
}

func (g generator) list(word string) string {
	return g.maybe(`"` + word + `":[{"const":"a","title":"A"},{"title":"B","const":"b"},{"const":"\u00e9"}]`)
}

// oddity is a keyword of JSON Schema or nearly one, where it may not belong.
func (g generator) oddity() string {
	schema := g.one(`{}`, `true`, `false`, `{"type":"string"}`, `{"const":"a"}`, `{"enum":["a"]}`, `{"minLength":1}`)
	switch g.IntN(6) {
	case 0:
		return `"` + g.one("not", "if", "then", "else", "contains", "additionalProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems", "items") + `":` + schema
	case 1:
		return `"` + g.one("allOf", "anyOf", "oneOf", "prefixItems") + `":[` + schema + `]`
	case 2:
		return `"` + g.one("properties", "patternProperties", "dependentSchemas", "$defs", "definitions") + `":{"a":` + schema + `}`
	case 3:
		return `"` + g.one("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains") + `":` + g.one("0", "1", "2")
	case 4:
		return `"` + g.one("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") + `":` + g.one("0.5", "1", "2")
	default:
		return g.one(`"const":"a"`, `"enum":["a"]`, `"enum":["a",1,null]`, `"pattern":"^a"`, `"\u0070attern":"a"`, `"format":"x"`, `"uniqueItems":false`, `"required":["a"]`,
			`"dependentRequired":{"a":["b"]}`, `"$ref":"#"`, `"readOnly":true`, `"deprecated":true`, `"contentEncoding":"base64"`, `"$comment":"?"`, `"examples":[1]`)
	}
}

// content is an answer with most of what a schema asks for.
func (g generator) content(schema string) string {
	s, _ := form.Parse([]byte(schema))
	var members []string
	for _, f := range s.Fields {
		if g.IntN(8) > 0 {
			name, _ := json.Marshal(f.Name) // a string cannot fail
			members = append(members, string(name)+":"+g.answer(f))
		}
	}
	if g.IntN(12) == 0 {
		members = append(members, `"unknown":1`)
	}
	g.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, " , ") + "}"
}

func (g generator) answer(f form.Field) string {
	if g.IntN(6) == 0 {
		return g.value()
	}
	switch f.Kind {
	case form.String:
		return g.text()
	case form.Number, form.Integer:
		return g.number()
	case form.Boolean:
		return g.one("true", "false")
	case form.Choice:
		return g.one(`"a"`, `"b"`, `"é"`, `"\u00E9"`, `"c"`)
	}
	return g.one(`[]`, `["a"]`, `["b","a"]`, `["a","é","b"]`, `["a","\u0061"]`, `["a","c"]`, `["a",1]`)
}

func (g generator) value() string {
	return g.one(g.text(), g.number(), `true`, `null`, `[]`, `["a"]`, `["a","b"]`, `{}`, `{"a":1}`, `"a"`, `""`)
}

func (g generator) text() string {
	var b bytes.Buffer
	b.WriteByte('"')
	for range g.IntN(7) {
		b.WriteString(g.one("a", "b", "é", "😀", `\n`, `\u0061`, `\"`, `\/`, " ", "e\u0301"))
	}
	b.WriteByte('"')
	return b.String()
}

func (g generator) number() string {
	return g.one("0", "-0", "1", "1.0", "1.5", "0.5", "1e0", "10e-1", "15e-1", "1e2", "-1E+1", "-10.0", "-9007199254740991", "9007199254740992", "9007199254740994", "100", "100.5", "1e22", "0e9", "2.50")
}
