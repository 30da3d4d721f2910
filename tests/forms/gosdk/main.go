// Command gosdk is a server on the official Go SDK that asks with each of the types that structs.go draws from its first argument:
// in rounds, or with the second argument "elicit" by the SDK's Elicit.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"strconv"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type what struct {
	Type int `json:"type"`
}

type listed struct {
	Kind    string             `json:"kind"`
	Schema  *jsonschema.Schema `json:"schema"`
	Refuses string             `json:"refuses"`
}

func main() {
	seed, err := strconv.ParseUint(os.Args[1], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	forms, byElicit := draw(seed), len(os.Args) > 2
	why := make([]string, len(forms))
	if byElicit {
		if why, err = refuses(forms); err != nil {
			log.Fatal(err)
		}
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "forms", Version: "1.0.0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "types", Description: "Lists the types."}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		var all []listed
		for i, f := range forms {
			all = append(all, listed{Kind: f.kind, Schema: f.schema, Refuses: why[i]})
		}
		text, err := json.Marshal(all)
		return said(string(text)), nil, err
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask", Description: "Asks with a type."}, func(ctx context.Context, req *mcp.CallToolRequest, in what) (*mcp.CallToolResult, any, error) {
		f := forms[in.Type]
		params := &mcp.ElicitParams{Message: "Please fill in", RequestedSchema: f.schema}
		answer, ok := req.Params.InputResponses["form"].(*mcp.ElicitResult)
		switch {
		case byElicit:
			var err error
			if answer, err = req.Session.Elicit(ctx, params); err != nil {
				return nil, nil, err
			}
		case !ok:
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"form": params}}, nil, nil
		}
		if answer.Action != "accept" {
			return said(answer.Action), nil, nil
		}
		if err := f.take(answer.Content); err != nil {
			return nil, nil, err
		}
		return said("taken"), nil, nil
	})
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}

// take holds an answer against the schema, and makes a value of the type of it.
func (f drawn) take(content map[string]any) error {
	resolved, err := f.schema.Resolve(nil)
	if err != nil {
		return err
	}
	if err := resolved.Validate(content); err != nil {
		return err
	}
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(reflect.New(f.of).Interface()); err != nil {
		return fmt.Errorf("the schema fits, but not the type: %w", err)
	}
	return nil
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
