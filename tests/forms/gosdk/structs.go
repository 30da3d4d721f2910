package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

const many = 200

// drawn is a type that people write for a form, and its schema: what the library makes of it, with what authors add by hand,
// for which there are no tags.
type drawn struct {
	kind   string // flat, nested or secret
	of     reflect.Type
	schema *jsonschema.Schema
}

type (
	color   string
	level   int
	address struct {
		Street string `json:"street"`
		City   string `json:"city,omitempty"`
	}
)

var (
	names = strings.Fields("name age email city count price size when until note tags level color notify id web share team room")
	words = []any{"red", "green", "blue", "small", "large", "fast", "slow"}

	// The way to describe an enumeration.
	known = map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[color](): {Type: "string", Enum: []any{"red", "green", "blue"}},
		reflect.TypeFor[level](): {Type: "integer", Enum: []any{1, 2, 3}},
	}

	texts   = reflect.TypeFor[string]()
	numbers = []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[float64]()}
	flat    = []reflect.Type{texts, texts, reflect.TypeFor[bool](), reflect.TypeFor[color](), reflect.TypeFor[level](),
		reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16](),
		reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](),
		reflect.TypeFor[*string](), reflect.TypeFor[*int](), reflect.TypeFor[*int64](), reflect.TypeFor[*float64](), reflect.TypeFor[*bool](),
		reflect.TypeFor[*uint8](), reflect.TypeFor[*color](), reflect.TypeFor[*level](), reflect.TypeFor[json.Number](),
		reflect.TypeFor[[]string](), reflect.TypeFor[[]string](), reflect.TypeFor[[]int](), reflect.TypeFor[[]float64](), reflect.TypeFor[[]color](),
		reflect.TypeFor[[]level](), reflect.TypeFor[[2]string](), reflect.TypeFor[[]uint16](), reflect.TypeFor[*[]string](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](), reflect.TypeFor[time.Duration]()}
	nested = []reflect.Type{reflect.TypeFor[address](), reflect.TypeFor[*address](), reflect.TypeFor[[]address](),
		reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]any](), reflect.TypeFor[any](), reflect.TypeFor[[]any](), reflect.TypeFor[[][]int]()}
)

// draw is the types of a seed.
func draw(seed uint64) []drawn {
	d := &dice{seed}
	all := make([]drawn, many)
	for i := range all {
		all[i] = drawOne(d)
	}
	return all
}

func drawOne(d *dice) drawn {
	form := drawn{kind: "flat"}
	ways := make([]string, 1+d.below(5))
	for i := range ways {
		ways[i] = one(d, "type", "type", "text", "number", "format", "choice", "several")
	}
	if d.below(10) == 0 {
		form.kind = one(d, "nested", "secret")
		ways = append(ways, form.kind)
	}
	var fields []reflect.StructField
	changes := map[string]func(*jsonschema.Schema){}
	for i, name := range some(d, len(ways), names...) {
		of, change := field(d, ways[i])
		fields = append(fields, reflect.StructField{
			Name: strings.ToUpper(name[:1]) + name[1:], Type: of,
			Tag: reflect.StructTag(fmt.Sprintf("json:%q", name+one(d, "", "", ",omitempty", ",omitzero")) + described(d, of)),
		})
		changes[name] = change
	}
	form.of = reflect.StructOf(fields)
	var err error
	if form.schema, err = jsonschema.ForType(form.of, &jsonschema.ForOptions{TypeSchemas: known}); err != nil {
		panic(err)
	}
	for name, change := range changes {
		if change != nil {
			change(form.schema.Properties[name])
		}
	}
	return form
}

// described says how to write what the schema calls no more than text.
func described(d *dice, of reflect.Type) string {
	switch of {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time]():
		return ` jsonschema:"a time like 2026-01-02T15:04:05Z"`
	case reflect.TypeFor[json.Number]():
		return ` jsonschema:"a number like 12"`
	}
	return one(d, "", "", ` jsonschema:"what the server wants to know"`)
}

// field is a type and what its author changes in the schema of it.
func field(d *dice, way string) (of reflect.Type, change func(*jsonschema.Schema)) {
	n := d.below(20)
	switch way {
	case "type":
		return one(d, flat...), nil
	case "text":
		return one(d, texts, texts, reflect.TypeFor[*string]()), one(d,
			func(s *jsonschema.Schema) { s.MinLength = jsonschema.Ptr(n) },
			func(s *jsonschema.Schema) { s.MaxLength = jsonschema.Ptr(n + 5) },
			func(s *jsonschema.Schema) { s.Pattern = "^[A-Z]{3}$" },
			func(s *jsonschema.Schema) { s.Title, s.Default = "Your text", json.RawMessage(`"some text"`) },
			func(s *jsonschema.Schema) { s.Examples = []any{"Oslo"} },
			func(s *jsonschema.Schema) { s.Deprecated = true })
	case "number":
		return one(d, numbers...), one(d,
			func(s *jsonschema.Schema) { s.Minimum, s.Maximum = jsonschema.Ptr(1.0), jsonschema.Ptr(float64(n+1)) },
			func(s *jsonschema.Schema) { s.ExclusiveMinimum = jsonschema.Ptr(float64(n)) },
			func(s *jsonschema.Schema) { s.ExclusiveMaximum = jsonschema.Ptr(float64(n)) },
			func(s *jsonschema.Schema) { s.MultipleOf = jsonschema.Ptr(5.0) },
			func(s *jsonschema.Schema) { s.Default = json.RawMessage("7") },
			func(s *jsonschema.Schema) { s.Const = jsonschema.Ptr[any](1) },
			func(s *jsonschema.Schema) { s.Enum = []any{1, 2, n + 3} })
	case "format":
		format := one(d, "email", "email", "uri", "date", "date-time", "uuid", "time", "ipv4", "hostname", "duration")
		return texts, func(s *jsonschema.Schema) { s.Format = format }
	case "choice":
		chosen := some(d, 2+d.below(3), words...)
		return texts, one(d,
			func(s *jsonschema.Schema) { s.Enum = chosen },
			func(s *jsonschema.Schema) { s.Enum, s.Default = chosen, json.RawMessage(fmt.Sprintf("%q", chosen[0])) },
			func(s *jsonschema.Schema) { s.OneOf = titled(chosen) },
			func(s *jsonschema.Schema) { s.Type, s.OneOf = "", titled(chosen) },
			func(s *jsonschema.Schema) { s.AnyOf = titled(chosen) },
			func(s *jsonschema.Schema) { s.Enum, s.Extra = chosen, map[string]any{"enumNames": chosen} })
	case "several":
		chosen := some(d, 2+d.below(3), words...)
		return reflect.TypeFor[[]string](), one(d,
			func(s *jsonschema.Schema) { s.Items.Enum = chosen },
			func(s *jsonschema.Schema) { s.Items = &jsonschema.Schema{AnyOf: titled(chosen)} },
			func(s *jsonschema.Schema) { s.MinItems, s.MaxItems = jsonschema.Ptr(1), jsonschema.Ptr(3) },
			func(s *jsonschema.Schema) { s.Items.MinLength, s.UniqueItems = jsonschema.Ptr(1), true },
			func(s *jsonschema.Schema) { s.Items.Format = "email" })
	case "nested":
		return one(d, nested...), nil
	}
	return one(d, texts, reflect.TypeFor[*string]()), one(d,
		func(s *jsonschema.Schema) { s.Format = "password" },
		func(s *jsonschema.Schema) { s.WriteOnly = true })
}

func titled(values []any) (all []*jsonschema.Schema) {
	for _, value := range values {
		all = append(all, &jsonschema.Schema{Const: jsonschema.Ptr(value), Title: strings.ToUpper(value.(string))})
	}
	return all
}
