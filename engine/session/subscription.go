package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// Filter is what a host wants to be told of, as the schema's type
// SubscriptionFilter.
type Filter struct {
	ToolsListChanged, PromptsListChanged, ResourcesListChanged bool

	ResourceSubscriptions []string // uris; at most 1,000 of at most 8 KiB
}

const (
	maxURIs    = 1000
	maxURI     = 8 << 10 // bytes
	maxTaskIDs = 100     // that one stream carries

	ackTime    = 60_000 // milliseconds a server may take to acknowledge
	endedPause = 60_000 // milliseconds after the server has ended a stream
	// Milliseconds between two streams over stdio. go-sdk (1.8.0) has one subscription a
	// connection, which it ends in a goroutine: the end of the old would be that of the new.
	replaceTime = 50

	subscriptionID = "io.modelcontextprotocol/subscriptionId"
)

// subscription is what the host has subscribed to. At MCP 2026-07-28 it is the
// stream of a subscriptions/listen request, which is opened again when it
// breaks. Servers of earlier eras tell of their lists by themselves, and are
// asked for each resource.
//
// Source: MCP 2026-07-28, basic/patterns/subscriptions.
type subscription struct {
	wanted Filter
	said   Filter // acknowledged

	stream *request // that the server has acknowledged
	next   *request // that it has not
	since  int64    // when it acknowledged
	breaks int      // in a row
	due    int64    // when to open it again, or to give up waiting for an acknowledgment; 0 for neither

	missed bool // something, since the server acknowledged
	down   bool // the host was told that nothing comes
	news   bool // the host has asked for something else
	shut   bool // until somebody signs in
	over   bool // until the host asks again

	tasks   []byte // the taskIds that the streams carry, as an array
	noTasks bool   // the server does not take them

	// In earlier eras.
	has    []string // uris that the server was told
	at     int      // of wanted and then of has: which is seen to next
	asking *request // about uri
	uri    string
	redo   bool // the host has asked for something else meanwhile
}

func (f *Filter) isEmpty() bool {
	return !f.ToolsListChanged && !f.PromptsListChanged && !f.ResourcesListChanged && len(f.ResourceSubscriptions) == 0
}

// kinds are the members of a filter that are booleans, in the order of the
// schema.
var kinds = [...]string{"tools", "prompts", "resources"}

func (f *Filter) kind(i int) *bool {
	return [...]*bool{&f.ToolsListChanged, &f.PromptsListChanged, &f.ResourcesListChanged}[i]
}

func (f *Filter) check() sentence.Text {
	if len(f.ResourceSubscriptions) > maxURIs {
		return "a subscription has more than 1000 uris"
	}
	for _, uri := range f.ResourceSubscriptions {
		if uri == "" || len(uri) > maxURI || !rawjson.ValidUTF8([]byte(uri)) {
			return "a subscription has a uri that is empty, longer than 8 KiB or not UTF-8"
		}
	}
	return ""
}

// copied is the filter with memory of its own, each uri once.
func (f Filter) copied() Filter {
	uris := f.ResourceSubscriptions
	f.ResourceSubscriptions = nil
	for _, uri := range uris {
		if !has(f.ResourceSubscriptions, uri) {
			f.ResourceSubscriptions = append(f.ResourceSubscriptions, uri)
		}
	}
	return f
}

func has(list []string, text string) bool {
	for _, one := range list {
		if one == text {
			return true
		}
	}
	return false
}

// subscribe takes what the host wants to be told of from now on, and whether it
// has missed something before.
func (s *Session) subscribe(f Filter, missed bool) *engine.Error {
	switch bad := f.check(); {
	case s.opts.Transport == Requests:
		return newError(fault.Options, "over requests the connection has subscriptions of its own")
	case s.closed:
		return newError(fault.Order, "the session is closed")
	case bad != "":
		return newError(fault.Order, bad)
	case f.isEmpty() && s.sub == nil:
		return nil
	case s.sub == nil:
		s.sub = &subscription{}
	}
	sub := s.sub
	sub.missed = sub.missed || missed
	sub.wanted, sub.news, sub.over, sub.shut, sub.down, sub.breaks, sub.redo = f.copied(), true, false, false, false, 0, true
	if f.isEmpty() && s.speaks != sessions {
		s.endStreams()
		if sub.asking != nil {
			s.unlist(sub.asking)
		}
		s.sub = nil
		s.calmDown()
		return nil
	}
	s.openSubscription()
	return nil
}

// openSubscription sees to it that the server knows what is wanted. Where it is
// not known yet what it speaks, that is found out first, and [Session.flush]
// comes back.
func (s *Session) openSubscription() {
	sub := s.sub
	if sub == nil || sub.over || sub.shut {
		return
	}
	sub.due = 0
	switch {
	case s.speaks == sessions:
		s.endStreams() // of another era
		s.watchNext()
	case s.speaks == modern && !s.mayFallBack():
		s.openStream()
	case s.speaks == modern:
		s.probe()
	case s.speaks == unknown:
		s.negotiate()
	}
}

// subscribed tells the host what it will be told of, if that is news, and what
// may have changed while nothing was told.
func (s *Session) subscribed(f Filter) {
	sub := s.sub
	if sub.news || sub.down {
		s.do(Subscribed{Filter: f.copied()})
	}
	sub.said, sub.news, sub.down = f, false, false
	if sub.missed {
		s.missed()
	}
}

// missed tells the host that anything may have changed.
func (s *Session) missed() {
	s.sub.missed = false
	s.staleFilter(&s.sub.said)
	if !s.sub.said.isEmpty() {
		s.do(Changed{Filter: s.sub.said.copied(), Missed: true})
	}
}

// retrySubscription opens the stream again after a while.
func (s *Session) retrySubscription(reason sentence.Text) {
	sub := s.sub
	if sub.over || sub.shut || sub.next != nil || sub.due != 0 || sub.stream != nil && !sub.news {
		return
	}
	delay := s.retryDelay(sub.breaks)
	sub.breaks++
	s.pauseSubscription(delay, reason)
}

// pauseSubscription opens the stream again after a time and up to a quarter
// more, which is another for each client: hosts draw FirstID at random. A
// server that restarts is not met by all its clients at once.
func (s *Session) pauseSubscription(delay int64, reason sentence.Text) {
	s.sub.due = s.now + delay + (s.above+int64(s.last))%(delay/4+1)
	s.silence(Subscribed{Reason: reason})
}

// silence tells the host that nothing comes, once.
func (s *Session) silence(why Subscribed) {
	sub := s.sub
	if sub.stream == nil && !sub.down || why.Over {
		sub.down = true
		s.do(why)
	}
}

func (s *Session) endSubscription(reason sentence.Text) {
	s.sub.over, s.sub.due = true, 0
	s.silence(Subscribed{Reason: reason, Over: true})
}

func (s *Session) shutSubscription(words sentence.Text) {
	s.sub.shut, s.sub.due = true, 0
	s.silence(Subscribed{Reason: words})
}

// subscriptionDown takes the end of the server's process.
func (s *Session) subscriptionDown(reason sentence.Text) {
	sub := s.sub
	sub.missed = sub.missed || !sub.said.isEmpty()
	if sub.next != nil {
		sub.due = 0
	}
	sub.stream, sub.next, sub.asking = nil, nil, nil
	if s.speaks == modern || s.speaks == unknown {
		s.retrySubscription(reason)
	}
}

// subscriptionDue does what is due.
func (s *Session) subscriptionDue() {
	sub := s.sub
	if sub.due == 0 || s.now < sub.due {
		return
	}
	sub.due = 0
	if r := sub.next; r != nil {
		s.abandon(r)
		s.streamBroke(r, "the server did not acknowledge the subscription")
		return
	}
	s.openSubscription()
}
