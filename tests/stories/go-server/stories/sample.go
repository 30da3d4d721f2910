package stories

import (
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxSampled is the most text, in bytes, a story takes from a client's model.
const maxSampled = 8 << 10

// sample is a sampling/createMessage question.
type sample struct {
	name      string // its key in inputRequests
	system    string
	prompt    string
	maxTokens int64
}

func (s sample) key() string { return s.name }

func (s sample) request(bool) mcp.InputRequest {
	return &mcp.CreateMessageParams{
		SystemPrompt: s.system,
		Messages:     []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: s.prompt}}},
		MaxTokens:    s.maxTokens,
	}
}

// sampled returns the text the client's model wrote, if there is any.
func (r round) sampled(s sample) (string, bool) {
	res, _ := r.answers[s.name].(*mcp.CreateMessageWithToolsResult)
	if res == nil || !r.asked(s.name) || res.Role != "assistant" {
		return "", false
	}
	var parts []string
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			parts = append(parts, t.Text)
		}
	}
	text := strings.TrimSpace(strings.Join(parts, "\n"))
	return text, text != "" && len(text) <= maxSampled
}
