package parley

import (
	"context"
	"encoding/json"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// maxCompletions bounds the values of a completion, which is the protocol's.
const maxCompletions = 100

// Completion asks what somebody who fills in an argument could mean: of a
// prompt or of a resource template, one of which it names.
type Completion struct {
	Prompt   string // its name
	Template string // the URI template

	Argument string // its name
	Value    string // what is there so far

	// Context has the arguments that are filled in already, nil for none.
	Context map[string]string
}

// Complete says with which values an argument could go on, the best first, and
// whether there are more. A server without completions has none, and is not asked
// again in this session. It asks nobody anything, so it can be canceled at any
// time, as a person types on. It fails as [Session.CallTool] does.
//
// Source: MCP 2026-07-28, server/utilities/completion.
func (s *Session) Complete(ctx context.Context, c Completion) (values []string, more bool, err error) {
	if (c.Prompt == "") == (c.Template == "") || c.Argument == "" {
		return nil, false, misuse("Completion: it needs an argument of either a prompt or a template")
	}
	params := append([]byte(`{"ref":`), `{"type":"ref/prompt","name":`...)
	if c.Template != "" {
		params = append(params[:len(`{"ref":`)], `{"type":"ref/resource","uri":`...)
	}
	params = rawjson.AppendQuoted(params, c.Prompt+c.Template)
	params = rawjson.AppendQuoted(append(params, `},"argument":{"name":`...), c.Argument)
	params = append(rawjson.AppendQuoted(append(params, `,"value":`...), c.Value), '}')
	if c.Context != nil {
		arguments, err := json.Marshal(c.Context)
		if err != nil {
			return nil, false, misuse("Context: " + err.Error())
		}
		params = append(append(append(params, `,"context":{"arguments":`...), arguments...), '}')
	}
	if s.noCompletions.Load() {
		return nil, false, nil
	}
	out, err := s.Call(ctx, Request{Method: "completion/complete", Params: append(params, '}')})
	switch {
	case codeOf(err) == methodNotFound:
		s.noCompletions.Store(true)
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	var result struct {
		Completion *struct {
			Values  []string
			HasMore bool
		}
	}
	if json.Unmarshal(out.Result, &result) != nil || result.Completion == nil {
		return nil, false, &Error{Code: fault.Malformed, Detail: "completion/complete: the result has no completion with values"}
	}
	values = result.Completion.Values
	if len(values) > maxCompletions {
		return values[:maxCompletions], true, nil
	}
	return values, result.Completion.HasMore, nil
}
