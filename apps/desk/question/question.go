// Package question is what the programs add to Parley's own form package: the
// words around a schema, and what was typed or chosen on the screen. What the
// schema means and whether an answer fits it, [form] says.
//
// Every text in a Question is the server's, as it came.
package question

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/engine/form"
)

// Question is an elicitation in form mode.
type Question struct {
	Message string
	form.Schema
}

// Parse reads the params of an elicitation/create request that the engine has
// let through.
func Parse(params []byte) (Question, error) {
	schema, problem := form.Parse(jsontext.Get(params, "requestedSchema"))
	if problem != nil {
		return Question{}, problem
	}
	return Question{jsontext.Text(params, "message"), schema}, nil
}

// Problem is what is wrong with a field of an answer, in words fit to be shown.
type Problem struct {
	Field int    `json:"field"`
	Text  string `json:"problem"`
}

// Content makes the content of the answer from one value for each field, in
// their order, or says what is wrong. Fields without a value are left out.
func (q Question) Content(values []Value) (content json.RawMessage, problems []Problem) {
	content = []byte{'{'}
	for i := range q.Fields {
		f := &q.Fields[i]
		raw, problem := JSON(f, values[i])
		if problem != nil {
			problems = append(problems, Problem{i, Explain(f, problem)})
		}
		if raw == nil {
			continue
		}
		if len(content) > 1 {
			content = append(content, ',')
		}
		content = append(append(append(content, jsontext.Quote(f.Name)...), ':'), raw...)
	}
	if problems != nil {
		return nil, problems
	}
	return append(content, '}'), nil
}

// Skeleton is what an answer looks like, for somebody who has to write one:
// {"id": <integer>, "note": <text, optional>}.
func (q Question) Skeleton() string {
	parts := make([]string, len(q.Fields))
	for i, field := range q.Fields {
		optional := ""
		if !field.Required {
			optional = ", optional"
		}
		parts[i] = fmt.Sprintf("%s: <%s%s>", jsontext.Quote(field.Name), wants(field), optional)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// wants says in a word or two what goes into a field.
func wants(f form.Field) string {
	switch f.Kind {
	case form.String:
		if f.Format != "" {
			return string(f.Format)
		}
		return "text"
	case form.Integer:
		return "integer"
	case form.Number:
		return "number"
	case form.Boolean:
		return "true or false"
	}
	values := make([]string, len(f.Options))
	for i, o := range f.Options {
		values[i] = string(jsontext.Quote(o.Value))
	}
	if f.Kind == form.Choices {
		return "list of " + strings.Join(values, ", ")
	}
	return strings.Join(values, " or ")
}

// Entry is a member of an answer's content in the words of the form.
type Entry struct {
	Label string
	Value string
}

// Entries describes an answer's content, also one that does not fit the form.
func (q Question) Entries(content json.RawMessage) []Entry {
	members, err := jsontext.Members(content)
	if err != nil {
		return []Entry{{Value: string(content)}}
	}
	entries := make([]Entry, len(members))
	for i, m := range members {
		entries[i] = Entry{m.Name, jsontext.Text(m.Value)}
		for _, field := range q.Fields {
			if field.Name == m.Name {
				entries[i] = Entry{field.Title, describe(field, m.Value)}
			}
		}
	}
	return entries
}

// describe is a JSON value in the words of a field.
func describe(f form.Field, raw json.RawMessage) string {
	switch f.Kind {
	case form.Boolean:
		switch string(raw) {
		case "true":
			return "yes"
		case "false":
			return "no"
		}
	case form.Choice:
		if i := option(f, raw); i >= 0 {
			return f.Options[i].Title
		}
	case form.Choices:
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			labels := make([]string, len(list))
			for i, one := range list {
				labels[i] = jsontext.Text(one)
				if o := option(f, one); o >= 0 {
					labels[i] = f.Options[o].Title
				}
			}
			if len(labels) == 0 {
				return "none"
			}
			return strings.Join(labels, ", ")
		}
	}
	return jsontext.Text(raw)
}

// option is the index of the option with a value, or -1.
func option(f form.Field, raw json.RawMessage) int {
	for i, o := range f.Options {
		if len(raw) > 0 && raw[0] == '"' && o.Value == jsontext.Text(raw) {
			return i
		}
	}
	return -1
}
