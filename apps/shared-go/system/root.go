package system

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/parley-mcp/parley/apps/shared-go/jsontext"
)

// Root is a directory, by its absolute path, as a Root of the schema. Without a
// name it has that of the path's last element.
func Root(path, name string) json.RawMessage {
	if name == "" {
		name = filepath.Base(path)
	}
	return fmt.Appendf(nil, `{"uri":%s,"name":%s}`, jsontext.Quote(fileURI(path)), jsontext.Quote(name))
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

// Roots is the ListRootsResult of roots.
func Roots(roots []json.RawMessage) []byte {
	return fmt.Appendf(nil, `{"roots":%s}`, jsontext.Array(roots))
}
