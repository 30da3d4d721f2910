package question

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/rawjson"
)

// SamplingResult is the CreateMessageResult of a model that said text.
func SamplingResult(model, text string) []byte {
	return fmt.Appendf(nil, `{"role":"assistant","content":{"type":"text","text":%s},"model":%s,"stopReason":"endTurn"}`,
		jsontext.Quote(text), jsontext.Quote(model))
}

// SamplingMessage is a part of a prompt, to be shown before it is sent to a model. Its
// texts are the server's, as they came.
type SamplingMessage struct {
	Who  string `json:"who"` // system, user or assistant, or whatever the server calls it
	Text string `json:"text"`
}

// known are the members of params that are no part of the prompt, or that are
// shown by themselves.
var known = []string{"_meta", "includeContext", "maxTokens", "messages", "metadata", "modelPreferences",
	"stopSequences", "systemPrompt", "task", "temperature", "toolChoice", "tools"}

// SamplingPrompt reads what a CreateMessageRequest's params say to the model. What has
// no place in them is shown as JSON: the command gets it, and may read it for
// something else, as those do that take names in any letter case.
func SamplingPrompt(params []byte) ([]SamplingMessage, error) {
	var in jsontext.Reader
	var list []SamplingMessage
	if system := in.Text(params, "systemPrompt"); system != "" {
		list = append(list, SamplingMessage{"system", system})
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
			list = append(list, SamplingMessage{role, blockText(block)})
		}
	}
	members, err := jsontext.Members(params)
	if err != nil || in.Odd {
		return nil, errors.New("the prompt cannot be read")
	}
	for _, m := range members {
		if !slices.Contains(known, m.Name) {
			list = append(list, SamplingMessage{m.Name, string(m.Value)})
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
