package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
)

// mark is when results became stale: what was kept until then, and what was
// asked for by then, is not used any more.
type mark struct {
	at       int64
	exchange int
}

// update is a resource that the server says has changed.
type update struct {
	uri string
	mark
}

// maxUpdated is how many resources are known to have changed. With one more the
// oldest of these stands for all.
const maxUpdated = 64

func (s *Session) mark() mark { return mark{s.later(), s.last} }

// later is now, or the next millisecond after what was kept or became stale
// last: in one millisecond there may be much of both.
func (s *Session) later() int64 {
	s.cache.time = max(s.now, s.cache.time+1)
	return s.cache.time
}

// markOf is when the result that is looked for became stale last.
func (s *Session) markOf(l *lookup) mark {
	latest := s.cache.marks[l.method]
	if l.method != resourcesRead {
		return latest
	}
	uri, _ := rawjson.Unquote(l.param)
	for _, u := range s.cache.updated { // in the order of time
		if len(u.uri) >= len(uri) && u.uri[:len(uri)] == uri { // it may be a part of the resource
			latest = u.mark
		}
	}
	return latest
}

// stale takes it that all results of a method are.
func (s *Session) stale(method int) {
	if !s.opts.Cache {
		return
	}
	s.cache.marks[method] = s.mark()
	s.forgetKept(s.keyPrefix(method, false, ""))
}

// staleKind takes it that lists of a kind have changed.
func (s *Session) staleKind(kind int) {
	s.stale(toolsList + kind)
	if kinds[kind] == "resources" {
		s.stale(toolsList + kind + 1) // their templates
	}
}

// staleResource takes it that a resource has changed.
func (s *Session) staleResource(uri string) {
	if !s.opts.Cache || len(uri) > maxURI {
		return
	}
	c := &s.cache
	for i, u := range c.updated {
		if u.uri == uri {
			c.updated = append(c.updated[:i], c.updated[i+1:]...)
			break
		}
	}
	if len(c.updated) == maxUpdated {
		c.marks[resourcesRead] = c.updated[0].mark
		c.updated = append(c.updated[:0], c.updated[1:]...)
	}
	c.updated = append(c.updated, update{uri, s.mark()})
	s.forgetKept(append(rawjson.AppendQuoted(s.keyPrefix(resourcesRead, false, ""), uri), ','))
}

// forgetKept has the host drop what others would look up. What only this
// session does, it does not any more.
func (s *Session) forgetKept(prefix []byte) {
	if s.opts.CachedAs != "" {
		s.do(Forget{Prefix: string(prefix)})
	}
}

// staleFilter takes it that anything in a filter may have changed.
func (s *Session) staleFilter(f *Filter) {
	for i := range kinds {
		if *f.kind(i) {
			s.staleKind(i)
		}
	}
	for _, uri := range f.ResourceSubscriptions {
		s.staleResource(uri)
	}
}

// staleBy takes a notification that something has changed.
func (s *Session) staleBy(msg inbound) {
	if !s.opts.Cache {
		return
	}
	if uri, ok := rawjson.Unquote(rawjson.Member(msg.params, "uri")); ok && msg.method == "notifications/resources/updated" {
		s.staleResource(uri)
	}
	for i, kind := range kinds {
		if msg.method == "notifications/"+kind+"/list_changed" {
			s.staleKind(i)
		}
	}
}

// cursorFailed takes it that a list changed under its cursors, if that is why a
// call failed: all its pages are stale.
func (s *Session) cursorFailed(c *call, a engine.Action) {
	f, ok := a.(engine.Failed)
	if l := c.look; ok && f.Code == fault.RPC && l != nil && l.method < resourcesRead && string(l.param) != "null" {
		s.stale(l.method)
	}
}

// staleAll takes it that another process answers from now on.
func (s *Session) staleAll() {
	s.cache.updated = nil
	mark := s.mark()
	for i := range s.cache.marks {
		s.cache.marks[i] = mark
	}
}
