package session

import (
	"time"

	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/rawjson"
)

// maxReselects is how often one request is sent again in another version.
const maxReselects = 3

// forget goes back to knowing nothing of the server but what the options say.
func (s *Session) forget() {
	if s.opts.Transport == Requests {
		s.speaks, s.confirmed, s.version = modern, true, latest
		return
	}
	s.speaks, s.confirmed, s.probeDue = unknown, false, 0
	s.version = s.opts.Known
	if s.version == "" {
		s.version = s.opts.preferred(true)
	}
	if s.version == "" {
		s.version = s.opts.preferred(false)
	}
	// Known or pinned, there is nothing to find out.
	if isModern(s.version) && !s.opts.Discover && (s.opts.Known != "" || s.opts.preferred(false) == "") {
		s.speaks = modern
	}
}

// inline reports whether a request may go out before the version is known: a
// server of another era refuses it, over HTTP, without harm.
//
// Source: MCP 2026-07-28, basic/versioning, Backward Compatibility.
func (s *Session) inline() bool {
	return !s.stdio() && !s.opts.Discover && isModern(s.version)
}

// negotiate finds out what the server speaks, unless that is under way. Over
// stdio server/discover goes first.
func (s *Session) negotiate() {
	if s.speaks != unknown {
		return
	}
	if isModern(s.version) {
		s.probe()
	} else {
		s.initialize(s.version)
	}
}

func (s *Session) probe() {
	s.speaks = probing
	if s.stdio() && s.mayFallBack() {
		s.probeDue = s.now + int64((s.opts.ProbeTimeout+time.Millisecond-1)/time.Millisecond)
	}
	s.post(&request{kind: discover, method: "server/discover", params: []byte("{}")})
}

// tick does what is due.
func (s *Session) tick() {
	if s.probeDue == 0 || s.now < s.probeDue {
		s.waitUntil = 0 // the timer is used up
		return
	}
	s.probeDue = 0
	if s.speaks == probing {
		s.initialize(s.opts.preferred(false)) // the probe stays outstanding: see discovered
	}
}

// discovered takes the answer to server/discover: a DiscoverResult or one of
// the errors that only modern servers send mean modern, any other error means
// an earlier era. One that comes after the time for it still counts while
// initialize is unanswered: the server was slow to start.
//
// Source: MCP 2026-07-28, basic/versioning, Backward Compatibility.
func (s *Session) discovered(r *request, msg envelope.Message) {
	s.unlist(r)
	s.probeDue = 0
	if s.speaks != probing && s.speaks != initializing {
		return
	}
	supported, ready := []byte(nil), Ready{}
	if msg.Failed {
		switch code := errorCode(msg.Error); {
		case code == codeVersion:
			supported = rawjson.Member(rawjson.Member(msg.Error, "data"), "supported")
		case isModernCode(code):
		case s.speaks == probing && s.mayFallBack():
			s.initialize(s.opts.preferred(false))
			return
		case s.speaks == probing:
			s.giveUp("server/discover: JSON-RPC error " + rawjson.Itoa(code))
			return
		default:
			return
		}
	} else {
		supported = rawjson.Member(msg.Result, "supportedVersions")
		ready = s.readyWith(msg.Result, rawjson.Member(rawjson.Member(msg.Result, "_meta"), "io.modelcontextprotocol/serverInfo"))
	}
	version := s.version
	if supported != nil {
		version = s.pick(supported)
	}
	switch {
	case isModern(version):
		s.forgetInitialize()
		s.version = version
		s.settle(ready)
	case s.speaks == initializing: // under way already
	case version != "":
		s.initialize(version)
	default:
		s.giveUp("the server speaks none of the versions that may be spoken here")
	}
}

// forgetInitialize ignores what initialize will be answered with.
func (s *Session) forgetInitialize() {
	for i, r := range s.requests {
		if r.kind == initialize {
			s.requests = cut(s.requests, i)
			return
		}
	}
}

// pick is the preferred version among those the server supports and has not
// refused, "" if there is none.
func (s *Session) pick(supported []byte) string {
	for _, v := range s.opts.Versions {
		if !s.refusedVersion(v) && lists(supported, v) {
			return v
		}
	}
	return ""
}

// lists reports whether an array has a string.
func lists(array []byte, text string) bool {
	if !rawjson.IsArray(array) {
		return false
	}
	var e rawjson.Elements
	for e.Start(array); e.Next(); {
		if rawjson.Is(e.Value, text) {
			return true
		}
	}
	return false
}

func (s *Session) refusedVersion(version string) bool {
	for _, v := range s.tried {
		if v == version {
			return true
		}
	}
	return false
}

// settle begins to speak a modern version: what waited goes out.
func (s *Session) settle(ready Ready) {
	s.speaks, s.confirmed = modern, true
	ready.Version = s.version
	s.do(ready)
	s.flush()
}

// confirm takes it from an answer that the server is modern.
func (s *Session) confirm() {
	if s.speaks == unknown || s.speaks == modern && !s.confirmed {
		s.settle(Ready{})
	}
}

// flush sends what waited.
func (s *Session) flush() {
	waiting := s.waiting
	s.waiting = nil
	for _, r := range waiting {
		switch {
		case r.call.leg != r: // it was dropped meanwhile
		case r.doubted != nil && s.speaks == modern:
			s.deliver(r, r.doubted)
		default:
			s.post(r)
		}
	}
}

// reselect sends a request again in another version, of which the server says
// that it supports it.
func (s *Session) reselect(r *request, object []byte) bool {
	if s.speaks != unknown && s.speaks != modern { // another request has seen to it
		s.fallBack(r)
		return true
	}
	if !s.refusedVersion(s.version) {
		s.tried = append(s.tried, s.version)
	}
	supported := rawjson.Member(rawjson.Member(object, "data"), "supported")
	version := s.pick(supported)
	if version == "" && r.reselects == 0 && lists(supported, s.version) {
		version = s.version // it is refused and supported, as by a server of which some instances are older
	}
	if r.reselects++; version == "" || r.reselects > maxReselects {
		return false
	}
	if isModern(version) {
		s.version = version
		s.post(r)
		return true
	}
	s.hang(r)
	s.initialize(version)
	return true
}

// hang lets a leg wait again.
func (s *Session) hang(r *request) {
	s.unlist(r)
	r.exchange = 0
	s.waiting = append(s.waiting, r)
}

// mayFallBack reports whether the server may still turn out to be of an
// earlier era.
func (s *Session) mayFallBack() bool { return !s.confirmed && s.opts.preferred(false) != "" }

// fallBack sends a leg as an earlier era would, because the server does not
// know what a modern request is.
func (s *Session) fallBack(r *request) {
	if s.speaks == sessions {
		s.post(r)
		return
	}
	s.hang(r)
	if s.speaks == unknown || s.speaks == modern {
		s.initialize(s.opts.preferred(false))
	}
}

// doubt keeps an error back that servers of any era may send, and asks which
// era it is.
func (s *Session) doubt(r *request, body []byte) {
	if s.speaks == sessions { // another request has found out
		s.post(r)
		return
	}
	r.doubted = append([]byte(nil), body...)
	s.hang(r)
	if s.speaks == unknown || s.speaks == modern {
		s.probe()
	}
}

// initialize begins a session of an earlier era.
func (s *Session) initialize(version string) {
	s.speaks, s.version = initializing, version
	info := s.opts.ClientInfo
	if info == nil {
		info = []byte(`{"name":"parley","version":"0"}`)
	}
	params := rawjson.AppendQuoted([]byte(`{"protocolVersion":`), version)
	params = append(append(params, `,"capabilities":`...), s.opts.Capabilities...)
	params = append(append(append(params, `,"clientInfo":`...), info...), '}')
	s.earlier = earlier{asks: s.earlier.asks, replied: s.earlier.replied} // of legs that are still in flight
	s.post(&request{kind: initialize, method: "initialize", params: params})
}

// initialized takes the answer to initialize. Requests may be sent after
// notifications/initialized, which over HTTP is an exchange of its own.
//
// Source: MCP 2025-11-25, basic/lifecycle, Initialization.
func (s *Session) initialized(r *request, msg envelope.Message) {
	s.unlist(r)
	if s.speaks != initializing {
		return
	}
	if msg.Failed {
		code := errorCode(msg.Error)
		if version := s.pick(rawjson.Member(rawjson.Member(msg.Error, "data"), "supported")); code == codeVersion && isModern(version) {
			s.version = version
			s.settle(Ready{})
			return
		}
		s.giveUp("initialize: JSON-RPC error " + rawjson.Itoa(code))
		return
	}
	version, _ := rawjson.Unquote(rawjson.Member(msg.Result, "protocolVersion"))
	if !s.opts.speaks(version) || isModern(version) {
		s.giveUp("initialize: the server chose a version that may not be spoken here")
		return
	}
	s.version = version
	s.earlier.ready = s.readyWith(msg.Result, rawjson.Member(msg.Result, "serverInfo"))
	exchange := s.send(s.earlier.sessionID, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	told := &request{kind: notified, id: s.above + int64(exchange), posted: exchange, exchange: exchange, method: "notifications/initialized", speaks: sessions}
	s.requests = append(s.requests, told)
	if s.stdio() {
		s.settleSession(told)
	}
}

// settleSession begins to speak a version of an earlier era.
func (s *Session) settleSession(told *request) {
	s.unlist(told)
	s.speaks, s.confirmed = sessions, true
	s.do(s.earlier.ready)
	s.listen()
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
	params := rawjson.AppendQuoted([]byte(`{"level":`), s.opts.LogLevel)
	s.post(&request{kind: tell, method: "logging/setLevel", params: append(params, '}')})
}

// readyWith is what the server said of itself.
func (s *Session) readyWith(result, info []byte) Ready {
	ready := Ready{Version: s.version, ServerInfo: clone(info), Capabilities: clone(rawjson.Member(result, "capabilities"))}
	if ready.ServerInfo == nil {
		ready.ServerInfo = clone(rawjson.Member(result, "serverInfo"))
	}
	ready.Instructions, _ = rawjson.Unquote(rawjson.Member(result, "instructions"))
	return ready
}

func clone(text []byte) []byte { return append([]byte(nil), text...) }

// calmDown ends the search for a version when nobody waits for it any more, so
// that a server that does not answer is asked anew by the next call. A process
// is left in peace: it may be starting.
func (s *Session) calmDown() {
	if len(s.waiting) > 0 || s.stdio() || s.speaks != probing && s.speaks != initializing {
		return
	}
	for i := len(s.requests) - 1; i >= 0; i-- {
		if r := s.requests[i]; r.kind == discover || r.kind == initialize || r.kind == notified {
			s.abandon(r)
		}
	}
	s.forget()
}

// giveUp ends the search for a version: what waited was not sent.
func (s *Session) giveUp(reason string) {
	s.forget()
	for len(s.waiting) > 0 {
		if r := s.waiting[0]; r.doubted != nil {
			s.deliver(r, r.doubted)
		} else {
			s.lose(r, reason, true)
		}
	}
}
