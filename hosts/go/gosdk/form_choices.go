package gosdk

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/parley-mcp/parley/rawjson"
)

type option struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// chosen is a schema whose choices, if it has any, are an enum, or a oneOf if
// they have titles.
func chosen(s schema) (schema, *notAllowed) {
	var lists []string
	for _, name := range []string{"const", "enum", "anyOf", "oneOf"} {
		if _, ok := s[name]; ok {
			lists = append(lists, name)
		}
	}
	switch {
	case lists == nil:
		return s, nil
	case len(lists) > 1:
		return nil, refuse(lists[1])
	}
	keyword := lists[0]
	if kind, ok := s["type"]; ok && text(kind) != "string" {
		return nil, refuse(keyword)
	}
	found, refused := options(keyword, s[keyword])
	if refused != nil {
		return nil, refused
	}
	titled := false
	all := make([]string, len(found))
	for i, o := range found {
		titled = titled || o.Title != ""
		if all[i] = o.Const; keyword != "enum" && slices.Contains(all[:i], o.Const) {
			return nil, refuse(keyword)
		}
	}
	delete(s, keyword)
	s["type"] = json.RawMessage(`"string"`)
	if !titled {
		s["enum"] = mustMarshal(all)
		return s, nil
	}
	for i := range found {
		if found[i].Title == "" {
			found[i].Title = found[i].Const
		}
	}
	s["oneOf"] = mustMarshal(found)
	return s, nil
}

// options are the choices that a keyword lists.
func options(keyword string, value json.RawMessage) (all []option, refused *notAllowed) {
	add := func(title string, values ...json.RawMessage) {
		for _, v := range values {
			if !rawjson.IsString(v) {
				refused = refuse(keyword)
			}
			all = append(all, option{text(v), title})
		}
	}
	entries, ok := list(value)
	switch {
	case keyword == "const":
		add("", value)
	case !ok:
		return nil, refuse(keyword)
	case keyword == "enum":
		add("", entries...)
	default:
		for _, entry := range entries {
			s := read(entry)
			one, isOne := s["const"]
			several, areSeveral := list(s["enum"])
			if kind, ok := s["type"]; ok && text(kind) != "string" || isOne == areSeveral {
				return nil, refuse(keyword)
			}
			for _, name := range slices.Sorted(maps.Keys(s)) {
				if !slices.Contains([]string{"const", "enum", "type", "title"}, name) {
					return nil, &notAllowed{keyword: name, advice: adviceFor(keyword)}
				}
			}
			if title, ok := s["title"]; ok && !rawjson.IsString(title) {
				return nil, refuse("title")
			}
			if add("", several...); isOne {
				add(text(s["title"]), one)
			}
		}
	}
	if refused == nil && (len(all) == 0 || len(all) > maxOptions) {
		refused = refuse(keyword)
	}
	return all, refused
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
