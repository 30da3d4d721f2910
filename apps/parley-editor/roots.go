package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	parley "github.com/parley-mcp/parley/hosts/go"
)

// folder is a directory of the editor's, to be told to a server.
type folder struct {
	Path string `json:"path"` // absolute
	Name string `json:"name"` // empty means the last element of Path
}

// roots asks which folders the server may be told of.
func (c *call) roots(ctx context.Context, q parley.Question) ([]byte, error) {
	return c.put(ctx, q, "ask/roots", c.about(q), func(p *answerParams) ([]byte, error) {
		roots := make([]string, len(p.Folders))
		for i, f := range p.Folders {
			if !filepath.IsAbs(f.Path) {
				return nil, wrong("a folder is no absolute path")
			}
			if f.Name == "" {
				f.Name = filepath.Base(f.Path)
			}
			roots[i] = fmt.Sprintf(`{"uri":%s,"name":%s}`, quote(fileURI(f.Path)), quote(f.Name))
		}
		return []byte(`{"roots":[` + strings.Join(roots, ",") + `]}`), nil
	})
}

// fileURI is an absolute path as a file: URI; RFC 8089, appendix E.2 for the
// drive letters of Windows.
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Clean(path))}
	if volume := filepath.VolumeName(path); strings.HasPrefix(volume, `\\`) {
		host, share, _ := strings.Cut(strings.TrimPrefix(u.Path, "//"), "/")
		u.Host, u.Path = host, "/"+share
	} else if volume != "" {
		u.Path = "/" + u.Path
	}
	return u.String()
}
