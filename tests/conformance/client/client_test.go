package main_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestClient runs the client against servers on the official Go SDK: what it
// sends where the suite does not look.
func TestClient(t *testing.T) {
	program := filepath.Join(t.TempDir(), "client.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	const object = `{"type":"object"}`
	tests := map[string]struct {
		schema, form string // of a tool, and of what it asks
		scenario     string
		status       int
		want         string // the tool's arguments and the answer, or an error
	}{
		"arguments": {
			schema: `{"type":"object","required":["id"],"$defs":{"id":{"enum":["a","b"]}},"properties":{
				"id":{"$ref":"#/$defs/id"},"profile":{"$ref":"https://example.com/schema"},"n":{"type":"integer","minimum":5},
				"f":{"type":"number"},"flag":{"type":["boolean","null"]},"list":{"type":"array"},"none":{"type":"null"},
				"day":{"type":"string","format":"date"},"long":{"type":"string","minLength":8},
				"inner":{"properties":{"seven":{"const":7}}},"given":{"default":{"y":1}}}}`,
			want: `{"day":"2026-07-28","f":1,"flag":true,"given":{"y":1},"id":"a","inner":{"seven":7},"list":[],"long":"text----","n":5,"none":null}`,
		},
		"answers": {
			schema: object,
			form: `{"type":"object","required":["n"],"properties":{"name":{"type":"string","default":"Ada"},"n":{"type":"integer","minimum":3},
				"ok":{"type":"boolean"},"mail":{"type":"string","format":"email"},"one":{"type":"string","enum":["x","y"]},
				"some":{"type":"array","minItems":2,"items":{"type":"string","enum":["p","q","r"]}}}}`,
			want: `{} {"mail":"somebody@example.com","n":3,"name":"Ada","ok":true,"one":"x","some":["p","q"]}`,
		},
		"schema elsewhere": {
			schema: `{"type":"object","required":["p"],"properties":{"p":{"$ref":"https://example.com/schema"}}}`, status: 1,
			want: "conformance-client: the tool t: p: its schema is in another document, which is not fetched\n",
		},
		"endless schema": {
			schema: `{"type":"object","properties":{"p":{"$ref":"#"}}}`, status: 1,
			want: "its schema is more than 16 deep\n",
		},
		"nothing given": {
			schema: object, scenario: "http-custom-headers", status: 1,
			want: "conformance-client: MCP_CONFORMANCE_CONTEXT has no toolCalls; the suite puts them there in http-custom-headers\n",
		},
		"nothing asked": {
			schema: object, scenario: "sep-2322-client-request-state", status: 1,
			want: "conformance-client: the server asked nothing, so nothing was called between rounds\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got string
			server := serve(t, tt.schema, tt.form, &got)
			client := exec.Command(program, server)
			client.Env = append(os.Environ(), "MCP_CONFORMANCE_PROTOCOL_VERSION=2026-07-28", "MCP_CONFORMANCE_SCENARIO="+tt.scenario)
			var errors strings.Builder
			client.Stderr = &errors
			client.Run()
			if tt.status != 0 {
				got = errors.String()
			}
			if !strings.HasSuffix(got, tt.want) || client.ProcessState.ExitCode() != tt.status {
				t.Errorf("got %s, status %d, want %s, %d\n%s", got, client.ProcessState.ExitCode(), tt.want, tt.status, errors.String())
			}
		})
	}
}

// serve has one tool, which asks with a form if there is one. got is what the
// client sent.
func serve(t *testing.T, schema, form string, got *string) (url string) {
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)}
	server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		*got = string(req.Params.Arguments)
		if answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
			text, err := json.Marshal(answer.Content)
			*got += " " + string(text)
			return &mcp.CallToolResult{}, err
		}
		if form == "" {
			return &mcp.CallToolResult{}, nil
		}
		question := &mcp.ElicitParams{Message: "?", RequestedSchema: json.RawMessage(form)}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question}}, nil
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(srv.Close)
	return srv.URL
}
