package schema

import "encoding/json"

// ListToolsResult is a page of tools/list.
type ListToolsResult struct {
	Tools      []*Tool         `json:"tools"`
	NextCursor string          `json:"nextCursor,omitempty"` // as far as it is text: whether there is a next page, and what asks for it, the call's Outcome says
	LeftOut    []*Error        `json:"-"`                    // entries that cannot be used, and why
	Raw        json.RawMessage `json:"-"`
}

// ListPromptsResult is a page of prompts/list; see [ListToolsResult].
type ListPromptsResult struct {
	Prompts    []*Prompt       `json:"prompts"`
	NextCursor string          `json:"nextCursor,omitempty"`
	LeftOut    []*Error        `json:"-"`
	Raw        json.RawMessage `json:"-"`
}

// ListResourcesResult is a page of resources/list; see [ListToolsResult].
type ListResourcesResult struct {
	Resources  []*Resource     `json:"resources"`
	NextCursor string          `json:"nextCursor,omitempty"`
	LeftOut    []*Error        `json:"-"`
	Raw        json.RawMessage `json:"-"`
}

// ListResourceTemplatesResult is a page of resources/templates/list; see
// [ListToolsResult].
type ListResourceTemplatesResult struct {
	ResourceTemplates []*ResourceTemplate `json:"resourceTemplates"`
	NextCursor        string              `json:"nextCursor,omitempty"`
	LeftOut           []*Error            `json:"-"`
	Raw               json.RawMessage     `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListToolsResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListPromptsResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourcesResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourceTemplatesResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }
