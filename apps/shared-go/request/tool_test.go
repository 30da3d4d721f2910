package request_test

import (
	"testing"

	"github.com/parley-mcp/parley/apps/shared-go/request"
	"github.com/parley-mcp/parley/hosts/go/schema"
)

func TestToolTitle(t *testing.T) {
	annotated := &schema.ToolAnnotations{Title: "B"}
	tests := map[string]struct {
		tool schema.Tool
		want string
	}{
		"both":        {schema.Tool{Title: "A", Annotations: annotated}, "A"},
		"annotations": {schema.Tool{Annotations: annotated}, "B"},
		"neither":     {schema.Tool{Name: "a"}, ""},
	}
	for name, tt := range tests {
		if got := request.ToolTitle(&tt.tool); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
