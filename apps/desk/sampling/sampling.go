// Package sampling reads what a server wants a model to be told, and makes the
// result of what that says.
package sampling

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/desk/jsontext"
	"github.com/parley-mcp/parley/rawjson"
)

// Result is the CreateMessageResult of a model that said text.
func Result(model, text string) []byte {
	return fmt.Appendf(nil, `{"role":"assistant","content":{"type":"text","text":%s},"model":%s,"stopReason":"endTurn"}`,
		jsontext.Quote(text), jsontext.Quote(model))
}

// Message is a part of a prompt, to be shown before it is sent to a model. Its
// texts are the server's, as they came.
type Message struct {
	Who  string `json:"who"` // system, user or assistant, or whatever the server calls it
	Text string `json:"text"`
}

// known are the members of params that are no part of the prompt, or that are
// shown by themselves.
var known = []string{"_meta", "includeContext", "maxTokens", "messages", "metadata", "modelPreferences",
	"stopSequences", "systemPrompt", "task", "temperature", "toolChoice", "tools"}

// Prompt reads what a CreateMessageRequest's params say to the model. What has
// no place in them is shown as JSON: the command gets it, and may read it for
// something else, as those do that take names in any letter case.
func Prompt(params []byte) ([]Message, error) {
	var in jsontext.Reader
	var list []Message
	if system := in.Text(params, "systemPrompt"); system != "" {
		list = append(list, Message{"system", system})
	}
	for _, message := range in.List(params, "messages") {
		role, content := in.Text(message, "role"), jsontext.Get(message, "content")
		blocks := []json.RawMessage{content}
		switch {
		case !rawjson.Only(message, "role", "content", "_meta"):
			blocks[0] = message
		case len(content) > 0 && content[0] == '[':
			blocks = in.List(message, "content")
		}
		for _, block := range blocks {
			list = append(list, Message{role, blockText(block)})
		}
	}
	members, err := jsontext.Members(params)
	if err != nil || in.Odd {
		return nil, errors.New("the prompt cannot be read")
	}
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			list = append(list, Message{m.Name, string(m.Value)})
		}
	}
	return list, nil
}

// blockText is the text of a content block, or all of it as JSON, so that
// nothing goes to the model unseen.
func blockText(block []byte) string {
	var in jsontext.Reader
	kind, text := in.Text(block, "type"), in.Text(block, "text")
	if kind == "text" && !in.Odd && rawjson.Only(block, "type", "text", "annotations", "_meta") {
		return text
	}
	return string(block)
}
