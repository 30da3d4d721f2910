package main

import (
	"context"
	"encoding/json"
	"path/filepath"

	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// folder is a directory of the editor's, to be told to a server.
type folder struct {
	Path string `json:"path"` // absolute
	Name string `json:"name"` // empty means the last element of Path
}

// roots asks which folders the server may be told of.
func (c *call) roots(ctx context.Context, q parley.Question) ([]byte, error) {
	shown := c.about(q)
	return c.put(ctx, q, shown.Ask, "ask/roots", shown, func(p *answerParams) ([]byte, error) {
		roots := make([]json.RawMessage, len(p.Folders))
		for i, f := range p.Folders {
			if !filepath.IsAbs(f.Path) {
				return nil, wrong("a folder is no absolute path")
			}
			roots[i] = system.Root(f.Path, f.Name)
		}
		return system.Roots(roots), nil
	})
}
