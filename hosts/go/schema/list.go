package schema

import "encoding/json"

// ListToolsResult is a page of tools/list. NextCursor asks for the next one, ""
// if there is none.
type ListToolsResult struct {
	Tools      []*Tool         `json:"tools"`
	NextCursor string          `json:"nextCursor,omitempty"`
	Raw        json.RawMessage `json:"-"`
}

// ListPromptsResult is a page of prompts/list; see [ListToolsResult].
type ListPromptsResult struct {
	Prompts    []*Prompt       `json:"prompts"`
	NextCursor string          `json:"nextCursor,omitempty"`
	Raw        json.RawMessage `json:"-"`
}

// ListResourcesResult is a page of resources/list; see [ListToolsResult].
type ListResourcesResult struct {
	Resources  []*Resource     `json:"resources"`
	NextCursor string          `json:"nextCursor,omitempty"`
	Raw        json.RawMessage `json:"-"`
}

// ListResourceTemplatesResult is a page of resources/templates/list; see
// [ListToolsResult].
type ListResourceTemplatesResult struct {
	ResourceTemplates []*ResourceTemplate `json:"resourceTemplates"`
	NextCursor        string              `json:"nextCursor,omitempty"`
	Raw               json.RawMessage     `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListToolsResult) UnmarshalJSON(text []byte) error {
	return page(text, "tools", &r.Raw, &r.NextCursor, &r.Tools, readTool)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListPromptsResult) UnmarshalJSON(text []byte) error {
	return page(text, "prompts", &r.Raw, &r.NextCursor, &r.Prompts, readPrompt)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourcesResult) UnmarshalJSON(text []byte) error {
	return page(text, "resources", &r.Raw, &r.NextCursor, &r.Resources, readResource)
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *ListResourceTemplatesResult) UnmarshalJSON(text []byte) error {
	return page(text, "resourceTemplates", &r.Raw, &r.NextCursor, &r.ResourceTemplates, readResourceTemplate)
}

func page[T any](text []byte, list string, raw *json.RawMessage, next *string, items *[]T, read func(to *T, raw []byte, path string) *Error) error {
	*raw, *next, *items = nil, "", nil
	return whole(text, func(of json.RawMessage) *Error {
		*raw = of
		return members(of, "the result", func(name string, v []byte) *Error {
			switch name {
			case list:
				return entries(items, v, name, read)
			case "nextCursor":
				*next = ""
				if !isNull(v) {
					return needed(next, v, "", name)
				}
			}
			return nil
		})
	})
}
