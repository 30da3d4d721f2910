package main

import (
	"context"
	"encoding/json"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/shared-go/question"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// sampleQuestion is the params of ask/sample.
type sampleQuestion struct {
	about
	Messages []question.SamplingMessage `json:"messages"` // fit to be shown
	Request  string                     `json:"request"`  // the CreateMessageRequest's params as JSON text, for the model
}

// sample has a model of the editor's answer, with the person's consent.
func (c *call) sample(ctx context.Context, q parley.Question) ([]byte, error) {
	prompt, err := question.SamplingPrompt(q.Params)
	if err != nil {
		return nil, err
	}
	for i, m := range prompt {
		prompt[i] = question.SamplingMessage{Who: plain.Line(m.Who, maxName), Text: plain.Text(m.Text, maxText)}
	}
	shown := sampleQuestion{about: c.about(q), Messages: prompt, Request: string(q.Params)}
	return c.put(ctx, q, shown.Ask, "ask/sample", shown, func(p *answerParams) ([]byte, error) {
		switch {
		case p.Result != "" && json.Valid([]byte(p.Result)):
			return []byte(p.Result), nil // the engine says what is wrong with it
		case p.Result != "":
			return nil, wrong("the result is not JSON")
		case p.Model == "":
			return nil, wrong("an answer to ask/sample names the model")
		}
		return question.SamplingResult(p.Model, p.Text), nil
	})
}
