package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// byClock has the server go by a time of day that can be set, until the test is over.
func byClock(t testing.TB) *backends.Clock {
	t.Helper()
	dir, err := server.Folder("time" + newSchema())
	must(t, err)
	clock, err := backends.NewClock(dir)
	if errors.Is(err, backends.ErrNoClock) {
		t.Skip(err)
	}
	must(t, err)
	server.Clock = clock
	restart(t)
	t.Cleanup(func() {
		server.Clock = nil
		restart(t)
	})
	return clock
}

// What is promised holds while the server's time of day is set, and set right again.
func TestClocks(t *testing.T) {
	clock := byClock(t)
	storetest.Clocks(t, func(t testing.TB) storetest.Place {
		schema := newSchema()
		return storetest.Place{
			Open: func(t testing.TB, o storetest.Options) store.Store {
				s, err := postgres.Open(context.Background(), urlOf(schema), postgres.Options{Box: o.Box, Unsealed: o.Box == nil, Lease: o.Lease, Keep: o.Keep})
				must(t, err)
				t.Cleanup(func() { s.Close() })
				return s
			},
			Step:        func(t testing.TB, by time.Duration) { must(t, clock.Step(by)) },
			LeasesByDay: true,
		}
	})
}

// A state that was used does not open again because the server's time of day is set,
// though its mark may be gone: what may have been forgotten is refused.
func TestReplayClock(t *testing.T) {
	clock, schema := byClock(t), newSchema()
	expires := map[byte]time.Time{1: time.Now().Add(10 * time.Minute), 2: time.Now().Add(10 * time.Minute), 3: time.Now().Add(100 * time.Hour), 4: time.Now().Add(11 * time.Minute)}
	consume := func(what string, state byte, want bool, says string) {
		t.Helper()
		r, err := postgres.OpenReplay(t.Context(), urlOf(schema), time.Minute) // a new one cleans up at once
		must(t, err)
		t.Cleanup(func() { r.Close() })
		first, err := r.Consume([16]byte{state}, expires[state])
		if says != "" {
			wantSaid(t, what, err, says)
		} else {
			must(t, err)
		}
		if first != want {
			t.Errorf("state %d, %s: got %v, want %v", state, what, first, want)
		}
	}
	consume("used", 1, true, "")
	for _, by := range []time.Duration{-time.Hour, time.Hour, -24 * time.Hour, 24 * time.Hour} {
		must(t, clock.Step(by))
		consume(fmt.Sprint("by ", by), 1, false, "")
	}
	must(t, clock.Step(24*time.Hour))
	consume("ahead", 1, false, "expired")
	consume("ahead", 3, true, "")
	conn, used := admin(t), [16]byte{1}
	for left := 1; left > 0; { // until it has been cleaned up
		must(t, conn.QueryRow(t.Context(), "select count(*) from "+schema+".marks where id = $1", used[:]).Scan(&left))
	}
	must(t, clock.Step(-24*time.Hour))
	consume("right again", 1, false, "expired")
	consume("right again, never used", 2, false, "expired") // which cannot be told
	consume("right again", 3, false, "")
	consume("right again, longer than what was forgotten", 4, true, "")
}
