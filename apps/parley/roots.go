package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-mcp/parley/apps/parley/internal/jsontext"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// listedRoots are the roots of --root and of the script, each as JSON text;
// nil if neither names any.
func (c *command) listedRoots() ([]json.RawMessage, error) {
	var list []json.RawMessage
	for _, dir := range c.rootDirs {
		root, err := newRoot(dir)
		if err != nil {
			return nil, fmt.Errorf("--root: %w", err)
		}
		list = append(list, root)
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
	return fmt.Appendf(nil, `{"uri":%s,"name":%s}`, jsontext.Quote(fileURI(path)), jsontext.Quote(filepath.Base(path))), nil
}

// fileURI is an absolute path as a file: URI; RFC 8089, appendix E.2 for the
// drive letters of Windows.
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if volume := filepath.VolumeName(path); strings.HasPrefix(volume, `\\`) {
		host, share, _ := strings.Cut(strings.TrimPrefix(u.Path, "//"), "/")
		u.Host, u.Path = host, "/"+share
	} else if volume != "" {
		u.Path = "/" + u.Path
	}
	return u.String()
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
	result := []byte(`{"roots":[`)
	for i, raw := range h.roots {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(result, raw...)
	}
	return append(result, "]}"...), nil
}
