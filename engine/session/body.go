package session

import (
	"github.com/parley-mcp/parley/engine/internal/message"
	"github.com/parley-mcp/parley/engine/internal/said"
	"github.com/parley-mcp/parley/rawjson"
	"github.com/parley-mcp/parley/sentence"
)

// take hands on the messages in what came of an exchange at once. It reports whether
// that ended the exchange.
func (s *Session) take(r *request, ev Message, body *message.Body) (isOver bool) {
	found := body.Found()
	switch {
	case r != nil && r.isTakenUp() && ev.Status >= 300:
		s.refused(r, ev.refusal(said.Words(body.Text())))
		return true
	case len(found) == 1:
		msg, bad := s.heard(found[0])
		if bad != nil {
			return s.unreadable(r, ev, body, bad)
		}
		s.one(r, ev, msg)
	default:
		isLast := ev.Last
		found = s.undisputed(r, found)
		for i, in := range found {
			msg, bad := s.heard(in)
			if bad != nil {
				s.ignore(ignoredObject, notMessage(in, bad))
				continue
			}
			ev.Last = isLast && i == len(found)-1
			s.one(s.byExchange(ev.Exchange), ev, msg)
		}
	}
	if body.IsNoisy() {
		s.ignore(ignoredBeside, "ignored text beside a JSON-RPC message (shown once)")
	}
	return false
}

// one takes one message to whom it concerns.
func (s *Session) one(r *request, ev Message, msg inbound) {
	switch {
	case msg.in.IsBehind() && s.answersTo(r, msg.in) == nil:
		s.ignore(ignoredQuoted, "ignored a response behind other text: no open request has its id (shown once)")
	case msg.method == "":
		s.response(r, ev, msg)
	case msg.id != nil && s.isEcho(msg):
		s.ignore(ignoredEcho, sentence.About("ignored our own request {0}, which came back (shown once)", msg.method))
	case msg.id != nil:
		s.serverRequest(r, ev, msg)
	case msg.in.Has(message.Params) && msg.params == nil:
		s.do(Warning{sentence.Say("ignored a notification, {0}: its params are longer than {1} bytes", sentence.Value(msg.method), sentence.Value(rawjson.Itoa(s.most)))})
	default:
		s.notification(r, msg)
	}
}

// isEcho reports whether a request is one of our own, which a terminal, a proxy or a
// log has written back. Taken for one of the server's, it would be answered, and then
// the echo of the answer taken for the server's.
func (s *Session) isEcho(msg inbound) bool {
	r := s.byID(msg.id)
	return r != nil && r.method == msg.method
}

// unreadable takes what holds no message. If a broken response names its request, no
// other will come.
func (s *Session) unreadable(r *request, ev Message, body *message.Body, bad *rawjson.Error) (isOver bool) {
	in := body.Found()[0]
	switch {
	case ev.Last && (r == nil || r.kind == notified):
		// No answer is due here, so the status says it all: that it was
		// accepted, or that a stream or a DELETE is not offered.
	case r != nil && r.isSilent() && ev.Status < 300:
		// No response is due here either.
	case r != nil && ev.Status >= 300:
		s.refused(r, ev.refusal(said.Words(body.Text())))
		return true
	case r != nil && ev.Last:
		s.refused(r, refusal{flaw: in.Unreadable(bad)})
		return true
	case body.IsBlank():
	case body.IsText():
		s.ignore(ignoredText, notMessage(in, bad))
	case in.IsCutOff() && s.stdio():
		s.ignore(ignoredCutOff, "ignored a line that ends in the middle of a message: over stdio, a message is one line (shown once)")
	default:
		named := s.reachable(r, s.byID(in.BrokenID()))
		if named != nil && named.kind != discover { // many do not know that, and say so in any words
			s.failed(named, in.Unreadable(bad), false)
			break
		}
		s.ignore(ignoredObject, notMessage(in, bad))
	}
	return false
}

func notMessage(in *message.Message, bad *rawjson.Error) sentence.Text {
	return sentence.Say("ignored text that is not a JSON-RPC message: {0} (shown once)", in.What(bad))
}

// answersTo is the outstanding request that a response is for, nil if there is none.
func (s *Session) answersTo(r *request, in *message.Message) *request {
	if s.opts.Transport == Requests {
		return r
	}
	return s.reachable(r, s.byID(in.Text(message.ID)))
}

// reachable is a request that a message names, nil if it came in the response to
// another one, where none for it can.
func (s *Session) reachable(r, named *request) *request {
	isOthers := named != nil && named != r
	if isOthers && (s.opts.Transport == Requests || !s.stdio() && named.speaks == modern) {
		return nil
	}
	return named
}

// undisputed drops second copies of responses. A request that is given two that differ
// fails: it cannot be told which of them is right.
func (s *Session) undisputed(r *request, found []*message.Message) []*message.Message {
	var kept []*message.Message
	var answered []*request // by the message of kept at the same place
	for _, in := range found {
		var target *request
		if msg, bad := s.heard(in); bad == nil && msg.method == "" {
			target = s.answersTo(r, in)
		}
		i := len(answered) - 1
		for i >= 0 && answered[i] != target {
			i--
		}
		switch {
		case target == nil || i < 0:
			kept, answered = append(kept, in), append(answered, target)
		case !kept[i].Equal(in):
			s.failed(target, "two different answers came at once", false)
		}
	}
	return kept
}
