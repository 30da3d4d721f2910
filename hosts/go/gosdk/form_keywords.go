package gosdk

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/parley-mcp/parley/rawjson"
)

// schema is a JSON Schema under way: its keywords and their values, as they were
// written.
type schema map[string]json.RawMessage

// keywords are what a field may have, and whether a value may be there beside
// the others.
type keywords map[string]func(value json.RawMessage, s schema) bool

// fieldKeywords is what MCP 2026-07-28 lets a field have
// (PrimitiveSchemaDefinition), by its type; of one with choices, choice.
var fieldKeywords = map[string]keywords{
	"number":  numberKeywords,
	"integer": numberKeywords,
	"boolean": with(keywords{
		"default": func(v json.RawMessage, _ schema) bool { return string(v) == "true" || string(v) == "false" },
	}),
	"string": with(keywords{
		"format":    func(v json.RawMessage, _ schema) bool { return slices.Contains(formats, text(v)) },
		"minLength": isCount,
		"maxLength": isMost("minLength"),
		"default": func(v json.RawMessage, s schema) bool {
			return rawjson.IsString(v) && isWithin(count(utf8.RuneCountInString(text(v))), s["minLength"], s["maxLength"])
		},
	}),
	"choice": with(keywords{
		"enum":  known, // both were read before
		"oneOf": known,
		"enumNames": func(v json.RawMessage, s schema) bool {
			names, ok := texts(v)
			return ok && s["enum"] != nil && len(names) == len(values(s))
		},
		"default": isOneOf,
	}),
	"array": with(keywords{
		"items": known, // as above
		"minItems": func(v json.RawMessage, s schema) bool {
			return isCount(v, s) && isWithin(v, nil, count(len(values(read(s["items"])))))
		},
		"maxItems": isMost("minItems"),
		"default": func(v json.RawMessage, s schema) bool {
			chosen, ok := list(v)
			stray := func(one json.RawMessage) bool { return !isOneOf(one, read(s["items"])) }
			return ok && !slices.ContainsFunc(chosen, stray) && isWithin(count(len(chosen)), s["minItems"], s["maxItems"])
		},
	}),
}

var formats = []string{"email", "uri", "date", "date-time"}

var numberKeywords = with(keywords{
	"minimum": isNumber,
	"maximum": func(v json.RawMessage, s schema) bool { return isNumber(v, s) && isWithin(v, s["minimum"], nil) },
	"default": func(v json.RawMessage, s schema) bool {
		return isNumber(v, s) && isWithin(v, s["minimum"], s["maximum"]) && (text(s["type"]) == "number" || isWhole(v))
	},
})

// with adds what every field may have.
func with(own keywords) keywords {
	for _, name := range []string{"type", "title", "description"} {
		own[name] = func(v json.RawMessage, _ schema) bool { return rawjson.IsString(v) }
	}
	return own
}

func known(json.RawMessage, schema) bool { return true }

func isNumber(v json.RawMessage, _ schema) bool {
	if !rawjson.IsNumber(v) {
		return false
	}
	_, ok := rawjson.ParseDecimal(string(v))
	return ok
}

func isWhole(v json.RawMessage) bool {
	d, ok := rawjson.ParseDecimal(string(v))
	return ok && d.IsInteger()
}

func isCount(v json.RawMessage, s schema) bool {
	return isNumber(v, s) && isWhole(v) && isWithin(v, count(0), nil)
}

// isMost is a count that leaves something to answer beside the least.
func isMost(least string) func(json.RawMessage, schema) bool {
	return func(v json.RawMessage, s schema) bool {
		return isCount(v, s) && isWithin(v, count(1), nil) && isWithin(v, s[least], nil)
	}
}

// isWithin holds a number against bounds, nil for none.
func isWithin(v, least, most json.RawMessage) bool {
	return (!isNumber(least, nil) || rawjson.Compare(string(v), string(least)) >= 0) && (!isNumber(most, nil) || rawjson.Compare(string(v), string(most)) <= 0)
}

func isOneOf(v json.RawMessage, s schema) bool {
	return rawjson.IsString(v) && slices.Contains(values(s), text(v))
}

// values are the choices of a schema.
func values(s schema) []string {
	if enum, ok := texts(s["enum"]); ok {
		return enum
	}
	var all []string
	for _, keyword := range []string{"oneOf", "anyOf"} {
		options, _ := list(s[keyword])
		for _, option := range options {
			all = append(all, text(read(option)["const"]))
		}
	}
	return all
}

func count(n int) json.RawMessage { return rawjson.AppendInt(nil, int64(n)) }

func text(v json.RawMessage) string {
	if !rawjson.IsString(v) {
		return ""
	}
	s, _ := rawjson.Unquote(v)
	return s
}

// texts reads a list of texts.
func texts(v json.RawMessage) ([]string, bool) {
	all, ok := list(v)
	found := make([]string, len(all))
	for i, one := range all {
		found[i], ok = text(one), ok && rawjson.IsString(one)
	}
	return found, ok
}

func list(v json.RawMessage) ([]json.RawMessage, bool) {
	var all []json.RawMessage
	ok := rawjson.IsArray(v) && json.Unmarshal(v, &all) == nil
	return all, ok
}

// read reads an object, nil for anything else.
func read(v json.RawMessage) schema {
	var s schema
	if !rawjson.IsObject(v) || json.Unmarshal(v, &s) != nil {
		return nil
	}
	return s
}
