package redis_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// startByClock starts a server whose time of day can be set.
func startByClock(t testing.TB) *server {
	t.Helper()
	clock, err := backends.NewClock(t.TempDir())
	if errors.Is(err, backends.ErrNoClock) {
		t.Skip(err)
	}
	must(t, err)
	s := start(t)
	s.Clock = clock
	s.killAndStart()
	return s
}

// What is promised holds while the server's time of day is set, and set right again.
func TestClocks(t *testing.T) {
	server := startByClock(t)
	storetest.Clocks(t, func(t testing.TB) storetest.Place {
		prefix := newPrefix()
		return storetest.Place{
			Open: func(t testing.TB, o storetest.Options) store.Store {
				s, err := redis.Open(context.Background(), server.URL("?prefix="+prefix), redis.Options{Box: o.Box, Unsealed: o.Box == nil, Lease: o.Lease, Keep: o.Keep})
				must(t, err)
				t.Cleanup(func() { s.Close() })
				return s
			},
			Step:        func(t testing.TB, by time.Duration) { must(t, server.Clock.Step(by)) },
			LeasesByDay: true,
		}
	})
}

// A state that was used does not open again because the server's time of day is set
// back, or is ahead for no longer than a mark outlives its state.
func TestReplayClock(t *testing.T) {
	server := startByClock(t)
	r, err := redis.OpenReplay(t.Context(), server.URL(""), time.Minute)
	must(t, err)
	defer r.Close()
	expires := time.Now().Add(time.Minute)
	consume := func(what string, want bool, says string) {
		t.Helper()
		first, err := r.Consume([16]byte{1}, expires)
		if says != "" {
			wantSaid(t, what, err, says)
		} else {
			must(t, err)
		}
		if first != want {
			t.Errorf("%s: got %v, want %v", what, first, want)
		}
	}
	consume("used", true, "")
	for _, by := range []time.Duration{-time.Hour, time.Hour, -24 * time.Hour, 24 * time.Hour} {
		must(t, server.Clock.Step(by))
		consume(fmt.Sprint("by ", by), false, "")
	}
	must(t, server.Clock.Step(90*time.Second))
	consume("ahead", false, "expired")
	must(t, server.Clock.Step(-90*time.Second))
	consume("right again", false, "")
}
