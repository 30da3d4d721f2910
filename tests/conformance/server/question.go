package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// form is a question with one required property of a JSON type.
func form(message, property, kind string) mcp.InputRequest {
	return &mcp.ElicitParams{
		Message:         message,
		RequestedSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%[1]q]}`, property, kind)),
	}
}

// entered returns what the user entered in a form, nil if that is nothing the
// form asked for. refused reports that they declined or cancelled.
func entered[T string | bool](l leg, key, property string) (value *T, refused bool) {
	res, _ := l.answers[key].(*mcp.ElicitResult)
	if res == nil {
		return nil, false
	}
	switch res.Action {
	case "accept":
		if v, ok := res.Content[property].(T); ok {
			return &v, false
		}
	case "decline", "cancel":
		return nil, true
	}
	return nil, false
}

// message is a question for the client's model.
func message(text string, maxTokens int64) mcp.InputRequest {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		MaxTokens: maxTokens,
	}
}

// sampled returns the text that the client's model wrote, "" if there is none.
func (l leg) sampled(key string) string {
	res, _ := l.answers[key].(*mcp.CreateMessageWithToolsResult)
	if res == nil {
		return ""
	}
	var text strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	return text.String()
}

// roots returns the client's roots; ok is false if it did not list them.
func (l leg) roots(key string) (roots []*mcp.Root, ok bool) {
	res, _ := l.answers[key].(*mcp.ListRootsResult)
	if res == nil || slices.Contains(res.Roots, nil) {
		return nil, false
	}
	return res.Roots, true
}
