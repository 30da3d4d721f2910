package session

import (
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/internal/relay"
	"github.com/parley-mcp/parley/rawjson"
)

// notification passes on what the server tells.
func (s *Session) notification(r *request, msg inbound) {
	s.staleBy(msg)
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
			for _, c := range append([]*call(nil), s.calls...) {
				s.feed(c, engine.Relay{Message: relay.Completed{ElicitationID: id}}) // cannot fail
			}
		}
	default:
		if s.sub != nil && s.subscriptionMessage(r, msg) {
			return
		}
		if msg.method == "notifications/tasks" || msg.method == "notifications/tasks/status" {
			if id, ok := rawjson.Unquote(rawjson.Member(msg.params, "taskId")); ok {
				for _, c := range append([]*call(nil), s.calls...) {
					s.feed(c, engine.Relay{Message: relay.TaskChanged{TaskID: id}}) // cannot fail
				}
			}
		}
		n := Notification{Method: msg.method, Params: msg.params}
		if r != nil && r.kind == leg {
			n.Call = r.call.number
		}
		s.do(n)
	}
}
