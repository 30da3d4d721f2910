package modern

import (
	"context"
	"sync"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
)

// Lines serves one client over stdio, where requests are canceled by
// notifications.
type Lines struct {
	Service *Service
	Sink    message.Sink

	mu      sync.Mutex
	running map[string]context.CancelFunc // by the id's key
}

// Take takes a message. For a request it returns what remains to be done, which
// answers it; else nil.
func (l *Lines) Take(ctx context.Context, m message.Message) (run func()) {
	key := message.Key(m.ID)
	switch {
	case m.Method == "notifications/cancelled":
		l.mu.Lock()
		cancel := l.running[message.Key(message.Get(m.Params, "requestId"))]
		l.mu.Unlock()
		if cancel != nil {
			cancel()
		}
		return nil
	case !m.IsRequest():
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running == nil {
		l.running = map[string]context.CancelFunc{}
	}
	if l.running[key] != nil {
		cancel()
		return func() { l.Sink.Answer(m.ID, message.InUse(m.ID)) }
	}
	l.running[key] = cancel
	return func() {
		response := l.Service.Serve(ctx, m, "", l.Sink)
		cancel()
		l.mu.Lock()
		delete(l.running, key)
		l.mu.Unlock()
		if response != nil {
			l.Sink.Answer(m.ID, response)
		}
	}
}
