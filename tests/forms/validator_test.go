package forms_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/parley-mcp/parley/engine/form"
)

// What Parley says of an answer is what a validator says, or the form tells what
// is not checked: random schemas out of all keywords, and random answers. Strict
// where Parley says that it is: unknown properties, choices twice, formats.
func TestAgainstValidator(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("PARLEY_SEED"), 10, 64)
	if err != nil {
		seed = 33
	}
	n := 20000
	if text := os.Getenv("PARLEY_FORMS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	made := random{rand.New(rand.NewPCG(seed, 0))}
	asked, valid, refused := 0, 0, 0
	for range n {
		text := made.schema()
		schema, problem := form.Parse([]byte(text))
		if problem != nil {
			continue
		}
		asked++
		validator := compile(t, text)
		unchecked := len(schema.Unchecked) > 0
		for _, f := range schema.Fields {
			unchecked = unchecked || isUnchecked(&f)
		}
		for range 12 {
			answer := made.answer(schema)
			parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
			if err != nil {
				t.Fatal(err)
			}
			problems := schema.Check([]byte(answer))
			err = validator.Validate(parsed)
			if err != nil && strings.Contains(err.Error(), "are equal") && strings.Contains(answer, `"1"`) {
				continue // the validator takes 1 and "1" for equal
			}
			switch {
			case problems == nil && err != nil && !unchecked:
				t.Fatalf("seed %d: %s\naccepts %s\nbut %v", seed, text, answer, err)
			case problems != nil && err == nil && !stricter(schema, problems):
				t.Fatalf("seed %d: %s\nrefuses %s\nwhich is valid: %v", seed, text, answer, problems[0].Error())
			case problems == nil:
				valid++
			default:
				refused++
			}
		}
	}
	t.Logf("seed %d: %d of %d schemas asked, %d answers accepted, %d refused", seed, asked, n, valid, refused)
	if asked < n/20 || valid < n/20 || refused < n/20 {
		t.Errorf("too few: %d schemas asked, %d answers accepted, %d refused", asked, valid, refused)
	}
}

// stricter reports whether Parley refuses what JSON Schema would not, on purpose:
// properties that were not asked for, a choice twice, more digits than it divides.
func stricter(schema form.Schema, problems []form.Problem) bool {
	for _, p := range problems {
		for _, f := range schema.Fields { // of which it is only said that no type fits
			if f.Name == p.Property && slices.ContainsFunc(f.Alternatives, func(f form.Field) bool { return f.Kind == form.Choices || f.Format != "" }) {
				return true
			}
		}
		switch p.Code {
		case form.Unknown, form.ChosenTwice, form.BadExponent, form.BadFormat:
			return true
		}
	}
	return false
}

func isUnchecked(f *form.Field) bool {
	for i := range f.Alternatives {
		if isUnchecked(&f.Alternatives[i]) {
			return true
		}
	}
	return len(f.Unchecked) > 0
}

func compile(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("form.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("form.json")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return compiled
}

// random makes schemas and answers.
type random struct{ *rand.Rand }

func (r random) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r random) maybe(percent int) bool { return r.IntN(100) < percent }

var names = []string{"a", "b", "c"}

func (r random) schema() string {
	var members []string
	if r.maybe(90) {
		members = append(members, `"type":"object"`)
	}
	var properties, required []string
	for _, name := range names[:1+r.IntN(3)] {
		properties = append(properties, strconv.Quote(name)+":"+r.property(3))
		if r.maybe(30) {
			required = append(required, strconv.Quote(name))
		}
	}
	members = append(members, `"properties":{`+strings.Join(properties, ",")+`}`)
	if required != nil {
		members = append(members, `"required":[`+strings.Join(required, ",")+`]`)
	}
	if r.maybe(10) {
		members = append(members, r.pick(`"minProperties":1`, `"additionalProperties":false`, `"dependentRequired":{"a":["b"]}`, `"anyOf":[{"required":["a"]},{}]`, `"not":{"required":["b"]}`, `"patternProperties":{"a":{"type":"string"}}`))
	}
	members = append(members, `"$defs":{"A":`+r.property(1)+`,"B/~":`+r.property(1)+`}`)
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

// property is a schema with at most so much in it.
func (r random) property(depth int) string {
	var members []string
	add := func(percent int, choices ...string) {
		if r.maybe(percent) {
			members = append(members, r.pick(choices...))
		}
	}
	kind := r.IntN(7)
	switch kind {
	case 0:
		add(95, `"type":"string"`, `"type":["string","null"]`)
		add(20, `"minLength":1`, `"minLength":2`, `"minLength":0`)
		add(20, `"maxLength":3`, `"maxLength":2.0`, `"maxLength":1`)
		add(10, `"pattern":"^a"`, `"pattern":"b"`)
		add(10, `"format":"date"`, `"format":"uuid"`, `"format":"email"`)
	case 1, 2:
		add(95, `"type":"number"`, `"type":"integer"`, `"type":["integer","null"]`, `"type":["number","string"]`, `"type":["integer","number"]`)
		add(20, `"minimum":1`, `"minimum":-0.5`, `"minimum":2e0`)
		add(20, `"maximum":2`, `"maximum":1.5`, `"maximum":30`)
		add(20, `"exclusiveMinimum":1`, `"exclusiveMinimum":0`)
		add(20, `"exclusiveMaximum":3`, `"exclusiveMaximum":2.5`)
		add(15, `"multipleOf":0.5`, `"multipleOf":2`, `"multipleOf":1`, `"multipleOf":0.1`)
	case 3:
		add(90, `"type":"boolean"`, `"type":["boolean","null"]`)
		add(15, `"const":true`, `"enum":[true,false,null]`)
	case 4:
		add(40, `"type":"string"`, `"type":"integer"`, `"type":["string","null"]`)
		add(60, `"enum":["a","b"]`, `"enum":["a",1,null]`, `"enum":[1,"1",2.0]`, `"enum":["a","ab","abc",true]`, `"enum":["\u0061","b"]`)
		add(25, `"const":"a"`, `"const":1`, `"const":1.0`, `"const":null`)
		add(15, `"maxLength":2`, `"minimum":2`, `"pattern":"a"`)
	case 5:
		add(95, `"type":"array"`, `"type":["array","null"]`)
		if depth > 0 {
			members = append(members, `"items":`+r.property(depth-1))
		}
		add(20, `"minItems":1`, `"minItems":2`)
		add(20, `"maxItems":2`, `"maxItems":3`)
		add(25, `"uniqueItems":true`, `"uniqueItems":false`)
		add(5, `"contains":{"const":"a"}`, `"prefixItems":[{"type":"string"}]`)
	case 6:
		add(20, `"type":"string"`, `"type":"object"`, `"type":"number"`)
	}
	if depth > 0 && (kind == 6 || r.maybe(20)) {
		for range 1 + r.IntN(2) {
			switch r.IntN(5) {
			case 0:
				members = append(members, `"$ref":"`+r.pick("#/$defs/A", "#/$defs/B~1~0")+`"`)
			case 1, 2:
				var of []string
				for range 1 + r.IntN(3) {
					of = append(of, r.pick(`{"type":"null"}`, `{"const":"a","title":"A"}`, `{"enum":["b","c"]}`, r.property(depth-1), r.property(depth-1)))
				}
				members = append(members, r.pick(`"anyOf":[`, `"oneOf":[`)+strings.Join(of, ",")+"]")
			case 3:
				members = append(members, `"allOf":[`+r.property(depth-1)+"]")
			case 4:
				members = append(members, `"allOf":[`+r.property(depth-1)+","+r.property(depth-1)+"]")
			}
		}
	}
	if r.maybe(4) {
		members = append(members, r.pick(`"not":{"const":"a"}`, `"if":{"type":"string"},"then":{"minLength":2}`, `"readOnly":true`, `"default":"a"`, `"default":null`))
	}
	return unrepeated(members)
}

// unrepeated is an object of members, the first of each name.
func unrepeated(members []string) string {
	seen := map[string]bool{}
	var text []string
	for _, m := range members {
		name, _, _ := strings.Cut(m, ":")
		if !seen[name] {
			seen[name] = true
			text = append(text, m)
		}
	}
	return "{" + strings.Join(text, ",") + "}"
}

// answer is an object with values that may fit.
func (r random) answer(s form.Schema) string {
	var members []string
	for i := range s.Fields {
		if r.maybe(85) {
			members = append(members, fmt.Sprintf("%s:%s", quoted(s.Fields[i].Name), r.value(&s.Fields[i])))
		}
	}
	if r.maybe(3) {
		members = append(members, `"other":1`)
	}
	return "{" + strings.Join(members, ",") + "}"
}

var values = []string{`""`, `"a"`, `"ab"`, `"b"`, `"abc"`, `"2026-02-28"`, `"a@b.c"`, `1`, `1.0`, `2`, `-1`, `0.5`, `1.25`, `2.5`, `30`, `true`, `false`, `null`, `[]`, `["a"]`, `["a","b"]`, `["a","a"]`, `[1,1.0]`, `[1,2,3]`, `["1",1]`, `{}`}

func (r random) value(f *form.Field) string {
	switch {
	case r.maybe(25):
		return r.pick(values...)
	case f.Nullable && r.maybe(20):
		return "null"
	}
	switch f.Kind {
	case form.String:
		return r.pick(values[:7]...)
	case form.Number, form.Integer:
		return r.pick(values[7:15]...)
	case form.Boolean:
		return r.pick("true", "false")
	case form.Choice:
		return f.Options[r.IntN(len(f.Options))].Value
	case form.Union:
		return r.value(&f.Alternatives[r.IntN(len(f.Alternatives))])
	}
	var list []string
	for range r.IntN(4) {
		if f.Kind == form.Choices {
			list = append(list, f.Options[r.IntN(len(f.Options))].Value)
		} else {
			list = append(list, r.value(f.Items))
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}

func quoted(name string) string {
	var text bytes.Buffer
	json.NewEncoder(&text).Encode(name)
	return strings.TrimSpace(text.String())
}
