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
func (r *ListToolsResult) UnmarshalJSON(text []byte) error {
	return page(text, "tools", &r.Raw, &r.NextCursor, &r.LeftOut, &r.Tools, readTool)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListPromptsResult) UnmarshalJSON(text []byte) error {
	return page(text, "prompts", &r.Raw, &r.NextCursor, &r.LeftOut, &r.Prompts, readPrompt)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourcesResult) UnmarshalJSON(text []byte) error {
	return page(text, "resources", &r.Raw, &r.NextCursor, &r.LeftOut, &r.Resources, readResource)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourceTemplatesResult) UnmarshalJSON(text []byte) error {
	return page(text, "resourceTemplates", &r.Raw, &r.NextCursor, &r.LeftOut, &r.ResourceTemplates, readResourceTemplate)
}

func page[T any](text []byte, list string, raw *json.RawMessage, next *string, left *[]*Error, items *[]T, read func(to *T, raw []byte, path string) *Error) error {
	*raw, *next, *left, *items = nil, "", nil, nil
	return whole(text, func(of json.RawMessage) *Error {
		*raw = of
		var entries []byte
		err := members(of, "the result", func(name string, v []byte) *Error {
			switch name {
			case list:
				entries = v
			case "nextCursor":
				*next = optional(v)
			}
			return nil
		})
		if err == nil {
			*left, err = usable(items, entries, list, read)
		}
		return err
	})
}
