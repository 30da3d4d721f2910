package session

import (
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// openStream opens a stream. What a stream carries cannot be changed, so it
// replaces the one at hand: it is opened first, so that nothing is missed.
// Over stdio the one at hand ends first, because servers may keep one
// subscription a connection.
func (s *Session) openStream() {
	sub := s.sub
	if s.stdio() && (sub.stream != nil || sub.next != nil) {
		sub.missed = sub.missed || sub.stream != nil && !sub.said.isEmpty()
		s.endStreams()
		sub.due = s.now + replaceTime
		return
	}
	if sub.next != nil {
		s.abandon(sub.next)
	}
	t := &text{}
	t.Put(`{"notifications":{`)
	for i, kind := range kinds {
		if *sub.wanted.kind(i) {
			t.Begin(`"` + kind + `ListChanged":true`)
		}
	}
	if list := sub.wanted.ResourceSubscriptions; len(list) > 0 {
		t.Begin(`"resourceSubscriptions":[`)
		for _, uri := range list {
			t.Comma()
			t.Quoted(uri)
		}
		t.Put("]")
	}
	r := &request{kind: listening, method: "subscriptions/listen"}
	if sub.tasks = s.taskIDs(r); sub.tasks != nil {
		t.Begin(`"taskIds":`)
		t.Raw(sub.tasks)
	}
	t.Put("}}")
	r.params = t.Dst
	sub.next, sub.due = r, s.now+ackTime
	s.post(r)
}

// endStreams ends the streams at hand.
func (s *Session) endStreams() {
	sub := s.sub
	for _, r := range [...]*request{sub.stream, sub.next} {
		if r != nil {
			s.abandon(r)
		}
	}
	sub.stream, sub.next = nil, nil
}

// subscriptionMessage takes a notification if it is of the subscription.
// Over stdio only its metadata tells.
func (s *Session) subscriptionMessage(r *request, msg inbound) bool {
	sub := s.sub
	if s.speaks != sessions {
		if s.stdio() {
			r = s.byID(rawjson.Member(rawjson.Member(msg.params, "_meta"), subscriptionID))
		}
		if r == nil || r.kind != listening {
			return false
		}
	}
	c := Changed{}
	switch msg.method {
	case "notifications/subscriptions/acknowledged":
		if r == nil || r != sub.next {
			return r != nil && r.kind == listening
		}
		s.acknowledged(rawjson.Member(msg.params, "notifications"))
		return true
	case "notifications/resources/updated":
		uri, ok := rawjson.Unquote(rawjson.Member(msg.params, "uri"))
		if ok && len(uri) <= maxURI && len(sub.wanted.ResourceSubscriptions) > 0 {
			c.ResourceSubscriptions = []string{uri}
		}
	default:
		for i, kind := range kinds {
			if msg.method == "notifications/"+kind+"/list_changed" {
				*c.kind(i) = *sub.wanted.kind(i)
			}
		}
	}
	if c.isEmpty() {
		return false
	}
	s.do(c)
	return true
}

// acknowledged takes what the server agreed to of the stream that was opened
// last. What was not asked for does not count.
func (s *Session) acknowledged(filter []byte) {
	sub := s.sub
	s.confirm()
	if sub.stream != nil {
		s.abandon(sub.stream)
	}
	sub.stream, sub.next, sub.due, sub.since = sub.next, nil, 0, s.now
	f := Filter{}
	for i, kind := range kinds {
		*f.kind(i) = *sub.wanted.kind(i) && string(rawjson.Member(filter, kind+"ListChanged")) == "true"
	}
	if list := rawjson.Member(filter, "resourceSubscriptions"); rawjson.IsArray(list) {
		var e rawjson.Elements
		for e.Start(list); e.Next(); {
			if uri, ok := rawjson.Unquote(e.Value); ok && has(sub.wanted.ResourceSubscriptions, uri) && !has(f.ResourceSubscriptions, uri) {
				f.ResourceSubscriptions = append(f.ResourceSubscriptions, uri)
			}
		}
	}
	if sub.tasks != nil && !rawjson.IsArray(rawjson.Member(filter, "taskIds")) {
		sub.noTasks = true
	}
	s.subscribed(f)
}

// streamOver takes it that a stream is over.
func (s *Session) streamOver(r *request) {
	s.unlist(r)
	sub := s.sub
	switch r {
	case sub.stream:
		sub.stream, sub.missed = nil, sub.missed || !sub.said.isEmpty()
		if s.now-sub.since >= maxRetry {
			sub.breaks = 0
		}
	case sub.next:
		sub.next, sub.due = nil, 0
	}
}

// streamBroke opens a stream again that broke off, as nothing can be resumed.
func (s *Session) streamBroke(r *request, reason sentence.Text) {
	s.streamOver(r)
	s.retrySubscription(reason)
}

// streamAnswered takes the response to a stream's request, by which it ends as
// it should. A server that shuts down may be back, so a stream that carried
// something is opened again in its time. An error says that it is not offered.
func (s *Session) streamAnswered(r *request, status int, msg inbound) {
	switch {
	case r.speaks == sessions:
		s.watched(r, !msg.failed)
	case msg.failed && (status >= 500 || isForNow(status)):
		s.streamBroke(r, count("HTTP status {0}", status))
	case msg.failed:
		s.streamRefused(r, count("JSON-RPC error {0}", msg.code))
	default:
		s.streamEndedWell(r)
	}
}

func (s *Session) streamEndedWell(r *request) {
	sub := s.sub
	was := r == sub.stream
	s.streamOver(r)
	switch {
	case sub.stream != nil || sub.next != nil: // another took its place
	case was && !sub.said.isEmpty():
		s.pauseSubscription(endedPause, "the server ended the subscription")
	default:
		s.endSubscription("the server ended the subscription")
	}
}

// streamRefused takes it that the server does not offer what was asked for,
// unless it is only that it takes no taskIds.
func (s *Session) streamRefused(r *request, reason sentence.Text) {
	sub := s.sub
	s.streamOver(r)
	if sub.tasks != nil && !sub.noTasks {
		sub.noTasks = true
		if sub.stream == nil || sub.news {
			s.openSubscription()
		}
		return
	}
	s.endStreams()
	s.endSubscription(reason)
}

// streamStatus takes an HTTP status by which the server refuses a stream.
func (s *Session) streamStatus(r *request, status int, reason sentence.Text) {
	switch {
	case r.speaks == sessions:
		s.watched(r, false)
	case status >= 500 || isForNow(status) || status < 300:
		s.streamBroke(r, reason)
	default:
		s.streamRefused(r, reason)
	}
}

// isForNow lists the client errors after which the same may succeed.
func isForNow(status int) bool { return status == 408 || status == 429 }

// streamFailed takes it that no response will come.
func (s *Session) streamFailed(r *request, reason sentence.Text) {
	if r.speaks == sessions {
		s.watched(r, false)
		return
	}
	s.streamBroke(r, reason)
}

// streamChallenged lets the subscription wait until somebody signs in. Nobody
// is asked for it.
func (s *Session) streamChallenged(r *request, words sentence.Text) {
	sub := s.sub
	s.streamOver(r)
	if r == sub.asking {
		sub.asking = nil
	}
	if r.epoch < s.signIn.epoch { // somebody has meanwhile
		s.openSubscription()
		return
	}
	s.shutSubscription(words)
}

// taskIDs are the tasks that calls have become, as an array: a stream that is
// open anyway tells of them too, so that they are polled when there is news.
// Nil if there are none or the server does not take them. Over stdio it would
// have to be closed for each, and polls cost little.
//
// Source: the tasks extension, notifications/tasks.
func (s *Session) taskIDs(r *request) []byte {
	if s.stdio() || s.sub.noTasks {
		return nil
	}
	t := &text{}
	n := 0
	for _, p := range s.calls.places {
		c := p.item
		if c == nil || c.task == nil || n == maxTaskIDs {
			continue
		}
		if n++; n == 1 {
			t.Put("[")
		}
		t.Comma()
		t.Raw(c.task)
		r.capabilities = c.capabilities // the extension is declared there
	}
	if n > 0 {
		t.Put("]")
	}
	return t.Dst
}

// becameTask has the stream tell of a task too.
func (s *Session) becameTask(c *call) {
	if c.task != nil {
		return
	}
	c.task = c.flow.TaskID()
	if sub := s.sub; c.task != nil && sub != nil && s.speaks == modern && !s.stdio() && !sub.noTasks && (sub.stream != nil || sub.next != nil) {
		s.openSubscription()
	}
}
