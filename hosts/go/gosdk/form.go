package gosdk

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Form asks for a T, a struct of strings, numbers and booleans with JSON tags.
// Without a RequestedSchema the form is made from T by [jsonschema.For]: a field
// with omitempty may be left out, a tag `jsonschema:"..."` describes it. The
// client refuses what a form cannot have (nested structs, lists without a
// choice).
//
// action is what the person did, as in [mcp.ElicitResult]: "accept", and only
// then is there content, "decline" or "cancel".
func Form[T any](ctx context.Context, a *Ask, p *mcp.ElicitParams) (content T, action string, err error) {
	asked := *p
	if asked.RequestedSchema == nil {
		if asked.RequestedSchema, err = formOf[T](); err != nil {
			return content, "", err
		}
	}
	schema, err := readSchema(asked.RequestedSchema)
	if err != nil {
		return content, "", err
	}
	res, err := a.Elicit(ctx, &asked)
	if err != nil {
		return content, "", err
	}
	if res.Action != "accept" {
		return content, res.Action, nil
	}
	// Members the form does not have are dropped, not just ignored:
	// encoding/json would take one that differs in case for a field.
	values := maps.Clone(res.Content)
	maps.DeleteFunc(values, func(name string, _ any) bool { return schema.Properties[name] == nil })
	text, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil {
		return content, "", fmt.Errorf("gosdk: RequestedSchema allows what %T cannot hold", content) // the cause would quote the answer
	}
	return content, res.Action, nil
}

func formOf[T any]() (*jsonschema.Schema, error) {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		return nil, fmt.Errorf("gosdk: no form can be made of %T: %w", *new(T), err)
	}
	schema.AdditionalProperties = nil // forms have no such keyword
	return schema, nil
}

func readSchema(requested any) (*jsonschema.Schema, error) {
	text, err := json.Marshal(requested)
	if err != nil {
		return nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(text, schema); err != nil {
		return nil, fmt.Errorf("gosdk: RequestedSchema: %w", err)
	}
	return schema, nil
}
