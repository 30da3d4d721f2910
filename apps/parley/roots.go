package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
	"github.com/parley-mcp/parley/apps/shared-go/system"
	parley "github.com/parley-mcp/parley/hosts/go"
)

func (c *command) rootGroup() flags.Group {
	return flags.Group{
		Text: "Folders (without any the server cannot ask for them):\n",
		Flags: []flags.Flag{{Name: "root", Value: "DIR", To: &c.rootDirs,
			Text: "tell the server about a directory if it asks; may be repeated"}},
	}
}

// listedRoots are the roots of --root and of the script, each as JSON text;
// nil if neither names any.
func (c *command) listedRoots() ([]json.RawMessage, error) {
	var list []json.RawMessage
	for _, dir := range c.rootDirs {
		one, err := newRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("--root: %w", err)
		}
		list = append(list, one)
	}
	if c.script != nil && c.script.Roots != nil {
		list = append(append([]json.RawMessage{}, list...), c.script.Roots...)
	}
	return list, nil
}

// newRoot is a directory as a Root of the schema.
func newRoot(dir string) (json.RawMessage, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory", path)
	}
	return system.Root(path, ""), nil
}

// listRoots shares the roots: naming them on the command line or in the script
// is the consent, and what is shared is shown.
func (h *host) listRoots(_ context.Context, q parley.Question) ([]byte, error) {
	h.begin(q, " for the folders it may work on")
	switch len(h.roots) {
	case 0:
		h.console.Done("shared no folders")
	case 1:
		h.console.Done("shared 1 folder")
	default:
		h.console.Done("shared %d folders", len(h.roots))
	}
	for _, raw := range h.roots {
		var in jsontext.Reader // checked when it was read
		h.console.Entry(in.Text(raw, "name"), in.Text(raw, "uri"))
	}
	return system.Roots(h.roots), nil
}
