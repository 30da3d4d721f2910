package stories

import (
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxRoots   = 100     // entries
	maxRootLen = 2 << 10 // bytes of a URI and a name together
)

// roots is a roots/list question.
type roots struct {
	name string // its key in inputRequests
}

func (q roots) key() string { return q.name }

func (q roots) request(bool) mcp.InputRequest { return &mcp.ListRootsParams{} }

// rootList returns the roots the client exposes, in its order, if all of them
// are file URIs.
func (r round) rootList(q roots) ([]*mcp.Root, bool) {
	res, _ := r.answers[q.name].(*mcp.ListRootsResult)
	if res == nil || !r.asked(q.name) || len(res.Roots) > maxRoots {
		return nil, false
	}
	for _, root := range res.Roots {
		if root == nil || len(root.URI)+len(root.Name) > maxRootLen {
			return nil, false
		}
		if u, err := url.Parse(root.URI); err != nil || u.Scheme != "file" || u.Path == "" {
			return nil, false
		}
	}
	return res.Roots, true
}
