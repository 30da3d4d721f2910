package parley_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// A message that needs more memory than the sandbox allows takes the session
// with it, and tells every call; another session goes on.
func TestSessionTrapIsContained(t *testing.T) {
	rt := newRuntime(t, parley.RuntimeOptions{Instances: 1, MemoryLimit: 3 << 20})
	posted := make(chan func(), 2)
	s := newSession(t, rt, &fake{kind: session.HTTP, perform: func(_ context.Context, a session.Action, report func(session.Event, error)) {
		posted <- func() {
			report(session.Message{Exchange: a.(session.Post).Exchange, Last: true, Body: make([]byte, 5<<20)}, nil)
		}
	}}, parley.SessionOptions{})
	finished := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := s.Call(context.Background(), parley.Request{Method: "tools/call"})
			finished <- err
		}()
	}
	answer := <-posted
	<-posted
	answer()
	for range 2 {
		if err := <-finished; !errors.Is(err, parley.ErrInstance) {
			t.Errorf("got %v, want ErrInstance", err)
		}
	}
	if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call"}); !errors.Is(err, parley.ErrInstance) {
		t.Errorf("a call afterwards: got %v", err)
	}
	closeAll(t, s)
	other := newSession(t, rt, answers(func(rpc) {}, done), parley.SessionOptions{})
	if _, err := other.Call(t.Context(), parley.Request{Method: "tools/call"}); err != nil {
		t.Errorf("another session: %v", err)
	}
	closeAll(t, other)
	if n := rt.Live(); n != 0 {
		t.Errorf("%d flows, sessions and calls are still live", n)
	}
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
