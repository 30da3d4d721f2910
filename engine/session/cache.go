package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
)

// cache is what the session knows of the results that its host keeps. Whether
// one may be kept, for how long and for whom, and whether one that was kept may
// be used is decided here; the host sees keys and texts.
//
// Source: MCP 2026-07-28, server/utilities/caching.
type cache struct {
	authorization int    // the latest that the transport told of
	owner         string // whose private results were kept last, as [Session.owner] has it
	hasPublic     bool   // one was kept
	lookups       int    // that the host has not answered
	time          int64  // of what was kept or became stale last

	marks   [len(cacheable)]mark
	updated []update // resources, the oldest first
}

// cacheable are the methods whose results may be kept, each with the one
// parameter that they depend on: a call with any other is not looked at, and so
// none with inputResponses or requestState. The lists come first.
var cacheable = [...]struct{ method, param string }{
	{"tools/list", "cursor"},
	{"prompts/list", "cursor"},
	{"resources/list", "cursor"},
	{"resources/templates/list", "cursor"},
	{"resources/read", "uri"},
	{"server/discover", ""},
}

const (
	toolsList     = 0 // of cacheable
	resourcesRead = 4

	maxFresh  = 24 * 60 * 60_000 // milliseconds that a result is used at most, whatever the server says
	maxEntry  = 1 << 20          // bytes
	maxKey    = 32 << 10         // bytes
	maxAhead  = 1000             // milliseconds that another session's clock may be ahead
	recalling = 2000             // milliseconds the host may take for a lookup
)

// lookup is a call's first leg as the cache sees it.
type lookup struct {
	request *request
	method  int    // of cacheable
	param   []byte // as its key has it
	asked   int    // how many places were looked at: the private one, then the public one
	due     int64  // when the host has taken too long
}

// lookUp looks for a kept result before a call's first leg goes out, and
// reports whether the host is asked for one. Of later legs none is kept.
func (s *Session) lookUp(r *request) bool {
	c := r.call
	first := c.isNew
	c.isNew, c.look = false, nil
	if !s.opts.Cache || !first || s.closed || !isModern(s.version) || s.speaks == initializing || s.speaks == sessions {
		return false
	}
	if c.look = lookupOf(r); c.look == nil || len(s.keyOf(c.look, true, s.owner()))+len(s.opts.CachedAs) > maxKey {
		c.look = nil
		return false
	}
	return !c.fresh && s.recall(c.look)
}

// lookupOf reads a leg's params, nil if they are not those of a request whose
// result may be kept.
func lookupOf(r *request) *lookup {
	for i, of := range cacheable {
		if r.method != of.method {
			continue
		}
		l := &lookup{request: r, method: i, param: []byte("null")}
		n := 0
		var m rawjson.Members
		for m.Start(r.params); m.Next(); n++ {
			text, ok := rawjson.Unquote(m.Value)
			if n > 0 || of.param == "" || !m.Is(of.param) || !ok {
				return nil
			}
			l.param = rawjson.AppendQuoted(nil, text)
		}
		return l
	}
	return nil
}

// recall asks the host for a result in the next place where there may be one.
func (s *Session) recall(l *lookup) bool {
	for l.asked < 2 {
		l.asked++
		private := l.asked == 1
		if private && s.cache.owner != s.owner() || !private && !s.cache.hasPublic && s.opts.CachedAs == "" {
			continue
		}
		r := l.request
		s.last++
		r.id, r.posted, r.exchange, r.recalls = s.above+int64(s.last), s.last, s.last, true
		s.list(r)
		l.due = s.now + recalling
		s.cache.lookups++
		s.do(Recall{Exchange: r.exchange, Call: r.call.number, Leg: r.leg, Key: string(s.keyOf(l, private, s.owner())), Private: private})
		return true
	}
	return false
}

// recalled takes what the host has kept, nil if there is nothing. What cannot
// be used is as nothing: the server is asked.
func (s *Session) recalled(r *request, entry []byte) {
	l := r.call.look
	s.unlist(r)
	r.exchange = 0
	if in := s.usable(l, entry); in != nil {
		l.request = nil
		s.deliver(r, in)
	} else if !s.recall(l) {
		s.put(r)
	}
}

// recallDue goes on without what the host takes too long to look up.
func (s *Session) recallDue() {
	for _, r := range s.requests.all() {
		switch {
		case !r.recalls || s.now < r.call.look.due:
		default:
			s.abort(r.exchange)
			s.recalled(r, nil)
		}
	}
}

// nextRecallDue is when the first is due, 0 if none is.
func (s *Session) nextRecallDue() (due int64) {
	if s.cache.lookups == 0 {
		return 0
	}
	for _, p := range s.requests.places {
		if r := p.item; r != nil && r.recalls && (due == 0 || r.call.look.due < due) {
			due = r.call.look.due
		}
	}
	return due
}

// isRecalled reports whether what a call gets now is what was kept.
func (c *call) isRecalled() bool { return c.look != nil && c.look.request == nil }

// keep has the host keep a call's result, if it may be used again, and reports
// whether it is one that was kept.
func (s *Session) keep(c *call, noStore bool, in *message.Message) (wasKept bool) {
	l, wasKept := c.look, c.isRecalled()
	c.look = nil
	if l == nil || wasKept {
		return wasKept
	}
	r := l.request
	result := in.Text(message.Result)
	fresh, public := freshness(in)
	owner := s.ownerAt(r.epoch, r.authorization)
	mark := s.markOf(l)
	if result == nil || fresh == 0 || noStore || r.speaks != modern || r.posted <= mark.exchange || !public && owner != s.owner() {
		return false
	}
	at := s.later()
	key := s.keyOf(l, !public, owner)
	entry := entryOf(key, at, result)
	if len(entry) > maxEntry {
		return false
	}
	if public {
		s.cache.hasPublic = true
	} else {
		s.cache.owner = owner
	}
	s.do(Keep{Key: string(key), Entry: entry, Until: at + fresh, Private: !public})
	return false
}

// owner is whose a private result is that comes now: of the sign-ins and of the
// authorization that the transport has. Another token is another owner.
func (s *Session) owner() string { return s.ownerAt(s.signIn.epoch, s.cache.authorization) }

func (s *Session) ownerAt(epoch, authorization int) string {
	return "[" + rawjson.Itoa(epoch) + "," + rawjson.Itoa(authorization) + "]"
}

// sawAuthorization takes it that the transport has another authorization.
func (s *Session) sawAuthorization(r *request, authorization int) {
	s.cache.authorization = max(s.cache.authorization, authorization)
	if r != nil {
		r.authorization = authorization
	}
}
