package main

import (
	"context"
	"encoding/json"
	"fmt"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/plain"
)

// sampleQuestion is the params of ask/sample.
type sampleQuestion struct {
	about
	Messages []prompt `json:"messages"` // to be shown
	Request  string   `json:"request"`  // the CreateMessageRequest's params as JSON text, for the model
}

// prompt is a part of what the model is to be told.
type prompt struct {
	Who  string `json:"who"` // system, user or assistant, or whatever the server calls it
	Text string `json:"text"`
}

// sample has a model of the editor's answer, with the person's consent.
func (c *call) sample(ctx context.Context, q parley.Question) ([]byte, error) {
	shown := sampleQuestion{about: c.about(q), Messages: prompts(q.Params), Request: string(q.Params)}
	return c.put(ctx, q, "ask/sample", shown, &ask{
		id: shown.Ask, mayPark: shown.MayPark,
		accept: func(p *answerParams) ([]byte, error) {
			switch {
			case p.Result != "" && json.Valid([]byte(p.Result)):
				return []byte(p.Result), nil // the engine says what is wrong with it
			case p.Result != "":
				return nil, wrong("the result is not JSON")
			case p.Model == "":
				return nil, wrong("an answer to ask/sample names the model")
			}
			return fmt.Appendf(nil, `{"role":"assistant","content":{"type":"text","text":%s},"model":%s,"stopReason":"endTurn"}`,
				quote(p.Text), quote(p.Model)), nil
		},
	})
}

// prompts is all that params say to the model: what is no text stands there as
// JSON, so that nothing goes to the model unseen.
func prompts(params []byte) []prompt {
	var list []prompt
	say := func(who string, raw []byte) {
		list = append(list, prompt{plain.Line(who, mostName), plain.Text(words(raw), mostText)})
	}
	if system := member(params, "systemPrompt"); system != nil {
		say("system", system)
	}
	var messages []json.RawMessage
	json.Unmarshal(member(params, "messages"), &messages) // checked by the engine
	for _, message := range messages {
		who, content := words(member(message, "role")), member(message, "content")
		var blocks []json.RawMessage
		if json.Unmarshal(content, &blocks) != nil {
			blocks = []json.RawMessage{content}
		}
		for _, block := range blocks {
			if words(member(block, "type")) == "text" {
				say(who, member(block, "text"))
			} else {
				say(who, block)
			}
		}
	}
	return list
}
