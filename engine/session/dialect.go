package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/drafts"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/engine/internal/relay"
)

// dialect is how the server at hand asks in a call. c is nil for a request of no call.
func (s *Session) dialect(c *call) drafts.Dialect {
	d := s.opts.dialect
	if c != nil && c.began != nil {
		d = *c.began
	}
	switch {
	case s.speaks == sessions && d.AsksBeside():
		return d
	case s.speaks == sessions && d.IsApproved() && s.opts.agrees(s.version):
		return drafts.Agreed
	case s.speaks == sessions:
		return drafts.ServerRequests
	case d == drafts.Approved:
		return d
	}
	return drafts.MRTR
}

// dialect is how the server asks in answer to a request that was sent.
func (r *request) dialect() drafts.Dialect {
	if r == nil || r.call == nil {
		return drafts.MRTR
	}
	return r.call.dialect
}

// introduce tells a leg's call the dialect. It reports whether the leg can go
// out.
func (s *Session) introduce(r *request, dialect drafts.Dialect) bool {
	c := r.call
	if c.told && c.dialect == dialect {
		return true
	}
	c.dialect, c.told = dialect, true
	s.feed(c, s.speaking(dialect)) // cannot fail: the leg is in flight
	return c.leg == r              // otherwise its time was up, or it cannot go on
}

// speaking is the event that tells a call its dialect. It keeps the event for the next
// call, which most often has the same dialect.
func (s *Session) speaking(dialect drafts.Dialect) engine.Event {
	if s.speak == nil || s.spoken != dialect {
		s.spoken, s.speak = dialect, engine.Relay{Message: relay.Speak{Dialect: dialect.Name()}}
	}
	return s.speak
}

// isSilent reports whether a leg has no method, so that no response comes.
func (r *request) isSilent() bool { return r.kind == leg && r.dialect().IsSilent(r.method) }

// silentBody is the text of such a leg.
func (s *Session) silentBody(r *request, beside []byte) []byte {
	t := &text{}
	t.Put(`{"jsonrpc":"2.0","id":`)
	envelope.PutID(&t.Writer, r.id, s.opts.StringIDs)
	drafts.PutSilent(&t.Writer, beside, r.params)
	return t.Dst
}
