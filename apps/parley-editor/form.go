package main

import (
	"context"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/engine/form"
	"github.com/parley-mcp/parley/rawjson"
)

// forms are the forms that the editor shows, by id: those of questions, until they
// are answered, and those of tools, until the server's tools are listed again.
type forms struct{ sync.Map }

// ofTools is what the ids of the forms of a server's tools begin with. A number
// follows.
func ofTools(peer string) string { return "tool " + peer + " " }

// replace takes the forms of a server's tools in place of those before.
func (f *forms) replace(peer string, added map[string]form.Schema) {
	f.Range(func(id, _ any) bool {
		if number, ok := strings.CutPrefix(id.(string), ofTools(peer)); ok && !strings.Contains(number, " ") {
			f.Delete(id)
		}
		return true
	})
	for id, schema := range added {
		f.Store(id, schema)
	}
}

func (f *forms) find(id string) (form.Schema, error) {
	found, _ := f.Load(id)
	schema, ok := found.(form.Schema)
	if !ok {
		return form.Schema{}, wrong("there is no such form any more")
	}
	return schema, nil
}

// content is what was filled in a form of a tool.
func (f *forms) content(id string, values []*value) ([]byte, error) {
	schema, err := f.find(id)
	if err != nil {
		return nil, err
	}
	return content(schema, values)
}

// fieldProblem is what is wrong with a field of an answer.
type fieldProblem struct {
	Field   int    `json:"field"`
	Problem string `json:"problem"`
}

// content makes an object of one value for each field, in their order. What has
// no value is left out.
func content(schema form.Schema, values []*value) ([]byte, error) {
	if len(values) != len(schema.Fields) {
		return nil, wrong("there are %d values for %d fields", len(values), len(schema.Fields))
	}
	var problems []fieldProblem
	text := []byte{'{'}
	for i := range schema.Fields {
		f := &schema.Fields[i]
		if err := checkValue(f, values[i]); err != nil {
			return nil, err
		}
		raw, problem := encode(f, values[i])
		if problem != nil {
			problems = append(problems, fieldProblem{i, explain(f, problem)})
		}
		if raw == nil || problem != nil {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, rawjson.AppendQuoted(nil, f.Name)...), ':'), raw...)
	}
	if problems == nil {
		return append(text, '}'), nil
	}
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.Problem
	}
	refused := &jsonrpc2.Error{Code: codeAnswer, Message: "this cannot be sent: " + strings.Join(lines, "; ")}
	refused.SetError(map[string]any{"problems": problems}) // texts and numbers cannot fail
	return nil, refused
}

// explain is a problem in words for the person.
func explain(f *form.Field, p *form.Problem) string {
	return plain.Line(f.Title, mostFieldLabel) + " " + plain.Line(p.Message, mostDescription)
}

type validateParams struct {
	Form  string `json:"form"`
	Field int    `json:"field"`
	Value *value `json:"value"`
}

// validate says what is wrong with a value while it is typed, if anything is.
func (h *host) validate(_ context.Context, p *validateParams) (any, error) {
	schema, err := h.forms.find(p.Form)
	if err != nil {
		return nil, err
	}
	if p.Field < 0 || p.Field >= len(schema.Fields) {
		return nil, wrong("the form has no such field")
	}
	f := &schema.Fields[p.Field]
	if err := checkValue(f, p.Value); err != nil {
		return nil, err
	}
	var result struct {
		Problem string `json:"problem,omitempty"`
	}
	if _, problem := encode(f, p.Value); problem != nil {
		result.Problem = explain(f, problem)
	}
	return result, nil
}
