package parley

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/hosts/go/schema"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// ToolCall is a tools/call. Its Request has everything but Method and Params,
// which must be empty.
type ToolCall struct {
	Name string

	// Arguments is anything encoding/json makes an object of, nil for none. A
	// json.RawMessage goes out byte for byte.
	Arguments any

	// Task asks the server to run the tool as a task, as of MCP 2025-11-25, where the
	// tool's Execution says that it may: the call can then be parked while the tool
	// runs. A call that cannot be a task there fails, and nothing is sent. A tool that
	// runs only as a task gets one unasked. Servers of MCP 2026-07-28 decide that
	// themselves, and of earlier versions have none. Nil asks for none.
	Task *schema.TaskMetadata

	Request
}

// PromptGet is a prompts/get; see [ToolCall] for its Request.
type PromptGet struct {
	Name      string
	Arguments map[string]string
	Request
}

// ResourceRead is a resources/read; see [ToolCall] for its Request.
type ResourceRead struct {
	URI string
	Request
}

// CallTool calls a tool and reads its result, whose IsError says whether the
// tool itself failed. It fails as [Session.Call] does, with an [*Error] that is
// [ErrPark] if the call was parked, and with [fault.Malformed] for a result
// that cannot be read or lacks what it must bring, of which only Raw is then given:
// the tool has run, and is not to be called again for that.
func (s *Session) CallTool(ctx context.Context, call ToolCall) (*schema.CallToolResult, error) {
	params, err := paramsOf("name", call.Name, call.Arguments)
	if err != nil {
		return nil, err
	}
	if task := call.Task; task != nil {
		params = append(params[:len(params)-1], `,"task":{`...)
		if task.TTL != 0 {
			params = strconv.AppendInt(append(params, `"ttl":`...), task.TTL.Milliseconds(), 10)
		}
		params = append(params, "}}"...)
	}
	res := new(schema.CallToolResult)
	raw, err := s.typed(ctx, call.Request, "tools/call", params, res)
	if raw != nil {
		return &schema.CallToolResult{Raw: raw}, err
	}
	return got(res, err)
}

// GetPrompt gets a prompt, filled in. It fails as [Session.CallTool] does.
func (s *Session) GetPrompt(ctx context.Context, get PromptGet) (*schema.GetPromptResult, error) {
	var arguments any
	if get.Arguments != nil {
		arguments = get.Arguments
	}
	params, err := paramsOf("name", get.Name, arguments)
	if err != nil {
		return nil, err
	}
	res := new(schema.GetPromptResult)
	raw, err := s.typed(ctx, get.Request, "prompts/get", params, res)
	if raw != nil {
		return &schema.GetPromptResult{Raw: raw}, err
	}
	return got(res, err)
}

// ReadResource reads a resource. It fails as [Session.CallTool] does.
func (s *Session) ReadResource(ctx context.Context, read ResourceRead) (*schema.ReadResourceResult, error) {
	params, err := paramsOf("uri", read.URI, nil)
	if err != nil {
		return nil, err
	}
	res := new(schema.ReadResourceResult)
	raw, err := s.typed(ctx, read.Request, "resources/read", params, res)
	if raw != nil {
		return &schema.ReadResourceResult{Raw: raw}, err
	}
	return got(res, err)
}

// typed makes a call and reads its result. raw is one that cannot be read.
func (s *Session) typed(ctx context.Context, r Request, method string, params []byte, res json.Unmarshaler) (raw []byte, err error) {
	if r.Method != "" || r.Params != nil {
		return nil, misuse("Request: Method and Params must be empty, because they are what the typed call is made of")
	}
	r.Method, r.Params = method, params
	out, err := s.Call(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case out.Parked:
		return nil, &Error{Detail: "the call is parked", Resumable: true, Cause: ErrPark, Snapshot: out.Snapshot}
	case out.Lacks != "":
		return out.Result, malformed(method, out.Lacks)
	}
	if err := res.UnmarshalJSON(out.Result); err != nil {
		return out.Result, unreadable(method, err)
	}
	return nil, nil
}

// got is a result, or nil if there is an error.
func got[R any](res *R, err error) (*R, error) {
	if err != nil {
		return nil, err
	}
	return res, nil
}

// unreadable says what is wrong with a result.
func unreadable(method string, err error) error {
	var flaw *schema.Error
	if !errors.As(err, &flaw) {
		return malformed(method, sentence.Value(err.Error()))
	}
	e := malformed(method, sentence.Say("{0} {1}", sentence.Value(flaw.Path), sentence.Value(flaw.Reason)))
	if flaw.Limit {
		e.Code = fault.Limit
	}
	return e
}

// malformed is how a typed call fails whose result is of no use.
func malformed(method string, what sentence.Text) *Error {
	if method == "tools/call" {
		what = sentence.Say("{0}, though the tool has run", what)
	}
	what = sentence.Join(sentence.Value(method), what)
	return &Error{Code: fault.Malformed, Detail: what.String(), Sentence: what}
}

// paramsOf are the params of a typed call.
func paramsOf(key, name string, arguments any) ([]byte, error) {
	params := rawjson.AppendQuoted(append(rawjson.AppendQuoted([]byte{'{'}, key), ':'), name)
	if arguments == nil {
		return append(params, '}'), nil
	}
	text, ok := arguments.(json.RawMessage)
	if !ok {
		var err error
		if text, err = json.Marshal(arguments); err != nil {
			return nil, misuse("Arguments: " + err.Error())
		}
	}
	text, bad := rawjson.Value(text)
	if bad != nil || !rawjson.IsObject(text) {
		return nil, misuse("Arguments: not a JSON object")
	}
	return append(append(append(params, `,"arguments":`...), text...), '}'), nil
}

func misuse(detail string) error {
	return &engine.Error{Code: fault.Options, Detail: sentence.Value(detail)} // for whoever writes the host
}
