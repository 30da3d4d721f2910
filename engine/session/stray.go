package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/internal/envelope"
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// stray is a response that fits none of our requests.
type stray struct {
	reason sentence.Text    // "" if none came
	words  string           // of the server, in an error
	failed *message.Message // an error, over HTTP
	last   int              // the last exchange when it came
}

// takeStray takes note of a response that fits none of our requests. It goes to
// the log, and into the reason of a failure if a request that waits gets no other
// response. One to a request that is over is ignored: clients SHOULD ignore late
// responses (basic/patterns/cancellation).
func (s *Session) takeStray(r *request, msg inbound) {
	if id, _ := s.readID(msg.id); id >= s.opts.FirstID && id <= s.above+int64(s.last) {
		return
	}
	st := stray{last: s.last, reason: "a result came that names no request"}
	if msg.failed {
		st.reason = "an error came that names no request"
	}
	if msg.id != nil && string(msg.id) != "null" {
		st.reason = sentence.Say("a response came with the id {0}, which fits no request", sentence.Value(clip(string(msg.id))))
	}
	if msg.failed {
		st.words = said.OfError(msg.error)
	}
	s.ignore(ignoredStray, sentence.Say("{0} (shown once)", quoting(st.reason, st.words)))
	switch {
	case !s.stdio():
		if r != nil {
			if msg.failed {
				st.failed = s.kept(msg.in)
			}
			r.stray = &st
		}
	case msg.failed && s.speaks == probing && s.mayFallBack(): // nothing else than server/discover was sent
		s.initializeInstead(quoting(sentence.Join("server/discover", st.reason), st.words))
	default:
		s.stray = st
	}
}

// strayFor is what came while a request waited, "" if nothing did.
func (s *Session) strayFor(r *request) sentence.Text {
	st := &s.stray
	if r.stray != nil {
		st = r.stray
	}
	if st.reason == "" || st.last < r.posted {
		return ""
	}
	return quoting(st.reason, st.words)
}

// withStray is why a request failed, with what came in place of its response.
func (s *Session) withStray(r *request, reason sentence.Text) sentence.Text {
	if odd := s.strayFor(r); odd != "" {
		return sentence.Say("{0} ({1})", reason, odd)
	}
	return reason
}

// explain adds to the failure of a call what came in place of the response to its
// leg, if it came too late for that alone.
func (s *Session) explain(sent *request, f *engine.Failed) {
	if sent != nil && f.Code == fault.LegTimeout {
		f.Detail = s.withStray(sent, f.Detail)
	}
}

// readID reads the id of one of our requests, which a server may give back as a
// string or as another spelling of the same number. exact says that it did not.
func (s *Session) readID(token []byte) (id int64, exact bool) {
	if id, exact = envelope.ReadID(token, s.opts.StringIDs); exact {
		return id, true
	}
	text := string(token)
	if rawjson.IsString(token) {
		text, _ = rawjson.Unquote(token)
	}
	if d, ok := rawjson.ParseDecimal(text); ok {
		id, _ = d.Safe()
	}
	return id, false
}

// byID finds the outstanding request that a message names.
func (s *Session) byID(token []byte) *request {
	if token == nil {
		return nil
	}
	id, exact := s.readID(token)
	r := s.requests.get(id)
	if r == nil || r.recalls {
		return nil
	}
	if !exact && !s.respelled {
		s.respelled = true
		s.do(Warning{sentence.Say("the server gives back the id of a request as {0}: it is taken for the same", sentence.Value(clip(string(token))))})
	}
	return r
}
