package parley_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// An answer is taken, and kept, while the transport takes its time with the leg of
// another call.
func TestAnswersWhileATransportTakesItsTime(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		stuck, release := make(chan bool), make(chan bool)
		s := newSession(t, e, &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			if p, ok := a.(session.Post); ok && strings.Contains(string(p.Body), `"slow"`) {
				close(stuck)
				<-release
			}
			lean(ctx, a, report)
		}}, parley.SessionOptions{})
		const calls = 3 // of which one has the session's own goroutine to ask in
		var asked, done sync.WaitGroup
		asked.Add(calls)
		answer, kept := make(chan bool), make(chan bool, calls)
		for range calls {
			done.Go(func() {
				saves := 0
				_, err := s.Call(t.Context(), parley.Request{
					Method: "tools/call",
					Askers: &parley.Askers{Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
						asked.Done()
						<-answer
						return octocat.Askers.Elicit(ctx, q)
					}},
					Save: func(context.Context, []byte) error {
						if saves++; saves == 3 { // after the first leg and the question
							kept <- true
						}
						return nil
					},
				})
				wantErr(t, "a call", err, nil)
			})
		}
		asked.Wait()
		done.Go(func() {
			_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: named("slow")})
			wantErr(t, "the slow call", err, fault.Capability) // it has no asker
		})
		<-stuck
		close(answer)
		for range calls {
			<-kept
		}
		close(release)
		done.Wait()
	})
}

// Of many calls at once each gets its own answer, whichever goroutine feeds it.
func TestAnswersOfManyCalls(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		const calls = 200
		s := newSession(t, e, &fake{kind: session.HTTP, perform: echo}, parley.SessionOptions{})
		var asked, done sync.WaitGroup
		asked.Add(calls)
		for i := range calls {
			done.Go(func() {
				want := fmt.Sprintf("caller %d", i)
				out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Askers: &parley.Askers{Elicit: func(context.Context, parley.Question) ([]byte, error) {
					asked.Done()
					asked.Wait()
					return []byte(`{"action":"accept","content":{"name":"` + want + `"}}`), nil
				}}})
				if wantErr(t, "a call", err, nil); !strings.Contains(string(out.Result), `"`+want+`"`) {
					t.Errorf("got %s, want %s", out.Result, want)
				}
			})
		}
		done.Wait()
	})
}

// A question whose answer cannot be used is put again, where all of it is done in
// the session's own goroutine, too.
func TestProblemWhereAResponseComesAtOnce(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
		tries := 0
		err := callOnce(t.Context(), s, &parley.Askers{Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
			if tries++; tries < 4 {
				return []byte(`{"action":"accept","content":{}}`), nil
			}
			return octocat.Askers.Elicit(ctx, q)
		}})
		if wantErr(t, "the call", err, nil); tries != 4 {
			t.Errorf("asked %d times, want 4", tries)
		}
	})
}

// echo asks for a name and gives it back.
func echo(ctx context.Context, a session.Action, report func(session.Event, error)) {
	p := a.(session.Post)
	if r := readRPC(p.Body); len(r.Params.InputResponses) > 0 {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[],"structuredContent":%s}}`, r.ID, r.Params.InputResponses["name"])
		report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: []byte(body)}, nil)
		return
	}
	lean(ctx, a, report)
}

// The time of a call is its own, though what wakes it had another call before.
func TestTimesOfCallsOneAfterAnother(t *testing.T) {
	held := make(chan func())
	s := newSession(t, parley.Native{}, &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
		switch p := a.(session.Post); {
		case strings.Contains(string(p.Body), `"never"`):
		case strings.Contains(string(p.Body), `"held"`):
			go func() { held <- func() { lean(ctx, a, report) } }()
		default:
			lean(ctx, a, report)
		}
	}}, parley.SessionOptions{Askers: octocat.Askers})
	call := func(name string, most time.Duration) error {
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: named(name), Options: engine.Options{LegTimeout: most}})
		return err
	}
	const short = 20 * time.Millisecond
	wantErr(t, "a call with much time", call("quick", time.Minute), nil)
	wantErr(t, "one with little after it", call("never", short), fault.LegTimeout)
	for call("quick", short) != nil { // on a busy machine it may be too late
	}
	ended := make(chan error)
	go func() { ended <- call("held", time.Minute) }()
	answer := <-held
	wantErr(t, "a call beside it", call("never", 2*short), fault.LegTimeout) // by now the time of the one before has come
	answer()
	(<-held)()
	wantErr(t, "one with much time after one with little", <-ended, nil)
}

// The context of an asker is like one of package context, as soon as somebody looks.
func TestContextOfAnAsker(t *testing.T) {
	s := newSession(t, parley.Native{}, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
	type key struct{}
	deadline := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(context.WithValue(t.Context(), key{}, "value"), deadline)
	defer cancel()
	var contexts []context.Context
	for _, looks := range []bool{true, false} {
		askers := &parley.Askers{Elicit: func(ctx context.Context, q parley.Question) ([]byte, error) {
			contexts = append(contexts, ctx)
			if at, ok := ctx.Deadline(); !ok || !at.Equal(deadline) || ctx.Err() != nil {
				t.Errorf("got %v, %v", at, ctx.Err())
			}
			if looks {
				derived, cancel := context.WithCancel(ctx)
				defer cancel()
				if derived.Value(key{}) != "value" || context.Cause(ctx) != nil {
					t.Errorf("got %v, %v", derived.Value(key{}), context.Cause(ctx))
				}
				contexts = append(contexts, derived)
			}
			return octocat.Askers.Elicit(ctx, q)
		}}
		wantErr(t, "the call", callOnce(ctx, s, askers), nil)
	}
	for _, asked := range contexts {
		if err := asked.Err(); err != context.Canceled {
			t.Errorf("after the call: got %v", err)
		}
		<-asked.Done()
		if cause := context.Cause(asked); cause != context.Canceled || asked.Err() != context.Canceled {
			t.Errorf("after the call: got %v, %v", asked.Err(), cause)
		}
	}
	before, gaveUp := runtime.NumGoroutine(), fmt.Errorf("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	err := callOnce(ctx, s, &parley.Askers{Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) {
		stop(gaveUp)
		if err := ctx.Err(); err != context.Canceled {
			t.Errorf("got %v", err)
		}
		if cause := context.Cause(ctx); cause != gaveUp {
			t.Errorf("got %v", cause)
		}
		return nil, ctx.Err()
	}})
	wantErr(t, "the call", err, gaveUp)
	hosttest.BackTo(t, before)
}
