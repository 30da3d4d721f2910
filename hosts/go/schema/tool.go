package schema

import (
	"encoding/json"
	"time"

	"github.com/parley-mcp/parley/rawjson"
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

// check refuses a value that the schema does not have.
func (e *ToolExecution) check(_ []byte, path string, _ *Error) *Error {
	switch e.TaskSupport {
	case "required", "optional", "forbidden":
		return nil
	}
	return &Error{Path: within(path, "taskSupport"), Reason: "is unknown"}
}

// TaskMetadata is what a call says of the task that it asks for, as of MCP
// 2025-11-25.
type TaskMetadata struct {
	TTL time.Duration // how long the server is to keep it, in whole milliseconds; zero leaves that to the server
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
func (r *CallToolResult) UnmarshalJSON(text []byte) error { return unmarshal(text, r) }

// check reads structured content, which may be any value and replace the content.
func (r *CallToolResult) check(raw []byte, _ string, err *Error) *Error {
	var m rawjson.Members
	for m.Start(raw); m.Next(); {
		if !m.Is("isError") || isNull(m.Value) {
			continue
		}
		yes := truth(m.Value)
		if yes == nil { // a failure must not pass for a success
			return &Error{Path: "isError", Reason: "is not a boolean"}
		}
		r.IsError = *yes
	}
	if v := last(raw, "structuredContent"); !isNull(v) {
		r.StructuredContent = v
		if isNull(last(raw, "content")) {
			return nil
		}
	}
	return err
}
