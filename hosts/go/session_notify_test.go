package parley_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// What comes in the response to a call is told before its result, to the call
// if that listens and to the session if it does not.
func TestSessionNotifications(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		legs := answers(func(rpc) {}, done)
		perform := legs.perform
		legs.perform = func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			if p, ok := a.(session.Post); ok {
				for n := range 3 {
					report(session.Message{Exchange: p.Exchange, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/message","params":{"n":%d}}`, n)}, nil)
				}
			}
			perform(ctx, a, report)
		}
		var ofSession, ofCall []string
		s := newSession(t, e, legs, parley.SessionOptions{
			Watchers: parley.SessionWatchers{OnNotification: func(method string, params []byte) { ofSession = append(ofSession, method+string(params)) }},
		})
		want := []string{`notifications/message{"n":0}`, `notifications/message{"n":1}`, `notifications/message{"n":2}`}
		listens := hosttest.Callbacks{Watchers: parley.Watchers{OnNotification: func(method string, params []byte) { ofCall = append(ofCall, method+string(params)) }}}
		if _, err := s.Call(t.Context(), listens.Request("tools/call", nil, engine.Options{})); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ofCall, want) {
			t.Errorf("the call: got %q, want %q", ofCall, want)
		}
		if s.Flush(); ofSession != nil {
			t.Errorf("the session: got %q, want nothing", ofSession)
		}
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call"}); err != nil {
			t.Fatal(err)
		}
		if s.Flush(); !slices.Equal(ofSession, want) {
			t.Errorf("the session: got %q, want %q", ofSession, want)
		}
		closeAll(t, s)
	})
}
