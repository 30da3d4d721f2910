package schema

import (
	"encoding/json"
	"time"
)

// Tool is what a server offers to call.
type Tool struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitempty"`
	Description  string           `json:"description,omitempty"`
	InputSchema  json.RawMessage  `json:"inputSchema,omitempty"`  // JSON Schema of the arguments
	OutputSchema json.RawMessage  `json:"outputSchema,omitempty"` // JSON Schema of StructuredContent
	Annotations  *ToolAnnotations `json:"annotations,omitempty"`
	Execution    *ToolExecution   `json:"execution,omitempty"`
	Icons        []Icon           `json:"icons,omitempty"`
	Meta         json.RawMessage  `json:"-"`
	Raw          json.RawMessage  `json:"-"`
}

// ToolAnnotations are hints, and those of a server that is not trusted may be
// wrong.
type ToolAnnotations struct {
	Title           string `json:"title,omitempty"`
	ReadOnlyHint    bool   `json:"readOnlyHint,omitempty"`
	DestructiveHint *bool  `json:"destructiveHint,omitempty"` // nil means true
	IdempotentHint  bool   `json:"idempotentHint,omitempty"`
	OpenWorldHint   *bool  `json:"openWorldHint,omitempty"` // nil means true
}

// ToolExecution says how a tool of MCP 2025-11-25 runs: without it, not as a task.
type ToolExecution struct {
	TaskSupport string `json:"taskSupport,omitempty"` // "required", "optional" or "forbidden"
}

func readTool(to **Tool, raw []byte, path string) *Error {
	t := &Tool{Raw: raw}
	*to = t
	var name []byte
	if err := members(raw, path, func(member string, v []byte) *Error {
		switch member {
		case "name":
			name = v
		case "title":
			t.Title = optional(v)
		case "description":
			t.Description = optional(v)
		case "inputSchema":
			t.InputSchema = objectOnly(v)
		case "outputSchema":
			t.OutputSchema = objectOnly(v)
		case "annotations":
			t.Annotations = readToolAnnotations(v)
		case "execution":
			t.Execution = readToolExecution(v)
		case "icons":
			t.Icons = some(v, readIcon)
		case "_meta":
			t.Meta = objectOnly(v)
		}
		return nil
	}); err != nil {
		return err
	}
	return needed(&t.Name, name, path, "name")
}

func readToolAnnotations(raw []byte) *ToolAnnotations {
	a := new(ToolAnnotations)
	if members(raw, "", func(name string, v []byte) *Error {
		switch name {
		case "title":
			a.Title = optional(v)
		case "readOnlyHint":
			a.ReadOnlyHint = truth(v)
		case "destructiveHint":
			a.DestructiveHint = hint(v)
		case "idempotentHint":
			a.IdempotentHint = truth(v)
		case "openWorldHint":
			a.OpenWorldHint = hint(v)
		}
		return nil
	}) != nil {
		return nil
	}
	return a
}

// TaskMetadata is what a call says of the task that it asks for, as of MCP
// 2025-11-25.
type TaskMetadata struct {
	TTL time.Duration // how long the server is to keep it, in whole milliseconds; zero leaves that to the server
}

func readToolExecution(raw []byte) *ToolExecution {
	e := new(ToolExecution)
	if members(raw, "", func(name string, v []byte) *Error {
		if name == "taskSupport" {
			e.TaskSupport = optional(v)
		}
		return nil
	}) != nil {
		return nil
	}
	switch e.TaskSupport {
	case "required", "optional", "forbidden":
		return e
	}
	return nil
}

// CallToolResult is the result of tools/call.
type CallToolResult struct {
	Content           []Content       `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"` // nil if there is none
	IsError           bool            `json:"isError,omitempty"`           // the tool failed, and Content says how
	Meta              json.RawMessage `json:"-"`
	Raw               json.RawMessage `json:"-"`
}

// UnmarshalJSON implements [json.Unmarshaler]. It fails with an [*Error].
func (r *CallToolResult) UnmarshalJSON(text []byte) error {
	*r = CallToolResult{}
	return whole(text, func(raw json.RawMessage) *Error {
		r.Raw = raw
		var content []byte
		if err := members(raw, "the result", func(name string, v []byte) *Error {
			switch name {
			case "content":
				content = v
			case "structuredContent":
				if r.StructuredContent = nil; !isNull(v) {
					r.StructuredContent = v
				}
			case "isError":
				if yes := hint(v); yes != nil {
					r.IsError = *yes
				} else if !isNull(v) { // a failure must not pass for a success
					return &Error{Path: name, Reason: "is not a boolean"}
				}
			case "_meta":
				r.Meta = objectOnly(v)
			}
			return nil
		}); err != nil || isNull(content) && r.StructuredContent != nil {
			return err
		}
		return brought(&r.Content, content, "content", readContent)
	})
}
