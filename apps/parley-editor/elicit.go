package main

import (
	"context"
	"fmt"

	"github.com/parley-mcp/parley/apps/shared-go/question"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// elicitQuestion is the params of ask/elicit.
type elicitQuestion struct {
	about
	Form    string  `json:"form"` // for validate
	Fields  []field `json:"fields"`
	Hint    string  `json:"hint,omitempty"`    // what only the server checks of the whole answer
	Earlier bool    `json:"earlier,omitempty"` // the fields begin with what was answered before the call was begun again
}

// elicit has the person fill in a form.
func (c *call) elicit(ctx context.Context, q parley.Question) ([]byte, error) {
	asked, err := question.Parse(q.Params)
	if err != nil {
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	shown := elicitQuestion{about: c.about(q), Fields: fieldsOf(asked, q.Earlier), Earlier: q.Earlier != nil, Hint: question.Unchecked(asked.Unchecked)}
	shown.Form = "ask " + shown.Ask
	c.host.forms.Store(shown.Form, asked)
	defer c.host.forms.Delete(shown.Form)
	return c.put(ctx, q, shown.Ask, "ask/elicit", shown, func(p *answerParams) ([]byte, error) {
		content, err := content(asked, p.Values)
		if err != nil {
			return nil, err
		}
		return parley.Accept(content)
	})
}
