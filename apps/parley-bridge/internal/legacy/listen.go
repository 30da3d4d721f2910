package legacy

import (
	"slices"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/memory"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/engine/session"
)

// listening is what a modern server tells of, which it must be asked for, where
// clients of earlier eras are told without asking, but for the resources that they
// subscribe to. The session's lock guards it.
type listening struct {
	uris  []string
	heard chan struct{}            // closed when the server has answered, nil if nothing was asked
	held  map[string]*memory.Lease // by URI
}

// hold counts a URI for as long as it is watched.
func (l *listening) hold(s *Session, uri string) {
	if l.held == nil {
		l.held = map[string]*memory.Lease{}
	}
	l.held[uri] = s.opts.Memory.Lease(s.opts.User, len(uri))
}

// release forgets what is watched.
func (l *listening) release() {
	for _, lease := range l.held {
		lease.Drop()
	}
	l.uris, l.held = nil, nil
}

// Bounds of what a client can have watched.
const (
	maxURIs = 1000
	ackTime = 5 * time.Second
)

// begin asks for what the server offers, if it must be asked.
func (l *listening) begin(s *Session) {
	if s.conn == nil || !s.conn.IsModern() {
		return
	}
	said, err := s.conn.Ready(s.life) // it has been asked
	if err != nil {
		return
	}
	offers := func(kind string) bool { return message.IsTrue(said.Capabilities, kind, "listChanged") }
	filter := session.Filter{ToolsListChanged: offers("tools"), PromptsListChanged: offers("prompts"), ResourcesListChanged: offers("resources"), ResourceSubscriptions: l.uris}
	if s.conn.Subscribe(filter) == nil && l.heard == nil && len(l.uris) > 0 {
		l.heard = make(chan struct{})
	}
}

// subscribed takes it that the server has answered.
func (s *Session) subscribed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listen.heard != nil {
		close(s.listen.heard)
		s.listen.heard = nil
	}
}

// changed tells the client what has changed or, after a while in which nothing was
// heard, may have.
func (s *Session) changed(c session.Changed) {
	for i, is := range []bool{c.ToolsListChanged, c.PromptsListChanged, c.ResourcesListChanged} {
		if is {
			s.general.Send(message.Notification("notifications/"+[]string{"tools", "prompts", "resources"}[i]+"/list_changed", nil))
		}
	}
	for _, uri := range c.ResourceSubscriptions {
		s.general.Send(message.Notification("notifications/resources/updated", message.With(nil, "uri", message.Quote(uri))))
	}
}

// subscribe changes which resources are watched.
func (s *Session) subscribe(r *request, on bool) {
	uri := message.Text(r.params, "uri")
	if uri == "" {
		r.fail(message.Error(message.InvalidParams, "there is no uri", nil))
		return
	}
	s.mu.Lock()
	have := slices.Contains(s.listen.uris, uri)
	full := on && !have && (len(s.listen.uris) >= maxURIs || s.life.Err() != nil)
	var heard chan struct{}
	if have != on && !full {
		if on {
			s.listen.uris = append(slices.Clone(s.listen.uris), uri)
			s.listen.hold(s, uri)
		} else {
			s.listen.uris = slices.DeleteFunc(slices.Clone(s.listen.uris), func(u string) bool { return u == uri })
			s.listen.held[uri].Drop()
			delete(s.listen.held, uri)
		}
		s.listen.begin(s)
		heard = s.listen.heard
	}
	s.mu.Unlock()
	if full {
		r.fail(message.Error(message.Internal, "parley-bridge: this session watches as many resources as it may", nil))
		return
	}
	if heard != nil {
		select {
		case <-heard:
		case <-time.After(ackTime):
		case <-r.ctx.Done():
		}
	}
	r.succeed([]byte("{}"))
}
