package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// notification passes on what the server tells.
func (s *Session) notification(r *request, msg inbound) {
	s.staleBy(msg)
	if msg.method == "notifications/tools/list_changed" {
		s.earlier.knows = nothing
	}
	switch msg.method {
	case "notifications/progress":
		about := r
		if s.opts.Transport != Requests {
			about = s.byID(rawjson.Member(msg.params, "progressToken"))
		}
		if about != nil && about.kind == leg {
			s.do(Progress{Call: about.call.number, Leg: about.leg, Params: msg.params})
			s.feed(about.call, engine.Progress{Leg: about.leg}) // cannot fail: the leg is in flight
		}
	case "notifications/cancelled":
		if target := s.byID(rawjson.Member(msg.params, "requestId")); s.sub != nil && s.stdio() && target != nil && target.kind == listening && target.speaks == modern {
			s.streamEndedWell(target)
			return
		}
		s.serverCancel(r, rawjson.Member(msg.params, "requestId"))
	case "notifications/elicitation/complete":
		if id, ok := rawjson.Unquote(rawjson.Member(msg.params, "elicitationId")); ok && s.speaks == sessions {
			s.tellAll(relay.Completed{ElicitationID: id})
		}
	default:
		if s.sub != nil && s.subscriptionMessage(r, msg) {
			return
		}
		if msg.method == "notifications/tasks" || msg.method == "notifications/tasks/status" {
			if id, ok := rawjson.Unquote(rawjson.Member(msg.params, "taskId")); ok {
				s.tellAll(relay.TaskChanged{TaskID: id})
			}
		}
		n := Notification{Method: msg.method, Params: msg.params}
		if r != nil && r.kind == leg {
			n.Call = r.call.number
		}
		s.do(n)
	}
}

// tellAll tells all calls what may concern one of them.
func (s *Session) tellAll(m relay.Message) {
	for _, p := range s.calls.places { // none is taken out meanwhile
		if p.item != nil {
			s.feed(p.item, engine.Relay{Message: m}) // cannot fail
		}
	}
}
