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

func readPrompt(to **Prompt, raw []byte, path string) *Error {
	p := &Prompt{Raw: raw}
	*to = p
	var name []byte
	if err := members(raw, path, func(member string, v []byte) *Error {
		switch member {
		case "name":
			name = v
		case "title":
			p.Title = optional(v)
		case "description":
			p.Description = optional(v)
		case "arguments":
			p.Arguments = some(v, readPromptArgument)
		case "icons":
			p.Icons = some(v, readIcon)
		case "_meta":
			p.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	return needed(&p.Name, name, path, "name")
}

func readPromptArgument(to **PromptArgument, raw []byte, path string) *Error {
	a := new(PromptArgument)
	*to = a
	var name []byte
	if err := members(raw, path, func(member string, v []byte) *Error {
		switch member {
		case "name":
			name = v
		case "title":
			a.Title = optional(v)
		case "description":
			a.Description = optional(v)
		case "required":
			a.Required = truth(v)
		}
		return nil
	}); err != nil {
		return err
	}
	return needed(&a.Name, name, path, "name")
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
func (r *GetPromptResult) UnmarshalJSON(text []byte) error {
	*r = GetPromptResult{}
	return whole(text, func(raw json.RawMessage) *Error {
		r.Raw = raw
		var messages []byte
		if err := members(raw, "the result", func(name string, v []byte) *Error {
			switch name {
			case "description":
				r.Description = optional(v)
			case "messages":
				messages = v
			case "_meta":
				r.Meta = objectOnly(v)
			}
			return nil
		}); err != nil {
			return err
		}
		return brought(&r.Messages, messages, "messages", readPromptMessage)
	})
}

func readPromptMessage(to **PromptMessage, raw []byte, path string) *Error {
	m := new(PromptMessage)
	*to = m
	var role, content []byte
	if err := members(raw, path, func(name string, v []byte) *Error {
		switch name {
		case "role":
			role = v
		case "content":
			content = v
		}
		return nil
	}); err != nil {
		return err
	}
	if err := needed(&m.Role, role, path, "role"); err != nil {
		return err
	}
	return readContent(&m.Content, content, within(path, "content"))
}
