package legacy

import (
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/shared-go/display"
)

// setLevel keeps the level: the server sends everything, and what is beneath it
// ends here.
func (s *Session) setLevel(r *request) {
	level := display.Severity(message.Text(r.params, "level"))
	if level < 0 {
		r.fail(message.Error(message.InvalidParams, "there is no such log level", nil))
		return
	}
	s.level.Store(int32(level))
	r.succeed([]byte("{}"))
}

// tell passes a notification of the server's on: on the stream of the request it
// belongs to, where that is known.
func (s *Session) tell(name, method string, params []byte) {
	switch method {
	case "notifications/message":
		if display.Severity(message.Text(params, "level")) < int(s.level.Load()) {
			return
		}
	case "notifications/tasks": // a task is the session's with the server
		return
	}
	sink := s.general
	s.mu.Lock()
	if r := s.names[name]; r != nil {
		sink = r.sink
	}
	s.mu.Unlock()
	sink.Send(message.Notification(method, params))
}
