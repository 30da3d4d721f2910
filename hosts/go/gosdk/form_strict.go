package gosdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/rawjson"
)

// strictForm is a form as it is asked. An answer may have null in nullable fields
// all the same, which counts as left out. Those in empty are null for the handler
// if they are left out. A closed form takes no answers to what it does not ask.
//
// hosts/testdata/forms has the rules; servers in JavaScript and Python have them,
// too.
type strictForm struct {
	schema          json.RawMessage
	changed         bool // it was put in other words
	fields          []string
	nullable, empty map[string]bool
	closed          bool
}

const (
	mostHops    = 16 // of references
	mostFields  = 128
	mostOptions = 1024
)

// closing forbids all answers but those that are asked for.
var closing = []string{"additionalProperties", "unevaluatedProperties"}

// notAllowed is the error of an author whose form MCP does not have.
type notAllowed struct{ field, keyword, advice string } // field is "" for the form itself

func (e *notAllowed) Error() string {
	where := "a form"
	if e.field != "" {
		where = fmt.Sprintf("the field %s of a form", rawjson.AppendQuoted(nil, e.field))
	}
	return fmt.Sprintf("gosdk: MCP allows no such %q for %s: %s", e.keyword, where, e.advice)
}

func refuse(keyword string) *notAllowed {
	return &notAllowed{keyword: keyword, advice: adviceFor(keyword)}
}

// readForm reads the form that a schema asks with.
func readForm(requested any) (*strictForm, error) {
	given, err := json.Marshal(requested)
	if err != nil {
		return nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	if string(given) == "null" {
		given = []byte("{}")
	}
	r := formReader{given: given}
	made, at, refused := r.form()
	if refused != nil {
		refused.field = at
		return nil, refused
	}
	if _, problem := form.ParseStrict(made.schema); problem != nil { // what the engine's own reader refuses beside
		return nil, fmt.Errorf("gosdk: RequestedSchema: %w", problem)
	}
	return made, nil
}

// formReader reads a schema. Its methods refuse with a keyword.
type formReader struct{ given json.RawMessage }

func (r *formReader) form() (made *strictForm, at string, _ *notAllowed) {
	root, _, refused := r.plain(r.given, 0)
	if refused != nil {
		return nil, "", refused
	}
	if _, ok := root["type"]; ok && text(root["type"]) != "object" {
		return nil, "", refuse("type")
	}
	root["type"] = json.RawMessage(`"object"`)
	properties, required := root["properties"], root["required"]
	if properties == nil {
		properties = json.RawMessage("{}")
	}
	if !rawjson.IsObject(properties) || len(read(properties)) > mostFields {
		return nil, "", refuse("properties")
	}
	made = &strictForm{nullable: map[string]bool{}, empty: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(root)) {
		value := root[name]
		switch {
		case name == "type" || name == "properties" || name == "required":
		case slices.Contains(closing, name) && (string(value) == "false" || string(value) == "true" || same(value, []byte("{}"))):
			made.closed = made.closed || string(value) == "false"
			delete(root, name)
		case !slices.Contains([]string{"$schema", "title", "description"}, name) || !rawjson.IsString(value):
			return nil, "", refuse(name)
		}
	}
	asked, ok := texts(required)
	sorted := slices.Sorted(slices.Values(asked))
	if required != nil && !ok || len(slices.Compact(sorted)) < len(asked) {
		return nil, "", refuse("required")
	}
	var fields []byte
	var m rawjson.Members
	for m.Start(properties); m.Next(); {
		name, _ := rawjson.Unquote(m.Name)
		s, nullable, empty, refused := r.field(m.Value)
		if refused != nil {
			return nil, name, refused
		}
		if nullable {
			made.nullable[name] = true
		}
		if empty || nullable && slices.Contains(asked, name) {
			made.empty[name] = true
		}
		made.fields = append(made.fields, name)
		fields = append(append(append(fields, m.Name...), ':'), mustMarshal(s)...)
		fields = append(fields, ',')
	}
	for _, name := range asked {
		if !slices.Contains(made.fields, name) {
			return nil, name, refuse("required")
		}
	}
	root["properties"] = append(append([]byte("{"), strings.TrimSuffix(string(fields), ",")...), '}')
	needed := slices.DeleteFunc(slices.Clone(asked), func(name string) bool { return made.nullable[name] })
	if delete(root, "required"); required != nil && (len(needed) > 0 || len(asked) == 0) {
		root["required"] = mustMarshal(append([]string{}, needed...))
	}
	made.schema = mustMarshal(root)
	made.changed = !same(made.schema, r.given)
	return made, "", nil
}

// field reads one field: as it is asked, whether it may be null, and whether it
// is null where it is left out.
func (r *formReader) field(property json.RawMessage) (s schema, nullable, empty bool, refused *notAllowed) {
	s, nullable, refused = r.plain(property, 0)
	if refused == nil {
		s, refused = chosen(s)
	}
	if refused != nil {
		return nil, false, false, refused
	}
	if empty = string(s["default"]) == "null"; empty {
		delete(s, "default")
	}
	kind := text(s["type"])
	if (kind == "number" || kind == "integer") && isNumber(s["multipleOf"], nil) && rawjson.Compare(string(s["multipleOf"]), "1") == 0 {
		kind, s["type"] = "integer", json.RawMessage(`"integer"`)
		delete(s, "multipleOf")
	}
	switch {
	case kind == "integer":
		inside(s, "exclusiveMinimum", "minimum", 1)
		inside(s, "exclusiveMaximum", "maximum", -1)
	case kind == "array":
		if s["items"], refused = r.listed(s["items"]); refused != nil {
			return nil, false, false, refused
		}
		delete(s, "uniqueItems") // the same choice is not there twice
	case s["enum"] != nil || s["oneOf"] != nil:
		kind = "choice"
	}
	may := fieldKeywords[kind]
	if may == nil {
		return nil, false, false, refuse("type")
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if fits := may[name]; fits == nil || !fits(s[name], s) {
			refused := refuse(name)
			if name == "format" && text(s[name]) == "password" {
				refused.advice = secretAdvice
			}
			return nil, false, false, refused
		}
	}
	if nullable && s["default"] != nil {
		return nil, false, false, refuse("default")
	}
	return s, nullable, empty, nil
}

// plain is what a schema stands for, without references and without null, and
// whether there was null.
func (r *formReader) plain(value json.RawMessage, hops int) (s schema, nullable bool, _ *notAllowed) {
	if s = read(value); s == nil {
		return nil, false, refuse("type")
	}
	if hops > mostHops {
		return nil, false, refuse("$ref")
	}
	if pointer, ok := s["$ref"]; ok {
		return r.merged(s, "$ref", r.led(pointer), hops)
	}
	if all, ok := s["allOf"]; ok {
		if entries, _ := list(all); len(entries) == 1 {
			return r.merged(s, "allOf", entries[0], hops)
		}
		return nil, false, refuse("allOf")
	}
	maps.DeleteFunc(s, saysNothing)
	if string(s["nullable"]) == "true" {
		nullable = true
		delete(s, "nullable")
	}
	for keyword, nothing := range map[string]string{"type": `"null"`, "enum": "null"} {
		all, ok := list(s[keyword])
		if !ok {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(all), func(one json.RawMessage) bool { return string(one) == nothing })
		nullable = nullable || len(others) > 0 && len(others) < len(all)
		if s[keyword] = mustMarshal(others); keyword == "type" && len(others) == 1 {
			s[keyword] = others[0]
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		value, ok := s[keyword]
		if !ok {
			continue
		}
		entries, ok := list(value)
		if !ok {
			return nil, false, refuse(keyword)
		}
		var others []schema
		for _, entry := range entries {
			one, also, refused := r.plain(entry, hops+1)
			if refused != nil {
				return nil, false, refused
			}
			if nothing := text(one["type"]) == "null" || string(one["const"]) == "null"; nothing || also {
				nullable = true
				if nothing {
					continue
				}
			}
			others = append(others, one)
		}
		s[keyword] = mustMarshal(others)
		if len(others) == 1 && others[0]["const"] == nil {
			one, also, refused := r.merged(s, keyword, mustMarshal(others[0]), hops)
			return one, nullable || also, refused
		}
	}
	return s, nullable, nil
}

// merged is what a schema stands for in which a keyword stands for another one.
// What is beside it says what the field is called, and no more.
func (r *formReader) merged(s schema, keyword string, other json.RawMessage, hops int) (schema, bool, *notAllowed) {
	if other == nil {
		return nil, false, refuse(keyword)
	}
	found := read(other)
	if found == nil {
		return nil, false, refuse("type")
	}
	for name, own := range s {
		value, ok := found[name]
		if ok && name != keyword && name != "title" && name != "description" && name != "default" && !same(own, value) {
			return nil, false, refuse(keyword)
		}
		if name != keyword {
			found[name] = own
		}
	}
	return r.plain(mustMarshal(found), hops+1)
}

// led is what a $ref leads to, nil for nothing.
func (r *formReader) led(pointer json.RawMessage) json.RawMessage {
	path, ok := strings.CutPrefix(text(pointer), "#/")
	if !ok {
		return nil
	}
	found := r.given
	for step := range strings.SplitSeq(path, "/") {
		if name, err := url.PathUnescape(step); err == nil {
			step = name
		}
		found = read(found)[strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")]
	}
	return found
}

// listed is the items of a list, which are choices.
func (r *formReader) listed(items json.RawMessage) (json.RawMessage, *notAllowed) {
	if items == nil || string(items) == "null" {
		return nil, refuse("items")
	}
	s, _, refused := r.plain(items, 0)
	if refused == nil {
		s, refused = chosen(s)
	}
	if refused != nil {
		return nil, refused
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !slices.Contains([]string{"type", "enum", "oneOf", "title", "description", "default"}, name) {
			return nil, refuse(name)
		}
	}
	switch {
	case s["enum"] != nil:
		return mustMarshal(schema{"type": s["type"], "enum": s["enum"]}), nil
	case s["oneOf"] != nil:
		return mustMarshal(schema{"anyOf": s["oneOf"]}), nil
	}
	return nil, refuse("items")
}

// inside makes of a bound of whole numbers that is outside of them the nearest
// one inside.
func inside(s schema, outside, bound string, step int64) {
	beside, ok := s[bound]
	if !isNumber(s[outside], nil) || ok && !isNumber(beside, nil) {
		return
	}
	at, _ := new(big.Rat).SetString(string(s[outside]))
	at.Mul(at, big.NewRat(step, 1))
	n := new(big.Int).Div(at.Num(), at.Denom()) // the floor
	n.Add(n, big.NewInt(1)).Mul(n, big.NewInt(step))
	s[bound] = json.RawMessage(n.String())
	if ok && rawjson.Compare(string(beside), n.String())*int(step) > 0 {
		s[bound] = beside
	}
	delete(s, outside)
}

// saysNothing reports whether a keyword says nothing about answers.
func saysNothing(name string, value json.RawMessage) bool {
	switch name {
	case "readOnly", "writeOnly", "deprecated", "nullable", "uniqueItems":
		return string(value) == "false"
	}
	return slices.Contains([]string{"$defs", "definitions", "$id", "$anchor", "$comment"}, name)
}

// same reports whether two texts are the same JSON.
func same(a, b json.RawMessage) bool {
	var x, y any
	return decode(a, &x) == nil && decode(b, &y) == nil && string(mustMarshal(x)) == string(mustMarshal(y))
}

// mustMarshal writes what was read from JSON.
func mustMarshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(errors.New("gosdk: " + err.Error()))
	}
	return text
}
