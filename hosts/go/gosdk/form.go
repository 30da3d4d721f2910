package gosdk

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

// Form asks for a T, a struct of strings, numbers and booleans with JSON tags.
// Without a RequestedSchema the form is made from T by [jsonschema.For], with the
// bounds of its fields' types: a tag `jsonschema:"..."` describes a field, one
// with omitempty or behind a pointer may be left out, a [time.Time] is a
// date-time. A whole number that its field cannot hold, such as one of 64 bits in
// a float64, is an error; see [Exact] for how one gets here.
//
// What MCP has no form for is an error before anybody is asked (see the package's
// documentation): nested structs, maps, lists without a choice. [FormOf] tells
// when the program starts.
//
// action is what the person did, as in [mcp.ElicitResult]: "accept", and only
// then is there content, "decline" or "cancel".
func Form[T any](ctx context.Context, a *Ask, p *mcp.ElicitParams) (content T, action string, err error) {
	asked := *p
	if asked.RequestedSchema == nil {
		schema, err := schemaOf(reflect.TypeFor[T]())
		if err != nil {
			return content, "", err
		}
		asked.RequestedSchema = schema
	}
	form, err := readForm(asked.RequestedSchema)
	if err != nil {
		return content, "", err
	}
	res, err := a.Elicit(ctx, &asked)
	if err != nil {
		return content, "", err
	}
	if res.Action != "accept" {
		return content, res.Action, nil
	}
	if err := form.fill(&content, res.Content); err != nil {
		var none T
		return none, "", err
	}
	return content, res.Action, nil
}

// fill puts an answer into what content points to. Members the form does not
// have are dropped, not just ignored: encoding/json would take one that differs
// in case for a field.
func (f *strictForm) fill(content any, answer map[string]any) error {
	values := maps.Clone(answer)
	maps.DeleteFunc(values, func(name string, _ any) bool { return !slices.Contains(f.fields, name) })
	text, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(text, content)
	}
	if err != nil || !holds(content, values) {
		return fmt.Errorf("gosdk: RequestedSchema allows what %v cannot hold", reflect.TypeOf(content).Elem()) // the cause would quote the answer
	}
	return nil
}

// holds reports whether content has the whole numbers that a float64 would
// change. A float64 in it is filled without an error.
func holds(content any, values map[string]any) bool {
	var written []byte
	for name, value := range values {
		exact, ok := value.(json.Number)
		if !ok {
			continue
		}
		if written == nil {
			written, _ = json.Marshal(content)
		}
		held := rawjson.Member(written, name)
		if rawjson.IsNumber(held) && rawjson.Compare(string(held), string(exact)) != 0 {
			return false
		}
	}
	return true
}

// FormOf is the RequestedSchema that [Form] makes of T. A program that calls it
// when it starts hears then, and not from the first client, that MCP has no form
// for T.
func FormOf[T any]() (json.RawMessage, error) {
	schema, _, err := formOf(reflect.TypeFor[T]())
	return schema, err
}

func formOf(t reflect.Type) (json.RawMessage, *strictForm, error) {
	schema, err := schemaOf(t)
	if err != nil {
		return nil, nil, err
	}
	form, err := readForm(schema)
	if err != nil {
		return nil, nil, err
	}
	return schema, form, nil
}

// schemaOf is the schema of a type, with its bounds: those of 64 bits are beyond
// what package jsonschema can say.
func schemaOf(t reflect.Type) (json.RawMessage, error) {
	times := &jsonschema.Schema{Type: "string", Format: "date-time"}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[time.Time](): times}})
	if err != nil {
		return nil, fmt.Errorf("gosdk: no form can be made of %v: %w", t, err)
	}
	schema.AdditionalProperties = nil // an answer to what was not asked is dropped
	text := mustMarshal(schema)
	fields := rawjson.Member(text, "properties")
	bounded := fields
	for name, property := range schema.Properties {
		if property.Type != "integer" && !slices.Contains(property.Types, "integer") || property.Maximum != nil {
			continue
		}
		field := rawjson.Member(fields, name)
		if property.Minimum == nil { // it has a sign
			field = replaced(replaced(field, "minimum", []byte("-9223372036854775808")), "maximum", []byte("9223372036854775807"))
		} else {
			field = replaced(field, "maximum", []byte("18446744073709551615"))
		}
		bounded = replaced(bounded, name, field)
	}
	return put(text, "properties", fields, bounded), nil
}

// readSchema reads a form's schema, and apart from it what that would round.
func readSchema(requested any) (*jsonschema.Schema, bounds, error) {
	text, err := json.Marshal(requested)
	if err != nil {
		return nil, nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(text, schema); err != nil {
		return nil, nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	bounds, err := takeBounds(text, schema)
	return schema, bounds, err
}
