package gosdk_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// Typed calls and lists give a host the fields that the SDK's own client gives.
func TestTypedLikeTheSDK(t *testing.T) {
	for _, version := range []string{modern, earlier} {
		t.Run(version, func(t *testing.T) {
			server := catalogue(version)
			ours := newSession(t, parley.Native{}, inProcess(server), parley.SessionOptions{})
			theirs := sdkClient(t, server)
			ctx := t.Context()

			same(t, "tools", all(t, ours.Tools(ctx)), all(t, theirs.Tools(ctx, nil)))
			same(t, "prompts", all(t, ours.Prompts(ctx)), all(t, theirs.Prompts(ctx, nil)))
			same(t, "resources", all(t, ours.Resources(ctx)), all(t, theirs.Resources(ctx, nil)))
			same(t, "templates", all(t, ours.ResourceTemplates(ctx)), all(t, theirs.ResourceTemplates(ctx, nil)))

			tool, err := ours.CallTool(ctx, parley.ToolCall{Name: "tool-a", Arguments: map[string]int{"n": 1}})
			wantErr(t, "tool", err, nil)
			sdkTool, err := theirs.CallTool(ctx, &mcp.CallToolParams{Name: "tool-a", Arguments: map[string]int{"n": 1}})
			wantErr(t, "the SDK's tool", err, nil)
			same(t, "tool", tool, sdkTool)

			prompt, err := ours.GetPrompt(ctx, parley.PromptGet{Name: "prompt-a", Arguments: map[string]string{"who": "Ada"}})
			wantErr(t, "prompt", err, nil)
			sdkPrompt, err := theirs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "prompt-a", Arguments: map[string]string{"who": "Ada"}})
			wantErr(t, "the SDK's prompt", err, nil)
			same(t, "prompt", prompt, sdkPrompt)

			resource, err := ours.ReadResource(ctx, parley.ResourceRead{URI: "file:///a"})
			wantErr(t, "resource", err, nil)
			sdkResource, err := theirs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "file:///a"})
			wantErr(t, "the SDK's resource", err, nil)
			same(t, "resource", resource, sdkResource)
		})
	}
}

// A server without tools has none, and so on.
func TestListsOfNothing(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	s := newSession(t, parley.Native{}, inProcess(server), parley.SessionOptions{})
	ctx := t.Context()
	if n := len(all(t, s.Tools(ctx))) + len(all(t, s.Prompts(ctx))) + len(all(t, s.Resources(ctx))) + len(all(t, s.ResourceTemplates(ctx))); n != 0 {
		t.Errorf("got %d entries", n)
	}
}

// catalogue is a server with something of everything, on pages of two.
func catalogue(version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "catalogue", Version: "1"}, &mcp.ServerOptions{
		PageSize: 2, SupportedProtocolVersions: []string{version},
	})
	yes, no := true, false
	icons := []mcp.Icon{{Source: "https://example.com/i.png", MIMEType: "image/png", Sizes: []string{"48x48"}, Theme: mcp.IconThemeDark}}
	about := &mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5, LastModified: "2026-07-28T00:00:00Z"}
	for _, letter := range []string{"a", "b", "c", "d", "e"} {
		server.AddTool(&mcp.Tool{
			Name: "tool-" + letter, Title: "Tool", Description: "Does it.", Icons: icons,
			InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}}}`), OutputSchema: json.RawMessage(`{"type":"object"}`),
			Annotations: &mcp.ToolAnnotations{Title: "T", ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &yes},
		}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			size := int64(3)
			return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"n": 1}, Content: []mcp.Content{
				&mcp.TextContent{Text: "Hi", Annotations: about}, &mcp.ImageContent{Data: []byte{1, 2}, MIMEType: "image/png"},
				&mcp.AudioContent{Data: []byte{3}, MIMEType: "audio/wav"},
				&mcp.ResourceLink{URI: "file:///a", Name: "a", Title: "A", Description: "Is a.", MIMEType: "text/plain", Size: &size, Icons: icons},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", MIMEType: "x/y", Blob: []byte{4}}},
			}}, nil
		})
		server.AddPrompt(&mcp.Prompt{
			Name: "prompt-" + letter, Title: "Prompt", Description: "Says it.", Icons: icons,
			Arguments: []*mcp.PromptArgument{{Name: "who", Title: "Who", Description: "To whom.", Required: true}, {Name: "how"}},
		}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Description: "Said.", Messages: []*mcp.PromptMessage{
				{Role: "user", Content: &mcp.TextContent{Text: "Hi " + req.Params.Arguments["who"]}},
			}}, nil
		})
		server.AddResource(&mcp.Resource{
			URI: "file:///" + letter, Name: letter, Title: "Resource", Description: "Is it.", MIMEType: "text/plain", Size: 2, Annotations: about, Icons: icons,
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{
				Cacheable: mcp.Cacheable{TTLMs: 5, CacheScope: "private"},
				Contents:  []*mcp.ResourceContents{{URI: "file:///a", MIMEType: "text/plain", Text: "Hi"}, {URI: "file:///a#2", Blob: []byte{5}}},
			}, nil
		})
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: "template:///" + letter + "/{x}", Name: "template-" + letter, Title: "Template", Description: "Are they.", MIMEType: "text/plain", Annotations: about, Icons: icons,
		}, nil)
	}
	return server
}

func inProcess(server *mcp.Server) parley.Transport {
	return parley.InProcess(func(conn io.ReadWriteCloser) {
		server.Run(context.Background(), &mcp.IOTransport{Reader: conn, Writer: conn})
	})
}

func sdkClient(t *testing.T, server *mcp.Server) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "sdk", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func all[T any](t *testing.T, items iter.Seq2[T, error]) (list []T) {
	t.Helper()
	for item, err := range items {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, item)
	}
	return list
}

// same compares what two structs say in JSON, and what is only on the wire left
// out.
func same(t *testing.T, what string, ours, theirs any) {
	t.Helper()
	said := func(value any) (any, string) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var all any
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		if object, ok := all.(map[string]any); ok {
			delete(object, "_meta")
			delete(object, "resultType")
		}
		return all, string(text)
	}
	got, gotText := said(ours)
	want, wantText := said(theirs)
	if !reflect.DeepEqual(got, want) || len(gotText) < 10 {
		t.Errorf("%s:\n got %s\nwant %s", what, gotText, wantText)
	}
}
