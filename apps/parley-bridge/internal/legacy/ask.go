package legacy

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// ask puts a question of the server's to the client, as a request of the
// bridge's own on the stream of the request that it is about, and waits.
func (r *request) ask(ctx context.Context, q parley.Question) ([]byte, error) {
	r.asking.Add(1)
	defer r.asking.Done()
	params, err := upstream.Params(q)
	if err != nil {
		return nil, err
	}
	switch {
	case q.Repeat && r.session.connection().Can.Form:
		params = goOn(params)
	case q.Mode == engine.ModeURL && message.Get(params, "elicitationId") == nil:
		// Required until 2025-11-25, gone after it.
		params = message.With(params, "elicitationId", message.Quote(rand.Text()))
	}
	s := r.session
	id := s.questions.Add(1)
	key := fmt.Sprintf("n%d", id)
	waiting := make(chan answer, 1)
	s.mu.Lock()
	s.open[key] = question{request: r, answer: waiting}
	s.mu.Unlock()
	r.waitsFor.Store(&q.Kind) // before the client knows: it may end the session at once
	defer r.waitsFor.Store(nil)
	settle, err := r.sink.Ask(message.Request(id, string(q.Kind), params))
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
		return nil, upstream.Refusal(err.Error())
	}
	defer settle()
	s.opts.Log.Info("asked the client", "what", q.Kind, "about", r.method)
	r.beat()
	select {
	case a := <-waiting:
		return r.taken(q, a)
	case <-ctx.Done():
		s.mu.Lock()
		_, unanswered := s.open[key]
		delete(s.open, key)
		s.mu.Unlock()
		if unanswered {
			r.sink.Send(message.Notification("notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d,"reason":"it is not asked any more"}`, id)))
		}
		return nil, ctx.Err()
	}
}

// pageDone tells that what a page was opened for is done.
//
// Source: MCP 2025-11-25, client/elicitation, Completion Notifications.
func (r *request) pageDone(elicitation string) {
	r.sink.Send(message.Notification("notifications/elicitation/complete", message.With(nil, "elicitationId", message.Quote(elicitation))))
}

// goOn asks whether to go on, for a url that was opened already: a client of this
// era takes the same url for another page to open. The form has no fields, so its
// answer is one to the url as well.
func goOn(url []byte) []byte {
	text := message.Text(url, "message") + "\n\nThe page is open. Accept when you have finished there."
	return append(append([]byte(`{"mode":"form","message":`), message.Quote(text)...), `,"requestedSchema":{"type":"object","properties":{}}}`...)
}

// beat tells a client that wants progress that its request is not forgotten.
func (r *request) beat() {
	text := "waiting for the server"
	if kind := r.waitsFor.Load(); kind != nil {
		text = "waiting for an answer to " + string(*kind)
	}
	r.tell(r.progress.Beat(text))
}

// taken is the client's answer as the server's asker has it. Declining and
// cancelling are answers. An error is not: there is no way to tell a server of
// MCP 2026-07-28 that nobody answered, so it ends the call.
//
// Source: MCP 2026-07-28, client/sampling and client/roots, Error Handling.
func (r *request) taken(q parley.Question, a answer) ([]byte, error) {
	if a.failure == nil {
		return a.result, nil
	}
	r.session.opts.Log.Warn("the client answered with an error", "what", q.Kind, "code", string(message.Get(a.failure, "code")))
	return nil, upstream.Refusal(fmt.Sprintf("this client answered %s with error %s", q.Kind, message.Get(a.failure, "code")))
}
