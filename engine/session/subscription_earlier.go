package session

import "github.com/parley-mcp/parley/rawjson"

// watchNext tells a server of an earlier era, one after the other, which
// resources are subscribed to, and which are not any more.
//
// Source: MCP 2025-11-25, server/resources, Subscriptions.
func (s *Session) watchNext() {
	sub := s.sub
	capabilities := s.earlier.ready.Capabilities
	offered := rawjson.Member(capabilities, "resources")
	subscribe := string(rawjson.Member(offered, "subscribe")) == "true"
	for sub.asking == nil && s.speaks == sessions {
		if sub.redo {
			sub.redo, sub.at = false, 0
		}
		wanted := sub.wanted.ResourceSubscriptions
		switch at := sub.at - len(wanted); {
		case at < 0 && (!subscribe || has(sub.has, wanted[sub.at])):
			sub.at++
		case at < 0:
			s.watch("resources/subscribe", wanted[sub.at])
		case at >= len(sub.has):
			s.watching(capabilities)
			return
		case has(wanted, sub.has[at]):
			sub.at++
		default:
			s.watch("resources/unsubscribe", sub.has[at])
		}
	}
}

func (s *Session) watch(method, uri string) {
	sub := s.sub
	sub.asking, sub.uri = &request{kind: listening, method: method}, uri
	t := &text{}
	t.Put(`{"uri":`)
	t.Quoted(uri)
	t.Put("}")
	sub.asking.params = t.Dst
	s.post(sub.asking)
}

// watched takes what came of it.
func (s *Session) watched(r *request, ok bool) {
	s.unlist(r)
	sub := s.sub
	if r != sub.asking {
		return
	}
	sub.asking = nil
	if r.method == "resources/subscribe" {
		sub.at++
		if ok {
			sub.has = append(sub.has, sub.uri)
		}
	} else {
		for i, uri := range sub.has {
			if uri == sub.uri {
				sub.has = append(sub.has[:i], sub.has[i+1:]...)
				break
			}
		}
	}
	s.watchNext()
}

// watching tells the host what the server tells of.
func (s *Session) watching(capabilities []byte) {
	sub := s.sub
	if sub.wanted.isEmpty() {
		s.sub = nil
		return
	}
	f := Filter{ResourceSubscriptions: sub.has}
	for i, kind := range kinds {
		*f.kind(i) = *sub.wanted.kind(i) && string(rawjson.Member(rawjson.Member(capabilities, kind), "listChanged")) == "true"
	}
	s.subscribed(f.copied())
}
