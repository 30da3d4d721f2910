package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

const (
	modern  = "2026-07-28"
	earlier = "2025-11-25"
)

// fake is a transport whose other side is a function. It is one of a user's
// own, too: this is all it takes.
type fake struct {
	kind    session.Transport
	perform func(ctx context.Context, a session.Action, report func(session.Event, error))
	closed  atomic.Int32
}

func (f *fake) Kind() session.Transport { return f.kind }

func (f *fake) Perform(ctx context.Context, a session.Action, report func(session.Event, error)) {
	f.perform(ctx, a, report)
}

func (f *fake) Close() error {
	f.closed.Add(1)
	return nil
}

// rpc is what a fake server looks at.
type rpc struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name           string
		RequestState   string
		Meta           json.RawMessage            `json:"_meta"`
		InputResponses map[string]json.RawMessage `json:"inputResponses"`
	}
}

func readRPC(body []byte) (r rpc) {
	json.Unmarshal(body, &r)
	return r
}

// answers is a fake over HTTP that answers each leg with the next result.
func answers(note func(r rpc), results ...string) *fake {
	var mu sync.Mutex
	return &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		p, ok := a.(session.Post)
		if !ok {
			return
		}
		mu.Lock()
		r := readRPC(p.Body)
		note(r)
		result := results[0]
		if len(results) > 1 {
			results = results[1:]
		}
		mu.Unlock()
		report(session.Message{Exchange: p.Exchange, Status: 200, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)}, nil)
	}}
}

// A call of a session is saved as often as any other, and before what it
// saves is on its way.
func TestSessionSave(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var r record
		s := newSession(t, e, answers(func(m rpc) { r.add("post %d", len(m.Params.InputResponses)) }, threeAsk, done), parley.SessionOptions{})
		cb := r.callbacks(nil).Callbacks
		cb.Save = func(context.Context, []byte) error { r.add("save"); return nil }
		out, err := s.Call(t.Context(), cb.Request("tools/call", tool("t", `{}`), engine.Options{}))
		if err != nil || string(out.Result) != done || !out.NoStore {
			t.Fatalf("got %+v, %v", out, err)
		}
		r.want(t, "the call", "save, post 0, save, ask a, save, ask b, save, ask c, save, post 3")
		closeAll(t, s)
	})
}

// What could not be saved is not sent, and so not in doubt.
func TestSessionSaveFails(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		for failing, want := range []string{"", "post 0", "post 0, ask a"} {
			var r record
			results := []string{threeAsk, done}
			if failing == 0 { // nothing goes out before it is resumed
				results = results[1:]
			}
			s := newSession(t, e, answers(func(m rpc) { r.add("post %d", len(m.Params.InputResponses)) }, results...), parley.SessionOptions{})
			cb := r.callbacks(nil).Callbacks
			saves := 0
			cb.Save = func(context.Context, []byte) error {
				if saves++; saves <= failing {
					return nil
				}
				return errStop
			}
			_, err := s.Call(t.Context(), cb.Request("tools/call", tool("t", `{}`), engine.Options{}))
			snapshot := snapshotOf(t, err, errStop)
			r.want(t, "before", want)
			r.log = nil
			cb.Save = nil
			out, err := s.Resume(t.Context(), cb.Resumption(parley.Resumption{Snapshot: snapshot}))
			if err != nil || string(out.Result) != done {
				t.Errorf("resumed: got %+v, %v", out, err)
			}
			r.want(t, "after", []string{"post 0", "ask a, ask b, ask c, post 3", "ask b, ask c, post 3"}[failing])
			closeAll(t, s)
		}
	})
}

// A call that is canceled while it is saved does not send.
func TestSessionCanceledWhileSaving(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		release := make(chan struct{})
		defer close(release)
		s := newSession(t, e, answers(func(rpc) { t.Error("it was sent") }, done), parley.SessionOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: tool("t", `{}`), Save: func(context.Context, []byte) error { cancel(); <-release; return nil }})
		snapshot := snapshotOf(t, err, context.Canceled)
		other := newSession(t, e, answers(func(rpc) {}, done), parley.SessionOptions{})
		if out, err := other.Resume(t.Context(), parley.Resumption{Snapshot: snapshot}); err != nil || string(out.Result) != done {
			t.Errorf("resumed: got %+v, %v", out, err)
		}
		closeAll(t, s, other)
	})
}

func TestSessionRefusesBeforeSending(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		s := newSession(t, e, answers(func(rpc) { t.Error("it was sent") }, done), parley.SessionOptions{})
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		tests := map[string]func() error{
			"no object": func() error {
				_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: []byte(`[]`)})
				return err
			},
			"no callback": func() error {
				_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Options: engine.Options{Capabilities: []byte(`{"roots":{}}`)}})
				return err
			},
			"no snapshot": func() error {
				_, err := s.Resume(t.Context(), parley.Resumption{Snapshot: []byte("x")})
				return err
			},
			"canceled": func() error {
				_, err := s.Call(canceled, parley.Request{Method: "tools/call"})
				return err
			},
		}
		for name, call := range tests {
			if err := call(); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		closeAll(t, s)
	})
	if _, err := parley.NewSession(parley.Native{}, &fake{kind: "pigeon"}, parley.SessionOptions{}); !errors.Is(err, fault.Options) {
		t.Errorf("an unknown transport: got %v", err)
	}
}

// What a call declares is what its callbacks and the session's can answer,
// unless the host says otherwise.
func TestSessionCapabilities(t *testing.T) {
	form := func(context.Context, parley.Question) ([]byte, error) { return parley.Decline(), nil }
	tests := map[string]struct {
		session parley.SessionOptions
		call    hosttest.Callbacks
		opts    engine.Options
		want    string
	}{
		"none":               {parley.SessionOptions{}, hosttest.Callbacks{}, engine.Options{}, `{}`},
		"the session's":      {parley.SessionOptions{Askers: parley.Askers{Elicit: form}}, hosttest.Callbacks{}, engine.Options{}, `{"elicitation":{"form":{}}}`},
		"the call's, whole":  {parley.SessionOptions{Askers: parley.Askers{Elicit: form, Tasks: true}}, hosttest.Callbacks{Askers: parley.Askers{ListRoots: form}}, engine.Options{}, `{"roots":{}}`},
		"sampling and tools": {parley.SessionOptions{Askers: parley.Askers{Sample: form, SampleTools: true}}, hosttest.Callbacks{Askers: parley.Askers{Sample: form}}, engine.Options{}, `{"sampling":{}}`},
		"added":              {parley.SessionOptions{Capabilities: []byte(`{"experimental":{"x":{}}}`), Askers: parley.Askers{ListRoots: form}}, hosttest.Callbacks{Askers: parley.Askers{Elicit: form}}, engine.Options{}, `{"elicitation":{"form":{}},"experimental":{"x":{}}}`},
		"less in this call":  {parley.SessionOptions{Askers: parley.Askers{Elicit: form}}, hosttest.Callbacks{}, engine.Options{Can: &engine.Can{}}, `{}`},
		"tasks":              {parley.SessionOptions{Askers: parley.Askers{Tasks: true}}, hosttest.Callbacks{}, engine.Options{}, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`},
		"tasks switched off": {parley.SessionOptions{Askers: parley.Askers{Tasks: true}}, hosttest.Callbacks{NoAskers: true}, engine.Options{}, `{}`},
	}
	engines(t, func(t *testing.T, e parley.Engine) {
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				var meta map[string]json.RawMessage
				s := newSession(t, e, answers(func(r rpc) { json.Unmarshal(r.Params.Meta, &meta) }, done), tt.session)
				if _, err := s.Call(t.Context(), tt.call.Request("tools/call", nil, tt.opts)); err != nil {
					t.Fatal(err)
				}
				if got := string(meta["io.modelcontextprotocol/clientCapabilities"]); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
				closeAll(t, s)
			})
		}
	})
}

// No callback, hook or transport takes the process down, or another call.
func TestSessionPanics(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		legs := answers(func(rpc) {}, oneAsk)
		perform := legs.perform
		legs.perform = func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			if p, ok := a.(session.Post); ok && readRPC(p.Body).Params.Name == "panic" {
				panic("boom")
			}
			perform(ctx, a, report)
		}
		s := newSession(t, e, legs, parley.SessionOptions{Watchers: parley.SessionWatchers{OnReady: func(session.Ready) { panic("boom") }}})
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("panic", `{}`)})
		snapshotOf(t, err, fault.InDoubt)
		_, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("t", `{}`), Askers: &parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { panic("boom") },
		}})
		snapshotOf(t, err, fault.Refused)
		_, err = s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("t", `{}`), Askers: &parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) { runtime.Goexit(); return nil, nil },
		}})
		snapshotOf(t, err, fault.Refused)
		closeAll(t, s)
	})
}

// What a transport says of exchanges that are over, were never begun or are
// none of its business changes nothing.
func TestSessionStrayReports(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		var late func(session.Event, error)
		exchange := 0
		s := newSession(t, e, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
			p := a.(session.Post)
			late, exchange = report, p.Exchange
			report(session.Message{Exchange: p.Exchange + 1, Body: []byte(`{}`), Last: true}, nil)
			report(session.Ended{Exchange: p.Exchange + 7}, nil)
			report(session.Close{}, nil)
			report(session.To{Call: 1, Event: engine.Cancel{}}, nil)
			report(session.Tick{}, nil)
			r := readRPC(p.Body)
			for range 2 {
				report(session.Message{Exchange: p.Exchange, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, done)}, nil)
			}
		}}, parley.SessionOptions{})
		for range 2 {
			out, err := s.Call(t.Context(), parley.Request{Method: "tools/call"})
			if err != nil || string(out.Result) != done {
				t.Fatalf("got %+v, %v", out, err)
			}
			late(session.Ended{Exchange: exchange, Reason: "late"}, nil)
		}
		closeAll(t, s)
		late(session.Ended{Exchange: exchange, Reason: "later"}, nil)
		late(session.Down{}, nil)
	})
}

// What is answered when a transport has told that its connection ended is for the
// next one, also if that took time to be heard: another exchange was being written.
func TestSessionDownBetweenRounds(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		writing := make(chan struct{})
		var down func()
		s := newSession(t, e, &fake{kind: session.Stdio, perform: func(ctx context.Context, a session.Action, report func(session.Event, error)) {
			r := readRPC(a.(session.Post).Body)
			result := oneAsk
			switch {
			case r.Params.Name == "other":
				close(writing)
				<-ctx.Done()
				time.Sleep(50 * time.Millisecond)
				return
			case r.Params.InputResponses != nil:
				result = done
			}
			down = func() { report(session.Down{Reason: "signal: killed"}, nil) }
			go report(session.Message{Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)}, nil)
		}}, parley.SessionOptions{Known: modern})
		other := make(chan error, 1)
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("t", `{}`), Askers: &parley.Askers{
			Elicit: func(context.Context, parley.Question) ([]byte, error) {
				go func() {
					_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: tool("other", `{}`)})
					other <- err
				}()
				<-writing
				down()
				return parley.Decline(), nil
			},
		}})
		if err != nil || string(out.Result) != done {
			t.Errorf("got %+v, %v", out, err)
		}
		snapshotOf(t, <-other, fault.InDoubt)
		closeAll(t, s)
	})
}

// A call behind a transport that is stuck can be given up, and none is begun for it
// later; what is wrong with the session is told.
func TestSessionStuckTransport(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		stuck, release := make(chan struct{}), make(chan struct{})
		posts := 0
		s := newSession(t, e, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
			if _, ok := a.(session.Post); !ok {
				return
			}
			if posts++; posts == 1 {
				close(stuck)
				<-release
			}
			report(session.Message{Exchange: a.(session.Post).Exchange, Status: 200, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, readRPC(a.(session.Post).Body).ID, done)}, nil)
		}}, parley.SessionOptions{Known: modern})
		finished := make(chan error, 1)
		call := func(ctx context.Context) error {
			_, err := s.Call(ctx, parley.Request{Method: "tools/call", Params: tool("t", `{}`)})
			return err
		}
		go func() { finished <- call(context.Background()) }()
		<-stuck
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error, 1)
		go func() { given <- call(ctx) }()
		cancel()
		snapshotOf(t, <-given, fault.Canceled)
		close(release)
		must(t, <-finished)
		must(t, call(t.Context()))
		closeAll(t, s)
		if posts != 2 {
			t.Errorf("%d requests, want two", posts)
		}
		if err := call(t.Context()); !errors.Is(err, parley.ErrSessionClosed) {
			t.Errorf("got %v, want %v", err, parley.ErrSessionClosed)
		}
	})
}

// A call that is to be parked before it was made is made, and parked where it can be.
func TestSessionParkBeforeItIsMade(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		stuck, release := make(chan struct{}), make(chan struct{})
		var once sync.Once
		s := newSession(t, e, answers(func(rpc) { once.Do(func() { close(stuck); <-release }) }, done, oneAsk), parley.SessionOptions{Known: modern})
		finished := make(chan error, 1)
		go func() {
			_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Params: tool("t", `{}`)})
			finished <- err
		}()
		<-stuck
		park := make(chan struct{})
		close(park)
		time.AfterFunc(50*time.Millisecond, func() { close(release) })
		out, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("t", `{}`), Park: park, Askers: &parley.Askers{
			Elicit: func(ctx context.Context, _ parley.Question) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() },
		}})
		if err != nil || !out.Parked || len(out.Snapshot) == 0 {
			t.Errorf("got %+v, %v, want that it is parked", out, err)
		}
		must(t, <-finished)
		closeAll(t, s)
	})
}

// A callback that hangs does not hold up Close.
func TestSessionCloseAtOnce(t *testing.T) {
	bubbles(t, func(t *testing.T, e parley.Engine) {
		asked, release := make(chan struct{}), make(chan struct{})
		s := newSession(t, e, answers(func(rpc) {}, oneAsk), parley.SessionOptions{})
		finished := make(chan error, 1)
		go func() {
			_, err := s.Call(context.Background(), parley.Request{Method: "tools/call", Askers: &parley.Askers{
				Elicit: func(context.Context, parley.Question) ([]byte, error) {
					close(asked)
					<-release
					return parley.Decline(), nil
				},
			}})
			finished <- err
		}()
		<-asked
		begun := time.Now()
		closeAll(t, s)
		if took := time.Since(begun); took != 0 {
			t.Errorf("closing took %v", took)
		}
		snapshotOf(t, <-finished, fault.Canceled)
		close(release)
	})
}

func TestSessionUnsent(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		server := httptest.NewServer(nil)
		server.Close()
		s := newSession(t, e, &parley.StreamableHTTP{URL: server.URL}, parley.SessionOptions{})
		_, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: tool("echo", `{}`)})
		snapshotOf(t, err, fault.Lost)
		if !strings.Contains(err.Error(), "refused") {
			t.Errorf("got %v, want it to say that the connection was refused", err)
		}
		closeAll(t, s)
	})
}
