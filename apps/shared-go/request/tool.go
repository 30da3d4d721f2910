package request

import "github.com/parley-mcp/parley/hosts/go/schema"

// ToolTitle is a tool's title, or that of its annotations.
func ToolTitle(t *schema.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}
