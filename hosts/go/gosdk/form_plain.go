package gosdk

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// plain is what a schema stands for, without references and without null, and
// whether there was null.
func (r *formReader) plain(value json.RawMessage, hops int) (s schema, nullable bool, _ *notAllowed) {
	if s = read(value); s == nil {
		return nil, false, refuse("type")
	}
	if hops > maxHops {
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

// saysNothing reports whether a keyword says nothing about answers.
func saysNothing(name string, value json.RawMessage) bool {
	switch name {
	case "readOnly", "writeOnly", "deprecated", "nullable", "uniqueItems":
		return string(value) == "false"
	}
	return slices.Contains([]string{"$defs", "definitions", "$id", "$anchor", "$comment"}, name)
}
