package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/sentence"
)

// doubtPage tells of a page of a list that may not be what its server meant.
func (s *Session) doubtPage(c *call, in *message.Message, goesOn bool) {
	list := message.Brings(c.method)
	if !list.IsList() {
		return
	}
	var odd sentence.Text
	switch {
	case !goesOn && in.Len(message.NextCursor) > len(`""`):
		odd = "{0}: nextCursor cannot be sent back: pages may be missing"
	case !in.Has(list) && in.HasOther():
		odd = "{0}: the result has other members than the list: it is taken for an empty one"
	default:
		return
	}
	s.do(Warning{sentence.About(odd, c.method)})
}
