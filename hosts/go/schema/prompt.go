package schema

import "encoding/json"

// Prompt is a text a server offers to fill in.
type Prompt struct {
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Arguments   []*PromptArgument `json:"arguments,omitempty"`
	Icons       []Icon            `json:"icons,omitempty"`
	Meta        json.RawMessage   `json:"-"`
	Raw         json.RawMessage   `json:"-"`
}

// PromptArgument is what a [Prompt] is filled in with.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// GetPromptResult is the result of prompts/get.
type GetPromptResult struct {
	Description string           `json:"description,omitempty"`
	Messages    []*PromptMessage `json:"messages"`
	Meta        json.RawMessage  `json:"-"`
	Raw         json.RawMessage  `json:"-"`
}

// PromptMessage is a message for a model.
type PromptMessage struct {
	Role    string  `json:"role"` // user, assistant
	Content Content `json:"content"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *GetPromptResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }
