package gosdk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-mcp/parley/rawjson"
)

// bounds are what a form says of the values in its fields, as it was written: the
// schema's own type would round the numbers.
type bounds map[string]bound

type bound struct {
	Minimum, Maximum json.Number
	Default          json.RawMessage
}

// takeBounds reads them from a schema's text, and takes them out of the schema.
func takeBounds(text []byte, schema *jsonschema.Schema) (bounds, error) {
	all := bounds{}
	written := rawjson.Member(text, "properties")
	for name, property := range schema.Properties {
		field := rawjson.Member(written, name)
		if property == nil || !rawjson.IsObject(field) {
			continue
		}
		var b bound
		if err := json.Unmarshal(field, &b); err != nil {
			return nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
		}
		property.Minimum, property.Maximum = nil, nil
		if property.Default = nil; slices.Contains(schema.Required, name) {
			b.Default = nil // as for the SDK
		}
		all[name] = b
	}
	return all, nil
}

// fit reports whether the numbers in an answer are within the bounds.
func (b bounds) fit(content map[string]any) bool {
	for name, bound := range b {
		var text string
		switch n := content[name].(type) {
		case json.Number:
			text = string(n)
		case float64:
			text = spelling(n)
		default:
			continue
		}
		if !isWithin([]byte(text), []byte(bound.Minimum), []byte(bound.Maximum)) {
			return false
		}
	}
	return true
}

// fill puts defaults in the places of what was left out.
func (b bounds) fill(content map[string]any) error {
	for name, bound := range b {
		if _, given := content[name]; given || bound.Default == nil {
			continue
		}
		value, err := readValue(bound.Default)
		if err != nil {
			return err
		}
		content[name] = value
	}
	return nil
}

// plain is an answer for package jsonschema, to which a json.Number is text.
func plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(string(value), 10, 64); err == nil {
			return n
		}
		f, _ := value.Float64() // bounds are held against the number itself
		return f
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = plain(value[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(value))
		for name := range value {
			out[name] = plain(value[name])
		}
		return out
	}
	return value
}
