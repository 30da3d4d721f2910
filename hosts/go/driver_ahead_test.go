package parley_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// callOnce makes a call of two legs, whose question these askers answer.
func callOnce(ctx context.Context, s *parley.Session, askers *parley.Askers) error {
	_, err := s.Call(ctx, parley.Request{Method: "tools/call", Askers: askers})
	return err
}

// While an asker takes its time other calls begin, ask and end: also those that it
// makes by itself.
func TestAskersHoldUpNobody(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
		wantErr(t, "the first call", callOnce(t.Context(), s, &octocat.Askers), nil)
		before := runtime.NumGoroutine()
		depth := 0
		var askers parley.Askers
		askers.Elicit = func(ctx context.Context, q parley.Question) ([]byte, error) {
			if depth++; depth < 5 {
				if err := callOnce(ctx, s, &askers); err != nil {
					return nil, err
				}
			}
			return octocat.Askers.Elicit(ctx, q)
		}
		wantErr(t, "the call", callOnce(t.Context(), s, &askers), nil)
		if depth != 5 {
			t.Errorf("%d questions were asked, want 5", depth)
		}
		hosttest.BackTo(t, before)
	})
}

// An asker that ends its goroutine, or panics, fails its own question: whose
// goroutine it was, the session has one again.
func TestAskersThatEndTheirGoroutine(t *testing.T) {
	for name, end := range map[string]func(){"ends": runtime.Goexit, "panics": func() { panic("asker") }} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, parley.Native{}, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
			wantErr(t, "the first call", callOnce(t.Context(), s, &octocat.Askers), nil)
			before := runtime.NumGoroutine()
			for range 3 {
				err := callOnce(t.Context(), s, &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
					end()
					return nil, nil
				}})
				wantErr(t, "the call", err, fault.Refused)
				wantErr(t, "the call after it", callOnce(t.Context(), s, &octocat.Askers), nil)
			}
			hosttest.BackTo(t, before)
		})
	}
}

// What an exchange brings that then panics or ends its goroutine is asked, and so
// is what one brings that does not return before its question was asked.
func TestQuestionsOfExchangesThatDoNotReturn(t *testing.T) {
	for name, end := range map[string]func(){"ends": runtime.Goexit, "panics": func() { panic("transport") }} {
		t.Run(name, func(t *testing.T) {
			transport := &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
				lean(ctx, a, report)
				end()
			}}
			s := newSession(t, parley.Native{}, transport, parley.SessionOptions{})
			for range 3 {
				wantErr(t, "the call", callOnce(t.Context(), s, &octocat.Askers), nil)
			}
		})
	}
}

// A caller who gives up while the asker is about to return an answer sends nothing
// more.
func TestAnswerAfterTheCallerGaveUp(t *testing.T) {
	var posts atomic.Int32
	transport := &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
		posts.Add(1)
		lean(ctx, a, report)
	}}
	s := newSession(t, parley.Native{}, transport, parley.SessionOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	err := callOnce(ctx, s, &parley.Askers{Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
		cancel()
		return octocat.Askers.Elicit(ctx, q)
	}})
	wantErr(t, "the call", err, fault.Canceled)
	var failed *parley.Error
	if !errors.As(err, &failed) || failed.InDoubt {
		t.Errorf("got %v in doubt", failed)
	}
	wantErr(t, "another", callOnce(t.Context(), s, &octocat.Askers), nil)
	if n := posts.Load(); n != 3 {
		t.Errorf("%d legs were sent, want 1 of the call that was given up and 2 of the other", n)
	}
}
