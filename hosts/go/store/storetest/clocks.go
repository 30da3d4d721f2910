package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Clocks tests what a store makes of a time of day that is set, in a new place for
// each test. Test does so, too, where a place can set it.
func Clocks(t *testing.T, place func(t testing.TB) Place) {
	for name, test := range clockTests {
		t.Run(name, func(t *testing.T) { test(newSuite(t, place(t))) })
	}
}

var clockTests = map[string]func(*suite){
	"clock set, leases": leasesThroughSteps, "clock set, the dead": deadThroughSteps, "clock set, kept": keptThroughSteps,
}

// thereAndBack are an hour and a day, ahead and back and the other way round.
var thereAndBack = []time.Duration{time.Hour, -time.Hour, -time.Hour, time.Hour, 24 * time.Hour, -24 * time.Hour, -24 * time.Hour, 24 * time.Hour}

// A holder has its call whatever the time of day is, and nobody else has it. Where
// leases go by a clock that is set ahead, one ends early, and then its holder can
// do nothing any more.
func leasesThroughSteps(u *suite) {
	const term = 10 * time.Minute
	mine, others := u.open(Options{Lease: term}), u.open(Options{Lease: term})
	u.put("a", "0", store.About{Principal: "ann"})
	holder := u.take(mine, "a", "0")
	last := u.list(u.s, store.Query{})[0].Time
	for i, by := range thereAndBack {
		early := u.place.LeasesByDay && by > 0
		unsaved, err := mine.Create(u.Context(), fmt.Sprint("new", i))
		u.must(err)
		u.place.Step(u, by)
		calls := u.list(others, store.Query{})
		if len(calls) != 1 || calls[0].Taken == early {
			u.Fatalf("by %v: listed %+v", by, calls)
		}
		other, _, err := others.Take(u.Context(), "a")
		if early {
			u.must(err)
			u.wantEnded(fmt.Sprint("by ", by), holder)
			holder = other
		} else if !errors.Is(err, store.ErrTaken) {
			u.Fatalf("by %v: take: got %v, want %v", by, err, store.ErrTaken)
		}
		u.must(holder.Renew(u.Context()))
		u.must(holder.Save(u.Context(), fmt.Append(nil, i), store.About{}))
		if calls = u.list(u.s, store.Query{Principal: "ann"}); len(calls) != 1 || !calls[0].Taken || !calls[0].Time.After(last) {
			u.Fatalf("by %v: listed %+v, want one saved after %v", by, calls, last)
		}
		last = calls[0].Time
		if err := unsaved.Save(u.Context(), []byte("1"), store.About{}); err == nil {
			u.must(unsaved.Done(u.Context()))
		} else if !early || !errors.Is(err, store.ErrTaken) {
			u.Fatalf("by %v: the first save: %v", by, err)
		}
	}
	u.must(holder.Release(u.Context()))
	u.must(u.take(others, "a", fmt.Sprint(len(thereAndBack)-1)).Done(u.Context()))
}

// A lease that nobody renews is over in its time, whatever the time of day is.
func deadThroughSteps(u *suite) {
	if u.place.LeasesByDay {
		u.Skip("a clock that is set back makes leases longer by as much")
	}
	u.put("a", "1", store.About{})
	for _, by := range thereAndBack {
		u.take(u.open(Options{Lease: short}), "a", "1")
		u.place.Step(u, by)
		u.must(u.takeOver("a", "1").Release(u.Context()))
	}
}

// A call that was saved is kept for no shorter while because the time of day was set
// back, or back and right again.
func keptThroughSteps(u *suite) {
	s := u.open(Options{Keep: 2 * time.Hour})
	for _, id := range []string{"a", "b"} {
		lease, err := s.Create(u.Context(), id)
		u.must(err)
		u.must(lease.Save(u.Context(), []byte("1"), store.About{Principal: "ann"}))
		u.must(lease.Release(u.Context()))
	}
	for _, by := range []time.Duration{-time.Hour, time.Hour, -time.Hour, -24 * time.Hour, 24 * time.Hour, time.Hour} {
		u.place.Step(u, by)
		u.wantIDs(fmt.Sprint("by ", by), u.list(s, store.Query{}), "a", "b")
		u.wantIDs(fmt.Sprint("ann's by ", by), u.list(s, store.Query{Principal: "ann"}), "a", "b")
		u.must(u.take(s, "a", "1").Release(u.Context()))
	}
	u.must(s.Delete(u.Context(), "a"))
	u.must(s.Delete(u.Context(), "b"))
}
