// Package tool says what a server's tools are called.
package tool

import "github.com/parley-mcp/parley/hosts/go/schema"

// Title is a tool's title, or that of its annotations.
func Title(t *schema.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}
