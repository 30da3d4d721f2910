// Package question is what the programs add to Parley's own form package: the words around a
// schema, what was typed or chosen on the screen, and what a server wants a model to be told.
// Package [form] knows what a schema means and whether an answer fits it.
//
// Every text in a Question is the server's, as it came.
package question

import (
	"encoding/json"
	"slices"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
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

// Asked is the question without the fields that are only shown.
func (q Question) Asked() Question {
	q.Fields = slices.DeleteFunc(slices.Clone(q.Fields), func(f form.Field) bool { return f.ReadOnly })
	return q
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
