package session

import (
	"github.com/parley-mcp/parley/internal/message"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// initialize begins a session of an earlier era.
func (s *Session) initialize(version string) {
	s.speaks, s.version = initializing, version
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
	s.post(&request{kind: initialize, method: "initialize", params: t.Dst})
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
		code := errorCode(msg.error)
		if version := s.pick(rawjson.Member(rawjson.Member(msg.error, "data"), "supported")); code == codeVersion && isModern(version) {
			s.version = version
			s.settle(Ready{})
			return
		}
		if next := s.opts.preferredKnown(); !isKnown(s.version) && next != "" { // it may not choose for one that it does not know
			s.initialize(next)
			return
		}
		s.giveUp(sentence.Join(sentence.Value("initialize"), count("JSON-RPC error {0}", code)))
		return
	}
	version, _ := rawjson.Unquote(msg.in.Text(message.ProtocolVersion))
	if !s.opts.speaks(version) || isModern(version) {
		s.giveUp(sentence.Join(sentence.Value("initialize"), "the server chose a version that may not be spoken here"))
		return
	}
	s.version = version
	s.earlier.ready = s.readyWith(msg.in, msg.in.Text(message.ServerInfo))
	s.sayInitialized()
}

// sayInitialized says that requests will come.
func (s *Session) sayInitialized() {
	exchange := s.send(s.earlier.sessionID, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	told := &request{kind: notified, id: s.above + int64(exchange), posted: exchange, exchange: exchange, method: "notifications/initialized", speaks: sessions, epoch: s.signIn.epoch}
	s.list(told)
	if s.stdio() {
		s.settleSession(told)
	}
}

// settleSession begins to speak a version of an earlier era.
func (s *Session) settleSession(told *request) {
	s.unlist(told)
	s.speaks, s.confirmed, s.starts = sessions, true, 0
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
	s.post(&request{kind: tell, method: "logging/setLevel", params: t.Dst})
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
