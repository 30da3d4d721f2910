package legacy

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/parley-mcp/parley/apps/parley-bridge/internal/message"
	"github.com/parley-mcp/parley/apps/parley-bridge/internal/upstream"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// listening is the subscriptions/listen request that a modern server sends its
// changes in, where clients of earlier eras get them without asking, but for the
// resources that they subscribe to. What it asks for cannot be changed while it
// runs, so each change begins another and ends the one before.
//
// Source: MCP 2026-07-28, basic/patterns/subscriptions. The session's lock
// guards it.
type listening struct {
	uris  []string
	name  string // of the request, "" while there is none
	end   context.CancelFunc
	heard chan struct{} // closed when the server acknowledged it
}

// Bounds of what a client can have watched.
const (
	maxURIs  = 1000
	ackTime  = 5 * time.Second
	minPause = time.Second
	maxPause = time.Minute
)

// begin asks for what the server offers, if it must be asked.
func (l *listening) begin(s *Session) {
	said := s.conn
	if said == nil || !said.IsModern() {
		return
	}
	filter := l.filter(s)
	if filter == nil {
		return
	}
	previous := l.end
	l.name, l.heard = s.nextName(), make(chan struct{})
	ctx, end := context.WithCancel(s.life)
	l.end = end
	go s.keepListening(ctx, s.conn, l.name, filter)
	if previous == nil {
		return
	}
	heard := l.heard
	go func() { // the new one first, so that nothing is missed in between
		select {
		case <-heard:
		case <-time.After(ackTime):
		}
		previous()
	}()
}

// filter is the params of the request, nil where there is nothing to listen to.
func (l *listening) filter(s *Session) []byte {
	said, err := s.conn.Ready(s.life) // it has been asked
	if err != nil {
		return nil
	}
	wanted := map[string]any{}
	for _, kind := range []string{"tools", "prompts", "resources"} {
		if message.IsTrue(said.Capabilities, kind, "listChanged") {
			wanted[kind+"ListChanged"] = true
		}
	}
	if len(l.uris) > 0 {
		wanted["resourceSubscriptions"] = l.uris
	}
	if len(wanted) == 0 && l.name == "" {
		return nil
	}
	text, _ := json.Marshal(map[string]any{"notifications": wanted}) // strings and booleans cannot fail
	return text
}

func (l *listening) acknowledged(name string) {
	if name != l.name || l.heard == nil {
		return
	}
	close(l.heard)
	l.heard = nil
}

// keepListening repeats the request when it ends, with a pause.
func (s *Session) keepListening(ctx context.Context, conn *upstream.Conn, name string, params []byte) {
	for pause := minPause; ; pause = min(pause*2, maxPause) {
		begun := time.Now()
		_, err := conn.Call(ctx, name, parley.Request{Method: "subscriptions/listen", Params: params, Options: engine.Options{LegTimeout: -1}})
		if ctx.Err() != nil || errors.Is(err, fault.RPC) {
			return // it is not wanted any more, or the server does not offer it
		}
		if time.Since(begun) > maxPause {
			pause = minPause
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// subscribe changes which resources are watched.
func (s *Session) subscribe(r *request, on bool) {
	uri := message.Text(r.params, "uri")
	if uri == "" {
		r.fail(message.Error(message.InvalidParams, "there is no uri", nil))
		return
	}
	s.mu.Lock()
	have := slices.Contains(s.listen.uris, uri)
	full := on && !have && len(s.listen.uris) >= maxURIs
	var heard chan struct{}
	if have != on && !full {
		if on {
			s.listen.uris = append(slices.Clone(s.listen.uris), uri)
		} else {
			s.listen.uris = slices.DeleteFunc(slices.Clone(s.listen.uris), func(u string) bool { return u == uri })
		}
		s.listen.begin(s)
		heard = s.listen.heard
	}
	s.mu.Unlock()
	if full {
		r.fail(message.Error(message.Internal, "parley-bridge: this session watches as many resources as it may", nil))
		return
	}
	if heard != nil {
		select {
		case <-heard:
		case <-time.After(ackTime):
		case <-r.ctx.Done():
		}
	}
	r.succeed([]byte("{}"))
}
