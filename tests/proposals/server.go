package proposals

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Server plays a story to one client over Streamable HTTP. It holds every
// request to the story's, byte for byte.
type Server struct {
	story *Story

	mu     sync.Mutex
	seen   map[*exchange]bool
	begun  *sync.Cond // an exchange was
	faults []string
}

// NewServer makes a server that waits for its client.
func NewServer(s *Story) *Server {
	p := &Server{story: s, seen: map[*exchange]bool{}}
	p.begun = sync.NewCond(&p.mu)
	return p
}

// Faults says what the client did other than in the story; nothing if it was
// told to its end.
func (p *Server) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	faults := p.faults
	for i, e := range p.story.exchanges {
		if !p.seen[e] {
			faults = append(faults, fmt.Sprintf("request %d never came: %s", i+1, e.body))
		}
	}
	return faults
}

// ServeHTTP implements [http.Handler].
func (p *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	e := p.begin(r, string(body))
	if e == nil {
		http.Error(w, "not in the story", http.StatusTeapot)
		return
	}
	events := e.response
	if first := events[0]; len(events) == 1 && first.last {
		if first.body != "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(max(first.status, http.StatusOK))
		io.WriteString(w, first.body)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, ev := range events {
		if ev.body == "" || !p.wait(r, ev) {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", ev.body)
		http.NewResponseController(w).Flush()
	}
}

// begin finds the exchange that a request begins: the next one of its kind.
func (p *Server) begin(r *http.Request, body string) *exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.story.exchanges {
		if p.seen[e] || e.listen != (r.Method == http.MethodGet) {
			continue
		}
		if e.body != body {
			p.faults = append(p.faults, fmt.Sprintf("got %s, want %s", body, e.body))
			return nil
		}
		p.checkHeaders(e, r.Header)
		p.seen[e] = true
		p.begun.Broadcast()
		return e
	}
	p.faults = append(p.faults, "a request too many: "+r.Method+" "+body)
	return nil
}

// checkHeaders holds a request to the story's header fields, and to no others
// of the protocol.
func (p *Server) checkHeaders(e *exchange, got http.Header) {
	want := http.Header{}
	for _, field := range e.headers {
		want.Set(field[0], field[1])
		if value := got.Get(field[0]); value != field[1] {
			p.faults = append(p.faults, fmt.Sprintf("%s: got %q, want %q", field[0], value, field[1]))
		}
	}
	for name := range got {
		if strings.HasPrefix(name, "Mcp-") && want.Get(name) == "" {
			p.faults = append(p.faults, name+" is not in the story")
		}
	}
}

// wait waits for the time of an event, and reports whether it came.
func (p *Server) wait(r *http.Request, ev event) bool {
	stop := context.AfterFunc(r.Context(), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.begun.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.seen) < ev.after && r.Context().Err() == nil {
		p.begun.Wait()
	}
	return r.Context().Err() == nil
}
