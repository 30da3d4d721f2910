package parley_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// A message that needs more memory than the sandbox allows ends the calls that
// were in flight, in doubt; the session goes on with the next one.
func TestSessionTrapIsContained(t *testing.T) {
	rt := newRuntime(t, parley.RuntimeOptions{Instances: 1, MemoryLimit: 3 << 20})
	posted := make(chan func(size int), 2)
	s := newSession(t, rt, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		post := a.(session.Post)
		posted <- func(size int) {
			report(session.Message{Exchange: post.Exchange, Last: true, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"content":["%s"]}}`, readRPC(post.Body).ID, strings.Repeat("x", size))}, nil)
		}
	}}, parley.SessionOptions{})
	finished := make(chan error, 2)
	call := func() {
		_, err := s.Call(context.Background(), parley.Request{Method: "tools/call"})
		finished <- err
	}
	go call()
	go call()
	answer := <-posted
	<-posted
	answer(1<<20 - 1000)
	for range 2 {
		err := <-finished
		var failed *parley.Error
		if !errors.Is(err, parley.ErrInstance) || !errors.As(err, &failed) || !failed.InDoubt {
			t.Errorf("got %v, want ErrInstance in doubt", err)
		}
	}
	go call()
	(<-posted)(0)
	if err := <-finished; err != nil {
		t.Errorf("a call afterwards: %v", err)
	}
	closeAll(t, s)
	if n := rt.Live(); n != 0 {
		t.Errorf("%d flows, sessions and calls are still live", n)
	}
}

// Who only watches learns of it, and may subscribe again.
func TestSessionTrapEndsSubscription(t *testing.T) {
	rt := newRuntime(t, parley.RuntimeOptions{Instances: 1, MemoryLimit: 3 << 20})
	told := make(chan session.Subscribed, 2)
	s := newSession(t, rt, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		if post, ok := a.(session.Post); ok {
			report(session.Message{Exchange: post.Exchange, Body: []byte(`{"a":"` + strings.Repeat("x", 1<<20-1000))}, nil)
		}
	}}, parley.SessionOptions{Watchers: parley.SessionWatchers{OnSubscribed: func(s session.Subscribed) { told <- s }}})
	for range 2 {
		must(t, s.Subscribe(session.Filter{ToolsListChanged: true}))
		if got := <-told; !got.Over || got.Reason == "" {
			t.Errorf("got %+v, want that it is over", got)
		}
	}
	closeAll(t, s)
}

func TestSessionRuntimeClosed(t *testing.T) {
	rt, err := parley.NewRuntime(parley.RuntimeOptions{CacheDir: hosttest.Compiled})
	must(t, err)
	begun := make(chan func(), 1)
	s := newSession(t, rt, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		begun <- func() { report(session.Ended{Exchange: a.(session.Post).Exchange}, nil) }
	}}, parley.SessionOptions{})
	finished := make(chan error, 1)
	go func() {
		_, err := s.Call(context.Background(), parley.Request{Method: "tools/call"})
		finished <- err
	}()
	end := <-begun
	must(t, rt.Close())
	end()
	if err := <-finished; !errors.Is(err, parley.ErrInstance) { // it learns at its next step
		t.Errorf("got %v, want ErrInstance", err)
	}
	closeAll(t, s)
	if _, err := parley.NewSession(rt, &fake{kind: session.HTTP}, parley.SessionOptions{}); !errors.Is(err, parley.ErrInstance) {
		t.Errorf("a new session: got %v", err)
	}
}

// A core is usable by itself, and says so when it is closed.
func TestSessionCore(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		core, err := e.NewSessionCore(session.Options{})
		must(t, err)
		call, err := core.Call("tools/call", nil, engine.Options{ID: "x"})
		must(t, err)
		info, err := core.Info(call)
		if err != nil || info.ID != "x" || info.Method != "tools/call" {
			t.Errorf("info: got %+v, %v", info, err)
		}
		snapshot, err := core.Snapshot(call)
		must(t, err)
		again, err := core.Restore(snapshot, engine.Expect{})
		if err != nil || again == call {
			t.Errorf("restore: got %d, %v", again, err)
		}
		core.Free(call)
		if _, err := core.Info(call); !errors.Is(err, fault.Order) {
			t.Errorf("info of a call let go: got %v", err)
		}
		if _, err := core.Step(0, session.To{Call: call, Event: engine.Begin{}}); !errors.Is(err, fault.Order) {
			t.Errorf("step of a call let go: got %v", err)
		}
		if _, err := core.Restore([]byte("x"), engine.Expect{}); !errors.Is(err, fault.Snapshot) {
			t.Errorf("restore of nonsense: got %v", err)
		}
		core.Close()
		core.Close()
		if rt, ok := e.(*parley.Runtime); ok {
			if _, err := core.Step(0, session.Tick{}); err == nil {
				t.Error("a closed core steps")
			}
			if n := rt.Live(); n != 0 {
				t.Errorf("%d flows, sessions and calls are still live", n)
			}
		}
		if _, err := e.NewSessionCore(session.Options{Versions: []string{"1999-12-31"}}); !errors.Is(err, fault.Options) {
			t.Errorf("an unknown version: got %v", err)
		}
	})
}
