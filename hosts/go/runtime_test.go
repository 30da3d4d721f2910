package parley_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/session"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// Each session has an instance of its own, as long as there are enough.
func TestInstanceForEachSession(t *testing.T) {
	rt, err := parley.NewRuntime(parley.RuntimeOptions{CacheDir: hosttest.Compiled, Instances: 2})
	must(t, err)
	defer rt.Close()
	one := rt.Memory()
	for _, want := range []int{one, 2 * one, 2 * one} {
		core, err := rt.NewSessionCore(session.Options{})
		must(t, err)
		defer core.Close()
		if got := rt.Memory(); got < want || got >= want+one {
			t.Errorf("the instances hold %d bytes, want some %d", got, want)
		}
	}
}

// An instance that has grown goes when its sessions are over, because its memory
// never shrinks. The next session gets another.
func TestGrownInstanceIsDropped(t *testing.T) {
	rt, err := parley.NewRuntime(parley.RuntimeOptions{CacheDir: hosttest.Compiled})
	must(t, err)
	defer rt.Close()
	before := rt.Memory()
	params, err := json.Marshal(map[string]any{"name": "t", "arguments": map[string]any{"text": strings.Repeat("x", 8<<20)}})
	must(t, err)
	for range 3 {
		s := newSession(t, rt, answers(func(rpc) {}, done), parley.SessionOptions{})
		if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call", Params: params, Options: engine.Options{Limits: engine.Limits{Params: 16 << 20}}}); err != nil {
			t.Fatal(err)
		}
		if got := rt.Memory(); got < 8<<20 {
			t.Fatalf("the instances hold %d bytes: nothing has grown", got)
		}
		closeAll(t, s)
		if got := rt.Memory(); got > before {
			t.Errorf("the instances hold %d bytes afterwards, and %d before", got, before)
		}
	}
	if n := rt.Live(); n != 0 {
		t.Errorf("%d flows, sessions and calls are still live", n)
	}
}

// A thousand sessions, sixteen at a time, leave nothing behind but the
// instances that were needed at once.
func TestThousandSessions(t *testing.T) {
	rt, err := parley.NewRuntime(parley.RuntimeOptions{CacheDir: hosttest.Compiled})
	must(t, err)
	defer rt.Close()
	half := 0
	for round := range 1000 / 16 {
		var some []*parley.Session
		for range 16 {
			s := newSession(t, rt, answers(func(rpc) {}, done), parley.SessionOptions{})
			if _, err := s.Call(t.Context(), parley.Request{Method: "tools/call"}); err != nil {
				t.Fatal(err)
			}
			some = append(some, s)
		}
		for _, s := range some {
			closeAll(t, s)
		}
		if round == 30 {
			half = rt.Memory()
		}
	}
	if n := rt.Live(); n != 0 {
		t.Errorf("%d flows, sessions and calls are still live", n)
	}
	if got := rt.Memory(); got > half {
		t.Errorf("the instances hold %d bytes, and %d after half the sessions", got, half)
	}
}
