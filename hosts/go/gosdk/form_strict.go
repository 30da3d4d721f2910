package gosdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
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
	maxHops    = 16 // of references
	maxFields  = 128
	maxOptions = 1024
)

// closing forbids all answers but those that are asked for.
var closing = []string{"additionalProperties", "unevaluatedProperties"}

// notAllowed is the error of an author whose form MCP does not have.
type notAllowed struct{ at, keyword, advice string }

func (e *notAllowed) Error() string {
	return fmt.Sprintf("gosdk: MCP allows no such %q for %s: %s", e.keyword, e.at, e.advice)
}

// Where something is that is not allowed.
const atForm = "a form"

func atField(name string) string {
	return fmt.Sprintf("the field %s of a form", rawjson.AppendQuoted(nil, name))
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
		refused.at = at
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
		return nil, atForm, refused
	}
	if _, ok := root["type"]; ok && text(root["type"]) != "object" {
		return nil, atForm, refuse("type")
	}
	root["type"] = json.RawMessage(`"object"`)
	properties, required := root["properties"], root["required"]
	if properties == nil {
		properties = json.RawMessage("{}")
	}
	if !rawjson.IsObject(properties) || len(read(properties)) > maxFields {
		return nil, atForm, refuse("properties")
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
			return nil, atForm, refuse(name)
		}
	}
	asked, ok := texts(required)
	sorted := slices.Sorted(slices.Values(asked))
	if required != nil && !ok || len(slices.Compact(sorted)) < len(asked) {
		return nil, atForm, refuse("required")
	}
	var fields []byte
	var m rawjson.Members
	for m.Start(properties); m.Next(); {
		name, _ := rawjson.Unquote(m.Name)
		s, nullable, empty, refused := r.field(m.Value)
		if refused != nil {
			return nil, atField(name), refused
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
			return nil, atField(name), refuse("required")
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
