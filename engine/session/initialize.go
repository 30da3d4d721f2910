package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// initialize begins a session of an earlier era. first is why the server was not
// spoken to as a modern one, if it has refused that.
func (s *Session) initialize(version string, first sentence.Text) {
	s.speaks, s.version, s.probeDue = initializing, version, 0
	info := s.opts.ClientInfo
	if info == nil {
		info = []byte(`{"name":"parley","version":"0"}`)
	}
	t := &text{}
	t.Put(`{"protocolVersion":`)
	t.Quoted(version)
	t.Put(`,"capabilities":`)
	t.Raw(s.opts.Capabilities)
	t.Put(`,"clientInfo":`)
	t.Raw(info)
	t.Put("}")
	s.takeBackRoots()
	s.earlier = earlier{asks: s.earlier.asks, replied: s.earlier.replied} // of legs that are still in flight
	s.post(&request{kind: initialize, method: "initialize", params: t.Dst, first: first})
}

// initialized takes the answer to initialize. Requests may be sent after
// notifications/initialized, which over HTTP is an exchange of its own.
//
// Source: MCP 2025-11-25, basic/lifecycle, Initialization.
func (s *Session) initialized(r *request, msg inbound) {
	s.unlist(r)
	if s.speaks != initializing {
		return
	}
	if msg.failed {
		s.initializeRefused(r, msg.code, msg.error, errorReason(msg.error))
		return
	}
	if msg.in.Kind(message.Result) != '{' {
		s.giveUp(r, "the result is not an object")
		return
	}
	version, _ := rawjson.Unquote(msg.in.Text(message.ProtocolVersion))
	if version == "" { // it has nothing against the one that was asked for
		version = s.version
	}
	if !s.opts.speaks(version) || isModern(version) {
		s.giveUp(r, sentence.Say("the server speaks {0}, which may not be spoken here", sentence.Value(clip(version))))
		return
	}
	s.version = version
	s.earlier.ready = s.readyWith(msg.in, msg.in.Text(message.ServerInfo))
	s.sayInitialized()
}

// initializeRefused takes it that initialize was refused, in some words. If they
// name a version that may be spoken, it is tried in that one; servers that name
// what they speak mostly do so in the message.
func (s *Session) initializeRefused(r *request, code int, words []byte, reason sentence.Text) {
	if late := s.late; late != nil {
		s.version, s.late = late.Version, nil
		s.settle(*late)
		return
	}
	if version := s.pick(rawjson.Member(rawjson.Member(words, "data"), "supported")); code == codeVersion && isModern(version) {
		s.version = version
		s.settle(Ready{})
		return
	}
	next := ""
	if !isKnown(s.version) { // it may not choose for one that it does not know
		next = s.opts.preferredKnown()
	}
	s.tried = append(s.tried, s.version)
	for _, v := range s.opts.Versions {
		if next == "" && isKnown(v) && !isModern(v) && !s.refusedVersion(v) && contains(words, v) {
			next = v
		}
	}
	if next == "" {
		s.giveUp(r, reason)
		return
	}
	s.initialize(next, r.first)
}

// contains reports whether a text has another in it.
func contains(text []byte, part string) bool {
	for i := 0; i+len(part) <= len(text); i++ {
		if string(text[i:i+len(part)]) == part {
			return true
		}
	}
	return false
}

// sayInitialized says that requests will come.
func (s *Session) sayInitialized() {
	exchange := s.send(Post{Body: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)}, s.earlier.sessionID)
	told := &request{kind: notified, id: s.above + int64(exchange), posted: exchange, exchange: exchange, method: "notifications/initialized", speaks: sessions, epoch: s.signIn.epoch}
	s.list(told)
	if s.stdio() {
		s.settleSession(told)
		return
	}
	s.earlier.told, s.probeDue = told.id, s.now+toldTime
}

const toldTime = 1000 // milliseconds after which an unanswered notifications/initialized is taken for known

// settleSession begins to speak a version of an earlier era.
func (s *Session) settleSession(told *request) {
	s.unlist(told)
	s.probeDue = 0
	s.speaks, s.confirmed, s.starts, s.late = sessions, true, 0, nil
	if sub := s.sub; sub != nil { // a new session knows of nothing
		sub.missed = sub.missed || !sub.said.isEmpty()
		if sub.asking != nil {
			s.unlist(sub.asking)
		}
		sub.has, sub.asking, sub.redo = nil, nil, true
	}
	s.do(s.earlier.ready)
	s.listen()
	s.awaitRoots()
	s.setLogLevel()
	s.flush()
}

// levelWait holds legs back until the server knows from which level it may log: one
// that works at several requests at once would log nothing of the first call.
type levelWait struct {
	id    int64 // of logging/setLevel
	until int64 // legs wait for its answer until then, in Unix milliseconds
}

const levelTime = 250 // milliseconds

// setsLevel reports whether the server has not said that it knows the level.
func (s *Session) setsLevel() bool {
	w := &s.earlier.level
	return s.now < w.until && s.requests.get(w.id) != nil
}

// setLogLevel asks for log messages, which in this era is done once.
//
// Source: MCP 2025-11-25, server/utilities/logging, Setting Log Level.
func (s *Session) setLogLevel() {
	if s.opts.LogLevel == "" || rawjson.Member(s.earlier.ready.Capabilities, "logging") == nil {
		return
	}
	t := &text{}
	t.Put(`{"level":`)
	t.Quoted(s.opts.LogLevel)
	t.Put("}")
	r := &request{kind: tell, method: "logging/setLevel", params: t.Dst}
	s.post(r)
	s.earlier.level = levelWait{r.id, s.now + levelTime}
}

// readyWith is what the server said of itself.
func (s *Session) readyWith(in *message.Message, info []byte) Ready {
	ready := Ready{Version: s.version, ServerInfo: clone(info), Capabilities: clone(in.Text(message.Capabilities))}
	if ready.ServerInfo == nil {
		ready.ServerInfo = clone(in.Text(message.ServerInfo))
	}
	ready.Instructions, _ = rawjson.Unquote(in.Text(message.Instructions))
	return ready
}

func clone(text []byte) []byte { return append([]byte(nil), text...) }
