package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/internal/plain"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/rawjson"
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
	return c.put(ctx, q, "ask/sample", shown, func(p *answerParams) ([]byte, error) {
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
	})
}

// known are the members of params that are no part of the prompt, or that are
// shown by themselves.
var known = []string{"_meta", "includeContext", "maxTokens", "messages", "metadata", "modelPreferences",
	"stopSequences", "systemPrompt", "task", "temperature", "toolChoice", "tools"}

// prompts is all that params say to the model: what is no text stands there as
// JSON, so that nothing goes to the model unseen. So does what has no place in
// params: a model's command may read it for something else, as those do that
// take names in any letter case.
func prompts(params []byte) []prompt {
	var list []prompt
	say := func(who string, raw []byte) {
		list = append(list, prompt{plain.Line(who, mostName), plain.Text(words(raw), mostText)})
	}
	if system := rawjson.Member(params, "systemPrompt"); system != nil {
		say("system", system)
	}
	for _, message := range elements(rawjson.Member(params, "messages")) { // checked by the engine
		who, content := words(rawjson.Member(message, "role")), rawjson.Member(message, "content")
		blocks := elements(content)
		switch {
		case !rawjson.Only(message, "role", "content", "_meta"):
			blocks = []json.RawMessage{message}
		case len(content) > 0 && content[0] != '[':
			blocks = []json.RawMessage{content}
		}
		for _, block := range blocks {
			if words(rawjson.Member(block, "type")) == "text" && rawjson.Only(block, "type", "text", "annotations", "_meta") {
				say(who, rawjson.Member(block, "text"))
			} else {
				say(who, block)
			}
		}
	}
	var m rawjson.Members
	for m.Start(params); m.Next(); {
		if !slices.ContainsFunc(known, m.Is) {
			say(words(m.Name), m.Value)
		}
	}
	return list
}
