package stories

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addSummary adds summarise: the client's own model does the work.
func addSummary(d *desk) {
	addTool(d, &mcp.Tool{
		Name:        "summarise",
		Title:       "Summarise a text",
		Description: "Summarises a text with the client's model.",
		InputSchema: json.RawMessage(`{
			"type": "object",
			"properties": {"text": {"type": "string", "minLength": 1, "maxLength": 20000}},
			"required": ["text"]
		}`),
	}, summary)
}

func summary(in struct {
	Text string `json:"text"`
}, r round) reply {
	q := sample{
		name:      "summary",
		system:    "You summarise texts in one sentence.",
		prompt:    "Summarise this text:\n\n" + in.Text,
		maxTokens: 200,
	}
	text, ok := r.sampled(q)
	if !ok {
		return r.ask(nil, q)
	}
	return answer("%s", text)
}
