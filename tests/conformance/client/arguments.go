package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// schema is what a value is made of: the members of a JSON Schema that say
// which values there are.
type schema struct {
	Ref        string                     `json:"$ref"`
	Type       json.RawMessage            `json:"type"` // a name, or several
	Const      json.RawMessage            `json:"const"`
	Default    json.RawMessage            `json:"default"`
	Enum       []json.RawMessage          `json:"enum"`
	Minimum    json.RawMessage            `json:"minimum"`
	MinLength  int                        `json:"minLength"`
	Format     string                     `json:"format"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// errElsewhere says that a schema is in another document.
//
// Source: MCP 2026-07-28, basic/index, JSON Schema Usage: implementations MUST
// NOT fetch it unasked.
var errElsewhere = errors.New("its schema is in another document, which is not fetched")

const maxDepth = 16 // schemas within schemas

// argumentsFor makes arguments of a tool's inputSchema: every property that can
// be made, as if a person had filled in all of a form.
func argumentsFor(inputSchema json.RawMessage) (any, error) {
	return valueFor(inputSchema, inputSchema, 0)
}

// valueFor makes a value of a schema of the document root.
func valueFor(text, root json.RawMessage, depth int) (any, error) {
	if depth == maxDepth {
		return nil, fmt.Errorf("its schema is more than %d deep", maxDepth)
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	switch {
	case s.Ref != "":
		target, err := refer(s.Ref, root)
		if err != nil {
			return nil, err
		}
		return valueFor(target, root, depth+1)
	case s.Const != nil:
		return s.Const, nil
	case s.Default != nil:
		return s.Default, nil
	case len(s.Enum) > 0:
		return s.Enum[0], nil
	}
	switch s.kind() {
	case "object":
		return s.object(root, depth)
	case "array":
		return []any{}, nil
	case "integer", "number":
		if s.Minimum != nil {
			return s.Minimum, nil
		}
		return 1, nil
	case "boolean":
		return true, nil
	case "null":
		return nil, nil
	}
	return entryText(s.Format, s.MinLength), nil
}

// kind is the type of the value, the first of several.
func (s *schema) kind() string {
	var one string
	var several []string
	switch {
	case json.Unmarshal(s.Type, &one) == nil:
		return one
	case json.Unmarshal(s.Type, &several) == nil && len(several) > 0:
		return several[0]
	case s.Properties != nil:
		return "object"
	}
	return "string"
}

// object leaves out what is optional and in another document.
func (s *schema) object(root json.RawMessage, depth int) (any, error) {
	object := map[string]any{}
	for name, property := range s.Properties {
		value, err := valueFor(property, root, depth+1)
		switch {
		case errors.Is(err, errElsewhere) && !slices.Contains(s.Required, name):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		default:
			object[name] = value
		}
	}
	return object, nil
}

// refer finds a schema of the same document, such as "#/$defs/id".
func refer(ref string, root json.RawMessage) (json.RawMessage, error) {
	path, within := strings.CutPrefix(ref, "#")
	if !within {
		return nil, errElsewhere
	}
	for _, step := range strings.Split(path, "/")[1:] {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(root, &members); err != nil || members[step] == nil {
			return nil, fmt.Errorf("there is no schema %s", ref)
		}
		root = members[step]
	}
	return root, nil
}
