package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// play does what the suite wants to see in a scenario. Most want a client that
// uses what there is; where the suite prescribes calls of its own, they are
// here.
func (c *client) play(ctx context.Context, scenario string) error {
	tools, err := c.tools(ctx)
	if err != nil {
		return err
	}
	switch scenario {
	case "http-custom-headers":
		return c.callGiven(ctx)
	case "json-schema-2020-12-preservation":
		return c.echoSchema(ctx, tools)
	case "json-schema-ref-no-deref":
		return makeArguments(tools)
	case "sep-2322-client-request-state":
		return c.callBetween(ctx, tools)
	}
	return c.useAll(ctx, tools)
}

// useAll calls every tool, and gets and reads whatever else the server says it
// offers.
func (c *client) useAll(ctx context.Context, tools []tool) error {
	if err := c.callAll(ctx, tools); err != nil {
		return err
	}
	offered, err := c.offers()
	if err != nil {
		return err
	}
	if offered["prompts"] != nil {
		prompts, err := list[struct{ Name string }](ctx, c, "prompts/list", "prompts")
		if err != nil {
			return err
		}
		for _, prompt := range prompts {
			if err := c.request(ctx, "prompts/get", map[string]any{"name": prompt.Name}, &struct{}{}); err != nil {
				return err
			}
		}
	}
	if offered["resources"] != nil {
		resources, err := list[struct{ URI string }](ctx, c, "resources/list", "resources")
		if err != nil {
			return err
		}
		for _, resource := range resources {
			if err := c.request(ctx, "resources/read", map[string]any{"uri": resource.URI}, &struct{}{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *client) callAll(ctx context.Context, tools []tool) error {
	for _, t := range tools {
		arguments, err := argumentsFor(t.InputSchema)
		if err != nil {
			return fmt.Errorf("the tool %s: %w", t.Name, err)
		}
		if err := c.callTool(ctx, t.Name, arguments); err != nil {
			return err
		}
	}
	return nil
}

// callGiven makes the calls of the context, which want odd values in header
// fields.
func (c *client) callGiven(ctx context.Context) error {
	if len(c.given.ToolCalls) == 0 {
		return errors.New("MCP_CONFORMANCE_CONTEXT has no toolCalls; the suite puts them there in http-custom-headers")
	}
	for _, call := range c.given.ToolCalls {
		if err := c.callTool(ctx, call.Name, call.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// echoSchema hands one tool the input schema of another, as it was listed.
func (c *client) echoSchema(ctx context.Context, tools []tool) error {
	for _, t := range tools {
		if t.Name == "json_schema_2020_12_tool" {
			return c.callTool(ctx, "json_schema_echo", map[string]json.RawMessage{"schema": t.InputSchema})
		}
	}
	return errors.New("the server lists no json_schema_2020_12_tool")
}

// makeArguments uses the tools' schemas, which refer to other documents, as far
// as that goes without a call: the suite's server has none.
func makeArguments(tools []tool) error {
	for _, t := range tools {
		arguments, err := argumentsFor(t.InputSchema)
		if err != nil {
			return fmt.Errorf("the tool %s: %w", t.Name, err)
		}
		text, err := json.Marshal(arguments)
		if err != nil {
			return err
		}
		fmt.Printf("arguments for %s: %s\n", t.Name, text)
	}
	return nil
}

// callBetween calls every tool, and one of them also between the rounds of
// another: it must not get what belongs to the other.
func (c *client) callBetween(ctx context.Context, tools []tool) error {
	c.meanwhile = func(ctx context.Context) error { return c.callTool(ctx, "test_mrtr_unrelated", struct{}{}) }
	if err := c.callAll(ctx, tools); err != nil {
		return err
	}
	if c.meanwhile != nil {
		return errors.New("the server asked nothing, so nothing was called between rounds")
	}
	return nil
}
