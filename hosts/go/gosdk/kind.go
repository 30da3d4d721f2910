package gosdk

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/rawjson"
)

// kind is one of the three kinds of question: which answers it takes, and how a
// client is asked without rounds.
type kind interface {
	// accept is the answer if it is one to this question, else nil.
	accept(answer mcp.InputResponse) mcp.InputResponse
	// recall reads an answer that was recorded, nil if there is none.
	recall(recorded json.RawMessage) mcp.InputResponse
	request(ctx context.Context, session *mcp.ServerSession) (mcp.InputResponse, error)
}

func kindOf(q mcp.InputRequest) (kind, error) {
	switch q := q.(type) {
	case *mcp.ElicitParams:
		if q != nil && (q.Mode == "form" || q.Mode == "" && q.URL == "" && q.ElicitationID == "") {
			return newForm(q)
		} else if q != nil {
			return elicitation{params: q}, nil
		}
	case *mcp.CreateMessageParams:
		if q != nil {
			return sampling{withTools(q)}, nil
		}
	case *mcp.CreateMessageWithToolsParams:
		if q != nil {
			return sampling{q}, nil
		}
	case *mcp.ListRootsParams:
		return roots{q}, nil
	}
	return nil, fmt.Errorf("gosdk: a question without params: %T", q)
}

// kindsOf are the kinds of questions, and the questions as they are asked.
func kindsOf(questions mcp.InputRequestMap) (map[string]kind, mcp.InputRequestMap, error) {
	kinds, asked := make(map[string]kind, len(questions)), maps.Clone(questions)
	for key, q := range questions {
		k, err := kindOf(q)
		if err != nil {
			return nil, nil, err
		}
		if e, ok := k.(elicitation); ok {
			asked[key] = e.params
		}
		kinds[key] = k
	}
	return kinds, asked, nil
}

type elicitation struct {
	params          *mcp.ElicitParams
	schema          *jsonschema.Resolved // nil for a page
	bounds          bounds               // of the schema's numbers
	nullable, empty map[string]bool      // as of a strictForm
}

func newForm(p *mcp.ElicitParams) (kind, error) {
	form, err := readForm(p.RequestedSchema)
	if err != nil {
		return nil, err
	}
	asked := *p
	if form.changed {
		asked.RequestedSchema = form.schema
	}
	schema, bounds, err := readSchema(form.schema)
	if err != nil {
		return nil, err
	}
	if form.closed {
		schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	return elicitation{&asked, resolved, bounds, form.nullable, form.empty}, nil
}

func (k elicitation) accept(answer mcp.InputResponse) mcp.InputResponse {
	res, ok := answer.(*mcp.ElicitResult)
	if !ok {
		return nil
	}
	switch res.Action {
	case "decline", "cancel":
		return &mcp.ElicitResult{Meta: res.Meta, Action: res.Action}
	case "accept":
		if k.schema == nil {
			return res
		}
		content := maps.Clone(res.Content)
		if content == nil {
			content = map[string]any{}
		}
		maps.DeleteFunc(content, func(name string, value any) bool { return value == nil && k.nullable[name] })
		if k.schema.Validate(plain(content)) != nil || !k.bounds.fit(content) || k.bounds.fill(content) != nil {
			return nil
		}
		for name := range k.empty {
			if _, given := content[name]; !given {
				content[name] = nil
			}
		}
		return &mcp.ElicitResult{Meta: res.Meta, Action: res.Action, Content: content}
	}
	return nil
}

func (elicitation) recall(recorded json.RawMessage) mcp.InputResponse {
	res := new(mcp.ElicitResult)
	if recall(recorded, res) == nil {
		return nil
	}
	if content := rawjson.Member(recorded, "content"); content != nil {
		exact, err := readContent(content)
		if err != nil {
			return nil
		}
		res.Content = exact
	}
	return res
}

func (k elicitation) request(ctx context.Context, session *mcp.ServerSession) (mcp.InputResponse, error) {
	res, err := session.Elicit(ctx, numbered(k.params))
	if err == nil {
		res, err = restored(res)
	}
	if err != nil {
		return nil, err
	}
	if answer := k.accept(res); answer != nil {
		return answer, nil
	}
	return nil, ErrUnusable
}

type sampling struct {
	params *mcp.CreateMessageWithToolsParams
}

func (sampling) accept(answer mcp.InputResponse) mcp.InputResponse {
	res, ok := answer.(*mcp.CreateMessageWithToolsResult)
	if !ok || res.Role != "assistant" || slices.Contains(res.Content, nil) {
		return nil
	}
	return res
}

func (sampling) recall(recorded json.RawMessage) mcp.InputResponse {
	return recall(recorded, new(mcp.CreateMessageWithToolsResult))
}

func (k sampling) request(ctx context.Context, session *mcp.ServerSession) (mcp.InputResponse, error) {
	res, err := session.CreateMessageWithTools(ctx, k.params)
	if err != nil {
		return nil, err
	}
	return res, nil
}

// withTools is the question in the form whose answer may have several blocks.
func withTools(p *mcp.CreateMessageParams) *mcp.CreateMessageWithToolsParams {
	q := &mcp.CreateMessageWithToolsParams{
		Meta: p.Meta, IncludeContext: p.IncludeContext, MaxTokens: p.MaxTokens, Metadata: p.Metadata,
		ModelPreferences: p.ModelPreferences, StopSequences: p.StopSequences, SystemPrompt: p.SystemPrompt, Temperature: p.Temperature,
	}
	for _, m := range p.Messages {
		q.Messages = append(q.Messages, &mcp.SamplingMessageV2{Content: []mcp.Content{m.Content}, Role: m.Role})
	}
	return q
}

type roots struct{ params *mcp.ListRootsParams }

func (roots) accept(answer mcp.InputResponse) mcp.InputResponse {
	res, ok := answer.(*mcp.ListRootsResult)
	if !ok || slices.Contains(res.Roots, nil) {
		return nil
	}
	return res
}

func (roots) recall(recorded json.RawMessage) mcp.InputResponse {
	return recall(recorded, new(mcp.ListRootsResult))
}

func (k roots) request(ctx context.Context, session *mcp.ServerSession) (mcp.InputResponse, error) {
	res, err := session.ListRoots(ctx, k.params)
	if err != nil {
		return nil, err
	}
	return res, nil
}

func recall(recorded json.RawMessage, answer mcp.InputResponse) mcp.InputResponse {
	if recorded == nil || json.Unmarshal(recorded, answer) != nil {
		return nil
	}
	return answer
}
