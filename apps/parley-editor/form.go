package main

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	"github.com/parley-mcp/parley/engine/form"
)

// forms are the forms that the editor shows, by id: those of questions, until they
// are answered, and those of tools, until the server's tools are listed again.
type forms struct{ sync.Map }

// ofTools is what the ids of the forms of a server's tools begin with. A number
// follows.
func ofTools(peer string) string { return "tool " + peer + " " }

// replace takes the forms of a server's tools in place of those before.
func (f *forms) replace(peer string, added map[string]question.Question) {
	f.Range(func(id, _ any) bool {
		if number, ok := strings.CutPrefix(id.(string), ofTools(peer)); ok && !strings.Contains(number, " ") {
			f.Delete(id)
		}
		return true
	})
	for id, asked := range added {
		f.Store(id, asked)
	}
}

func (f *forms) find(id string) (question.Question, error) {
	found, _ := f.Load(id)
	asked, ok := found.(question.Question)
	if !ok {
		return asked, wrong("there is no such form any more")
	}
	return asked, nil
}

// content makes an object of one value for each field of a form, in their order.
func content(q question.Question, values []question.Value) (json.RawMessage, error) {
	if len(values) != len(q.Fields) {
		return nil, wrong("there are %d values for %d fields", len(values), len(q.Fields))
	}
	for i := range q.Fields {
		if err := checkValue(&q.Fields[i], values[i]); err != nil {
			return nil, err
		}
	}
	text, problems := q.Content(values)
	if problems == nil {
		return text, nil
	}
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.Text
	}
	refused := &jsonrpc2.Error{Code: codeAnswer, Message: "this cannot be sent: " + strings.Join(lines, "; ")}
	refused.SetError(map[string]any{"problems": problems}) // texts and numbers cannot fail
	return nil, refused
}

// checkValue says what is wrong with a value that no person could have given.
func checkValue(f *form.Field, v question.Value) error {
	switch {
	case v.Type < 0 || v.Type > len(f.Alternatives):
		return wrong("a value is of a type that the field does not have")
	case v.Type > 0:
		f = &f.Alternatives[v.Type-1]
	}
	most := len(f.Options)
	if f.Kind == form.Boolean {
		most = 2
	}
	for _, i := range v.Chosen {
		if i < 0 || i >= most {
			return wrong("a value chooses an option that the field does not have")
		}
	}
	if f.Kind != form.Choices && len(v.Chosen) > 1 {
		return wrong("a value chooses several options of a field that takes one")
	}
	return nil
}

type validateParams struct {
	Form  string         `json:"form"`
	Field int            `json:"field"`
	Value question.Value `json:"value"`
	One   bool           `json:"one"` // of a list: value is one of its values
}

// validate says what is wrong with a value while it is typed, if anything is.
func (h *host) validate(_ context.Context, p *validateParams) (any, error) {
	asked, err := h.forms.find(p.Form)
	if err != nil {
		return nil, err
	}
	if p.Field < 0 || p.Field >= len(asked.Fields) {
		return nil, wrong("the form has no such field")
	}
	f := &asked.Fields[p.Field]
	if err := checkValue(f, p.Value); err != nil {
		return nil, err
	}
	if p.One {
		f = question.One(f, p.Value)
	}
	var result struct {
		Problem string `json:"problem,omitempty"`
	}
	if _, problem := question.JSON(f, p.Value); problem != nil {
		result.Problem = question.Explain(f, problem)
	}
	return result, nil
}
