package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// wire is a transport that is watched. What goes over it is shown by --trace,
// says whether the server is being waited for and why it did not answer.
// Nothing here decides anything.
type wire struct {
	parley.Transport
	console *console.Console
	waiting *waiting
	label   string
	trace   bool

	mu      sync.Mutex
	open    map[string]*sent // requests that are not answered, by their id's token
	began   bool             // a leg went out
	busy    int              // state-only rounds in a row
	closed  bool             // that the server ends is no news
	trouble string           // why there was no answer, "" if there was one
	asks    bool             // the server has sent requests of its own
	task    bool             // the call has become a task, which is asked about
}

// sent is a request.
type sent struct {
	exchange int
	name     string // the leg or, of the session's own, the method
	leg      bool
	at       time.Time
}

// Perform implements [parley.Transport].
func (w *wire) Perform(ctx context.Context, a session.Action, report func(session.Event)) {
	w.goesOut(a)
	w.Transport.Perform(ctx, a, func(ev session.Event) {
		w.comesIn(ev)
		report(ev)
	})
}

// Close implements [parley.Transport].
func (w *wire) Close() error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	return w.Transport.Close()
}

func (w *wire) goesOut(a session.Action) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.show()
	switch a := a.(type) {
	case session.Post:
		w.posted(a)
	case session.Listen:
		w.tell("→ listens to what the server says by itself")
	case session.Delete:
		w.tell("→ ends the session")
	}
}

func (w *wire) posted(a session.Post) {
	m := readMessage(a.Body)
	switch {
	case m == nil: // deeper than encoding/json goes
	case m.Method == "" && m.Error != nil:
		w.tell("→ answer  error %s", m.Error.code())
	case m.Method == "":
		w.tell("→ answer  %d bytes", len(m.Result))
	case m.ID == nil:
		w.tell("→ %s", m.Method)
	case a.Leg == 0:
		w.open[string(m.ID)] = &sent{exchange: a.Exchange, name: m.Method, at: time.Now()}
		w.tell("→ %s  %d bytes", m.Method, m.size())
	default:
		w.trouble, w.began = "", true
		name := fmt.Sprintf("leg %d", a.Leg)
		w.open[string(m.ID)] = &sent{exchange: a.Exchange, name: name, leg: true, at: time.Now()}
		w.tell("→ %s  %s  %d bytes", name, m.Method, m.size())
	}
}

func (w *wire) comesIn(ev session.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.show()
	switch ev := ev.(type) {
	case session.Message:
		m := readMessage(ev.Body)
		if m == nil {
			w.unanswered(ev.Exchange, ev.Status, "the answer is no JSON-RPC message")
			return
		}
		w.trouble = ""
		w.received(ev, m)
	case session.Ended:
		w.unanswered(ev.Exchange, ev.Status, ev.Reason)
	case session.Down:
		if w.closed {
			return
		}
		w.trouble = "it ended"
		if ev.Reason != "" {
			w.trouble += ": " + ev.Reason
		}
		w.tell("← the server ended")
		for _, r := range w.open {
			w.done(r)
		}
	}
}

func (w *wire) received(ev session.Message, m *message) {
	switch {
	case m.Method != "" && m.ID != nil:
		w.asks = true
		w.tell("← asks %s  %d bytes", plain.Line(m.Method, mostKey), len(ev.Body))
		return
	case m.Method == "notifications/progress": // the call says more
		return
	case m.Method != "":
		w.tell("← %s", plain.Line(m.Method, mostKey))
		return
	}
	r := w.open[string(m.ID)]
	if r == nil { // a refusal that could not read the id, say
		r = w.of(ev.Exchange)
	}
	if r == nil {
		return
	}
	seen := m.look()
	w.tell("← %s  %s  %v  %d bytes%s", r.name, seen.kind, time.Since(r.at).Round(time.Millisecond), len(ev.Body), seen.more)
	for _, ask := range seen.asks {
		w.tell("  asks %s", ask)
	}
	w.done(r)
	if !r.leg {
		return
	}
	if seen.kind == inputRequired && len(seen.asks) == 0 {
		w.busy++
		w.waiting.say(fmt.Sprintf("%s is busy, trying again (%d)", w.label, w.busy))
	} else {
		w.busy = 0
	}
}

// tasks says that the call has become a task, and how that stands.
func (w *wire) tasks(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.task = true
	w.show()
	w.waiting.say(w.label + ": " + text)
}

// isTask reports whether the call has become a task.
func (w *wire) isTask() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.task
}

// show says whether the server is being waited for: for a leg or, before the
// first one, for what goes ahead of it, and for a task also between them.
func (w *wire) show() {
	flying := w.busy > 0 || w.task
	for _, r := range w.open {
		flying = flying || r.leg || !w.began
	}
	w.waiting.while(flying)
}

// unanswered takes note of an exchange that ended without a message.
func (w *wire) unanswered(exchange, status int, reason string) {
	r := w.of(exchange)
	switch {
	case r == nil:
		return
	case status >= 300:
		w.trouble = statusTrouble(status)
	case reason != "":
		w.trouble = strings.TrimPrefix(reason, "parley: ")
	default:
		w.trouble = "the response ended without an answer"
	}
	w.tell("← %s  no answer, %v", r.name, time.Since(r.at).Round(time.Millisecond))
	w.done(r)
}

// of finds the request of an exchange.
func (w *wire) of(exchange int) *sent {
	for _, r := range w.open {
		if exchange != 0 && r.exchange == exchange {
			return r
		}
	}
	return nil
}

func (w *wire) done(r *sent) {
	for id, other := range w.open {
		if other == r {
			delete(w.open, id)
		}
	}
}

// why is why there was no answer, "" if the transport does not know.
func (w *wire) why() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trouble
}

// asksItself reports whether the server has sent requests of its own.
func (w *wire) asksItself() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asks
}

func (w *wire) tell(format string, args ...any) {
	if w.trace {
		w.console.Aside(format, args...)
	}
}

// statusTrouble is an HTTP error status, with what can be done about it.
func statusTrouble(status int) string {
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return fmt.Sprintf("HTTP status %d: it wants authorization, which parley does not give", status)
	}
	return strings.TrimPrefix((&parley.StatusError{Code: status}).Error(), "parley: ")
}
