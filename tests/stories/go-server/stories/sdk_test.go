package stories_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-mcp/parley/tests/stories/go-server/stories"
)

// TestSDKClient drives every story with the Go SDK's own client and its
// automatic loop.
func TestSDKClient(t *testing.T) {
	answers := map[string]map[string]any{ // by a property of the form
		"units":       {"units": "imperial"},
		"resolution":  {"resolution": "Duplicate"},
		"original_id": {"original_id": 3, "comment": "same"},
		"confirm":     {"confirm": true, "disks": 2, "tags": []any{"prod"}},
		"start":       {"start": "2026-12-01"},
		"language":    {"language": "Go"},
		"quarter":     {"quarter": "Q3"},
	}
	var asked atomic.Int32
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked.Add(1)
			schema, _ := req.Params.RequestedSchema.(map[string]any)
			properties, _ := schema["properties"].(map[string]any)
			for name, content := range answers {
				if properties[name] != nil {
					return &mcp.ElicitResult{Action: "accept", Content: content}, nil
				}
			}
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			asked.Add(1)
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "See the Forum."}}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///home/ada", Name: "home"})
	srv := httptest.NewServer(stories.Handler(stories.Options{}))
	defer srv.Close()
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()

	tools := map[string]struct {
		name  string
		args  map[string]any
		asked int32 // handlers called; roots have none
		want  string
	}{
		"weather":   {"get_weather", map[string]any{"location": "Oslo"}, 1, "Oslo: 64 °F, light rain, wind 9 mph."},
		"work item": {"update_work_item", map[string]any{"id": 7, "state": "Resolved"}, 2, `Work item 7 is now Resolved as a duplicate of 3. Comment: "same".`},
		"at once":   {"update_work_item", map[string]any{"id": 7, "state": "New"}, 0, "Work item 7 is now New."},
		"machine": {"provision_vm", map[string]any{"size": "medium"}, 1,
			"Provisioned a medium machine in westeurope with 2 data disk(s) and tags prod for 58 EUR a month."},
		"summary": {"summarise", map[string]any{"text": "A long text."}, 1, "See the Forum."},
		"files":   {"list_files", nil, 0, "home (file:///home/ada)"},
		"trip": {"plan_trip", map[string]any{"destination": "Rome"}, 2,
			"3 relaxed days in Rome from 2026-12-01, kept in file:///home/ada. See the Forum."},
		"busy": {"busy_report", map[string]any{"waits": 2}, 0, "The report is ready after 2 wait(s)."},
	}
	for name, tt := range tools {
		t.Run(name, func(t *testing.T) {
			asked.Store(0)
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.name, Arguments: tt.args})
			if err != nil {
				t.Fatal(err)
			}
			if got := res.Content[0].(*mcp.TextContent).Text; got != tt.want || res.IsError {
				t.Errorf("got %q (error %v), want %q", got, res.IsError, tt.want)
			}
			if got := asked.Load(); got != tt.asked {
				t.Errorf("handlers called: got %d, want %d", got, tt.asked)
			}
		})
	}
	t.Run("prompt", func(t *testing.T) {
		res, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "code_review"})
		if err != nil {
			t.Fatal(err)
		}
		want := "Review this Go code for correctness."
		if got := res.Messages[0].Content.(*mcp.TextContent).Text; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
	t.Run("resource", func(t *testing.T) {
		res, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "parley://report/quarterly"})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Contents[0]; !strings.Contains(got.Text, "| Q3 | 1280 |") || got.MIMEType != "text/markdown" {
			t.Errorf("got %q %s", got.Text, got.MIMEType)
		}
	})
	// The SDK's loop gives up at its third state-only round in a call.
	t.Run("busy too often for the SDK", func(t *testing.T) {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "busy_report"})
		if err == nil || !strings.Contains(err.Error(), "load-shedding") {
			t.Errorf("got error %v, want one about load-shedding", err)
		}
	})
}
