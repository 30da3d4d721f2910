package question

import (
	"encoding/json"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// Entry is a member of an answer's content in the words of the form.
type Entry struct {
	Label string
	Value string
}

// Entries lists the members of an answer, even if it does not fit the form.
func (q Question) Entries(content json.RawMessage) []Entry {
	members, err := jsontext.Members(content)
	if err != nil {
		return []Entry{{Value: string(content)}}
	}
	entries := make([]Entry, len(members))
	for i, m := range members {
		entries[i] = Entry{m.Name, jsontext.Text(m.Value)}
		for j := range q.Fields {
			if f := &q.Fields[j]; f.Name == m.Name {
				entries[i] = Entry{f.Title, describe(f, m.Value)}
			}
		}
	}
	return entries
}

// Shown are the fields that are only shown, with their values.
func (q Question) Shown() []Entry {
	var entries []Entry
	for i := range q.Fields {
		switch f := &q.Fields[i]; {
		case f.ReadOnly && f.Default == "":
			entries = append(entries, Entry{f.Title, leftEmpty})
		case f.ReadOnly:
			entries = append(entries, Entry{f.Title, describe(f, json.RawMessage(f.Default))})
		}
	}
	return entries
}

// describe is a JSON value in the words of a field.
func describe(f *form.Field, raw json.RawMessage) string {
	if f.Nullable && string(raw) == "null" {
		return leftEmpty
	}
	switch f.Kind {
	case form.Boolean:
		switch string(raw) {
		case "true":
			return yes
		case "false":
			return no
		}
	case form.Choice:
		if i := option(f, raw); i >= 0 {
			return title(&f.Options[i])
		}
	case form.Choices, form.List:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			labels := make([]string, len(list))
			for i, one := range list {
				labels[i] = jsontext.Text(one)
				if o := option(f, one); o >= 0 {
					labels[i] = title(&f.Options[o])
				}
			}
			if len(labels) == 0 {
				return "none"
			}
			return strings.Join(labels, ", ")
		}
	case form.Union:
		if i := alternative(f, raw); i >= 0 {
			return describe(&f.Alternatives[i], raw)
		}
	}
	return jsontext.Text(raw)
}

// option is the index of the option with a value, or -1.
func option(f *form.Field, raw json.RawMessage) int {
	for i := range f.Options {
		if f.Options[i].Value == string(raw) {
			return i
		}
	}
	for i := range f.Options { // 1 and 1.0 are the same
		one := form.Field{Kind: form.Choice, Options: f.Options[i : i+1]}
		if one.Check(raw) == nil {
			return i
		}
	}
	return -1
}

// alternative is the index of the first alternative that a value fits, or -1.
func alternative(f *form.Field, raw json.RawMessage) int {
	for i := range f.Alternatives {
		if f.Alternatives[i].Check(raw) == nil {
			return i
		}
	}
	return -1
}
