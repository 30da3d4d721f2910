package parley_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// A call of two legs with one question, its schema read twice and its answer
// validated, allocates little: a host may have thousands of them open.
func TestAllocations(t *testing.T) {
	requests := func() parley.Transport {
		answers := [][]byte{
			[]byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(1, 2) + `}`),
			[]byte(`{"jsonrpc":"2.0","id":1,"result":` + hosttest.ScriptedAnswer(2, 2) + `}`),
		}
		return parley.Requests(func(_ context.Context, r parley.Outbound) ([]byte, error) { return answers[r.Leg-1], nil })
	}
	tests := map[string]struct {
		engine    parley.Engine
		transport parley.Transport
		peers     float64 // allocations that are the peer's
		most      float64
	}{
		"over HTTP":             {parley.Native{}, &fake{kind: session.HTTP, perform: lean}, 4, 69},
		"over requests":         {parley.Native{}, requests(), 0, 69},
		"over HTTP, wazero":     {newRuntime(t, parley.RuntimeOptions{}), &fake{kind: session.HTTP, perform: lean}, 4, 66},
		"over requests, wazero": {newRuntime(t, parley.RuntimeOptions{}), requests(), 0, 74},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := parley.NewSession(tt.engine, tt.transport, parley.SessionOptions{Askers: octocat.Askers})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { wantErr(t, "close", s.Close(), nil) })
			params := []byte(`{"name":"get_weather","arguments":{"location":"New York"}}`)
			call := func() {
				if out, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: params}); err != nil || len(out.Result) == 0 {
					t.Fatal(out, err)
				}
			}
			got := testing.AllocsPerRun(100, call) - tt.peers
			for range 5 { // what is left of tests before may allocate, too
				got = min(got, testing.AllocsPerRun(100, call)-tt.peers)
			}
			if got > tt.most {
				t.Errorf("a call of two legs takes %v allocations, want at most %v", got, tt.most)
			}
		})
	}
}

// lean answers a call of two legs. It allocates an answer and an event for each.
func lean(_ context.Context, a session.Action, report func(session.Event, error)) {
	p := a.(session.Post)
	_, id, _ := bytes.Cut(p.Body, []byte(`"id":`))
	id, _, _ = bytes.Cut(id, []byte(","))
	leg := 1
	if bytes.Contains(p.Body, []byte(`"requestState"`)) {
		leg = 2
	}
	body := append(append(make([]byte, 0, 512), `{"jsonrpc":"2.0","id":`...), id...)
	body = append(append(append(body, `,"result":`...), scripted[leg-1]...), '}')
	report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: body}, nil)
}

var scripted = [...]string{hosttest.ScriptedAnswer(1, 2), hosttest.ScriptedAnswer(2, 2)}

// A session has one goroutine of its own from its first call to its end.
func TestGoroutinesOfASession(t *testing.T) {
	before := runtime.NumGoroutine()
	var sessions []*parley.Session
	for range 10 {
		s, err := parley.NewSession(parley.Native{}, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{Askers: octocat.Askers})
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, s)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines before the first call", n-before)
	}
	for _, s := range sessions[1:] {
		for range 3 {
			if _, err := s.Call(context.Background(), parley.Request{Method: "tools/call"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	hosttest.BackTo(t, before+len(sessions)-1)
	hosttest.CloseAll(t, sessions...)
	hosttest.BackTo(t, before)
}

// The context of an exchange ends with its call and with the session, and so do
// those that a transport makes of it.
func TestContextOfAnExchange(t *testing.T) {
	for name, end := range map[string]func(cancel func(), s *parley.Session){
		"canceled": func(cancel func(), _ *parley.Session) { cancel() },
		"closed":   func(_ func(), s *parley.Session) { s.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			ended := make(chan string, 3)
			transport := &fake{kind: session.HTTP, perform: func(ctx context.Context, a session.Action, _ func(session.Event, error)) {
				context.AfterFunc(ctx, func() { ended <- "after" })
				stopped := context.AfterFunc(ctx, func() { ended <- "stopped" })
				derived, cancel := context.WithTimeout(ctx, hosttest.Patience)
				go func() {
					defer cancel()
					<-derived.Done()
					ended <- "derived: " + derived.Err().Error()
				}()
				if _, has := ctx.Deadline(); has || ctx.Err() != nil || ctx.Value("key") != nil || !stopped() || stopped() {
					t.Errorf("the context: got %v", ctx.Err())
				}
				go func() {
					<-ctx.Done()
					ended <- "itself: " + ctx.Err().Error()
				}()
				ended <- "begun"
			}}
			s := newSession(t, parley.Native{}, transport, parley.SessionOptions{})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			failed := make(chan error)
			go func() {
				_, err := s.Call(ctx, parley.Request{Method: "tools/call"})
				failed <- err
			}()
			if got := <-ended; got != "begun" {
				t.Fatalf("got %s", got)
			}
			end(cancel, s)
			if err := <-failed; err == nil {
				t.Error("the call went on")
			}
			seen := map[string]bool{<-ended: true, <-ended: true, <-ended: true}
			if !seen["after"] || !seen["derived: context canceled"] || !seen["itself: context canceled"] {
				t.Errorf("got %v", seen)
			}
			s.Close()
			hosttest.BackTo(t, before)
		})
	}
}

// An asker's context ends with the session, and says why.
func TestAskerOfAClosedSession(t *testing.T) {
	for name, save := range map[string]func(context.Context, []byte) error{
		"unsaved": nil,
		"saved":   func(context.Context, []byte) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSession(t, parley.Native{}, &fake{kind: session.HTTP, perform: lean}, parley.SessionOptions{})
			asked, cause := make(chan bool), make(chan error)
			askers := &parley.Askers{Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) {
				close(asked)
				<-ctx.Done()
				cause <- context.Cause(ctx)
				return nil, ctx.Err()
			}}
			failed := make(chan error, 1)
			go func() {
				_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Askers: askers, Save: save})
				failed <- err
			}()
			<-asked
			go s.Close()
			wantErr(t, "the asker's cause", <-cause, parley.ErrSessionClosed)
			wantErr(t, "the call", <-failed, parley.ErrSessionClosed)
		})
	}
}
