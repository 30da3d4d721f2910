package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-mcp/parley/engine/form"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// elicit accepts a form as it opens: with a value of its own where there is no
// default. The defaults (SEP-1034) are filled in by Askers.Fill.
func (c *client) elicit(ctx context.Context, q parley.Question) ([]byte, error) {
	if meanwhile := c.meanwhile; meanwhile != nil {
		c.meanwhile = nil
		if err := meanwhile(ctx); err != nil {
			return nil, err
		}
	}
	if q.Problem != "" {
		return nil, fmt.Errorf("the answer cannot be sent: %s", q.Problem)
	}
	var params struct {
		RequestedSchema json.RawMessage `json:"requestedSchema"`
	}
	if err := json.Unmarshal(q.Params, &params); err != nil {
		return nil, err
	}
	schema, problem := form.Parse(params.RequestedSchema)
	if problem != nil {
		return nil, problem
	}
	content := map[string]json.RawMessage{}
	for _, field := range schema.Fields {
		if field.Default == "" && !field.ReadOnly {
			value, err := json.Marshal(entry(field))
			if err != nil {
				return nil, err
			}
			content[field.Name] = value
		}
	}
	return parley.Accept(content)
}

// entry is what is entered into a field that the server gave no default.
func entry(f form.Field) any {
	switch f.Kind {
	case form.Number, form.Integer:
		if f.Minimum != "" {
			return json.RawMessage(f.Minimum)
		}
		return 1
	case form.Boolean:
		return true
	case form.Choice:
		return json.RawMessage(f.Options[0].Value)
	case form.Choices:
		chosen := []json.RawMessage{}
		for _, o := range f.Options[:max(f.MinItems, 1)] {
			chosen = append(chosen, json.RawMessage(o.Value))
		}
		return chosen
	case form.List:
		return slices.Repeat([]any{entry(*f.Items)}, max(f.MinItems, 1))
	case form.Union:
		return entry(f.Alternatives[0])
	}
	return entryText(string(f.Format), f.MinLength)
}

// entryText is a string of a format and at least a length.
func entryText(format string, least int) string {
	switch format {
	case "email":
		return "somebody@example.com"
	case "uri":
		return "https://example.com/"
	case "date":
		return "2026-07-28"
	case "date-time":
		return "2026-07-28T00:00:00Z"
	}
	return "text" + strings.Repeat("-", max(least-4, 0))
}

// sample stands for a model.
func sample(context.Context, parley.Question) ([]byte, error) {
	return []byte(`{"role":"assistant","model":"none","stopReason":"endTurn","content":{"type":"text","text":"An answer."}}`), nil
}

func listRoots(context.Context, parley.Question) ([]byte, error) {
	return []byte(`{"roots":[]}`), nil
}
