// Package storetest has the tests that every implementation of [store.Store]
// passes:
//
//	func TestStore(t *testing.T) { storetest.Test(t, newPlace) }
//
// They wait for events, and compare no times: on a slow machine they take longer.
package storetest

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Place is where the store under test keeps its calls.
type Place struct {
	// Open returns a store of the place, as another process would have it.
	Open func(t testing.TB, o Options) store.Store

	// Sealed says that the store seals what it keeps. Then it has the functions
	// below as well.
	Sealed bool

	// Damage puts garbage in the place of a call's snapshot, as it lies there.
	Damage func(t testing.TB, id string)

	// Relayout has a call be one that another version wrote, in a layout of its
	// own.
	Relayout func(t testing.TB, id string)

	// Step sets the time of day that the store goes by, ahead or back. It is nil
	// where that cannot be done.
	Step func(t testing.TB, by time.Duration)

	// LeasesByDay says that leases go by the time of day, too, which is a
	// server's: set ahead, it ends them early.
	LeasesByDay bool
}

// Options are how a store of a place is opened. It watches as closely as it can.
type Options struct {
	Lease, Keep time.Duration
	Box         store.Box
	Unsealed    bool
}

// Test tests a store, in a new place for each test.
func Test(t *testing.T, place func(t testing.TB) Place) {
	tests := map[string]func(*suite){
		"saves": saves, "creates": creates, "ids": ids, "contexts": contexts,
		"late": late, "fenced": fenced, "one taker": oneTaker, "churn": churn,
		"about": about, "order": order, "pages": pages, "principals": principals, "expired": expired,
		"discarded": discarded, "watched": watched, "watched by principal": watchedByPrincipal,
		"quotas": quotas, "quotas raced": quotasRaced,
	}
	if place(t).Sealed {
		tests["no box"], tests["another's key"], tests["rotated"] = noBox, anothersKey, rotated
		tests["garbage"], tests["another layout"], tests["unsealed before"] = garbage, anotherLayout, unsealedBefore
	}
	if place(t).Step != nil {
		maps.Copy(tests, clockTests)
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(newSuite(t, place(t))) })
	}
}

// suite is one test, in a place of its own.
type suite struct {
	*testing.T
	place Place
	box   store.Box
	s     store.Store // nobody is so slow as to lose a lease of it
}

func newSuite(t *testing.T, place Place) *suite {
	u := &suite{T: t, place: place}
	if place.Sealed {
		u.box = newBox(t)
	}
	u.s = u.open(Options{})
	return u
}

// open opens the place with what o does not say: the box, and leases that last.
func (u *suite) open(o Options) store.Store {
	if o.Box == nil && !o.Unsealed {
		o.Box = u.box
	}
	if o.Lease == 0 {
		o.Lease = time.Hour
	}
	return u.place.Open(u, o)
}

func (u *suite) must(err error) {
	u.Helper()
	if err != nil {
		u.Fatal(err)
	}
}

func (u *suite) want(what string, got, want error) {
	u.Helper()
	if !errors.Is(got, want) {
		u.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// put keeps a snapshot as a new call or in place of the call's last one.
func (u *suite) put(id, snapshot string, about store.About) {
	u.Helper()
	lease, err := u.s.Create(u.Context(), id)
	if errors.Is(err, fs.ErrExist) {
		lease, _, err = u.s.Take(u.Context(), id)
	}
	u.must(err)
	u.must(lease.Save(u.Context(), []byte(snapshot), about))
	u.must(lease.Release(u.Context()))
}

func (u *suite) take(s store.Store, id, want string) store.Lease {
	u.Helper()
	lease, snapshot, err := s.Take(u.Context(), id)
	if err != nil || string(snapshot) != want {
		u.Fatalf("take %s: got %d bytes, %v; want %.40q", id, len(snapshot), err, want)
	}
	return lease
}

// takeOver takes a call as soon as its lease is over.
func (u *suite) takeOver(id, want string) store.Lease {
	u.Helper()
	for {
		lease, snapshot, err := u.s.Take(u.Context(), id)
		if errors.Is(err, store.ErrTaken) {
			time.Sleep(time.Millisecond)
			continue
		}
		if err != nil || string(snapshot) != want {
			u.Fatalf("take %s: got %q, %v; want %q", id, snapshot, err, want)
		}
		return lease
	}
}

func (u *suite) list(s store.Store, q store.Query) (calls []store.Parked) {
	u.Helper()
	for call, err := range s.List(u.Context(), q) {
		u.must(err)
		calls = append(calls, call)
	}
	return calls
}

func (u *suite) wantIDs(what string, calls []store.Parked, want ...string) {
	u.Helper()
	var got []string
	for _, call := range calls {
		got = append(got, call.ID)
	}
	if len(got) != len(want) {
		u.Errorf("%s: got %v, want %v", what, got, want)
		return
	}
	for i := range got {
		if got[i] != want[i] {
			u.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
}

// wantEnded checks that a lease is over, whatever is done with it.
func (u *suite) wantEnded(what string, lease store.Lease) {
	u.Helper()
	ctx := u.Context()
	for name, err := range map[string]error{
		"save": lease.Save(ctx, []byte("stale"), store.About{Label: "stale"}), "renew": lease.Renew(ctx), "done": lease.Done(ctx), "release": lease.Release(ctx),
	} {
		u.want(name+" "+what, err, store.ErrTaken)
	}
}

// all does everything that a store can do.
func (u *suite) all(s store.Store, ctx context.Context, id string) map[string]error {
	_, errCreate := s.Create(ctx, id)
	_, _, errTake := s.Take(ctx, id)
	errs := map[string]error{"create": errCreate, "take": errTake, "delete": s.Delete(ctx, id)}
	errs["list"] = errors.New("nothing came")
	for _, errs["list"] = range s.List(ctx, store.Query{}) {
		break
	}
	errs["watch"] = errors.New("nothing came")
	for _, errs["watch"] = range s.Watch(ctx, store.Query{}) {
		break
	}
	return errs
}

// Refusing is what a place opens where a store could not be opened: everything
// fails with the reason.
func Refusing(err error) store.Store { return refusing{err} }

type refusing struct{ err error }

func (r refusing) Create(context.Context, string) (store.Lease, error)       { return nil, r.err }
func (r refusing) Take(context.Context, string) (store.Lease, []byte, error) { return nil, nil, r.err }
func (r refusing) Delete(context.Context, string) error                      { return r.err }
func (r refusing) List(context.Context, store.Query) iter.Seq2[store.Parked, error] {
	return func(yield func(store.Parked, error) bool) { yield(store.Parked{}, r.err) }
}
func (r refusing) Watch(context.Context, store.Query) iter.Seq2[store.Change, error] {
	return func(yield func(store.Change, error) bool) { yield(store.Change{}, r.err) }
}
