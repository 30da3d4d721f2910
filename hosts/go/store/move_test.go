package store_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Calls move with what is said about them; what somebody has stays, and is named.
func TestMove(t *testing.T) {
	from, to := &store.Memory{}, newStore(t)
	for _, id := range []string{"a", "held", "b"} {
		lease, err := from.Create(t.Context(), id)
		must(t, err)
		must(t, lease.Save(t.Context(), []byte("snapshot of "+id), store.About{Principal: "ann", Label: id}))
		if id != "held" {
			must(t, lease.Release(t.Context()))
		}
	}
	must(t, put(t, to, "b", []byte("another")))
	got := map[string]error{}
	for id, err := range store.Move(t.Context(), from, to) {
		got[id] = err
	}
	if len(got) != 3 {
		t.Errorf("told of %v", got)
	}
	wantErr(t, "what moved", got["a"], nil)
	wantErr(t, "what somebody has", got["held"], store.ErrTaken)
	wantErr(t, "what is another there", got["b"], store.ErrBoth)
	_, _, err := from.Take(t.Context(), "a")
	wantErr(t, "where it was", err, store.ErrNotFound)
	for call, err := range to.List(t.Context(), store.Query{Principal: "ann"}) {
		must(t, err)
		if call.ID != "a" || call.About.Label != "a" || call.Taken {
			t.Errorf("listed there: %+v", call)
		}
	}
	must(t, take(t, to, "a", "snapshot of a").Done(t.Context()))
	must(t, take(t, to, "b", "another").Done(t.Context()))
}

// A move that is killed between any two steps, on either side of what the store
// did, loses no call, and is done when it is done again.
func TestMoveKilled(t *testing.T) {
	for at, over := 1, false; !over; at++ {
		from, to := &store.Memory{Lease: time.Nanosecond}, &store.Memory{Lease: time.Nanosecond}
		for _, id := range []string{"a", "b"} {
			lease, err := from.Create(t.Context(), id)
			must(t, err)
			must(t, lease.Save(t.Context(), []byte(id), store.About{Label: id}))
			must(t, lease.Release(t.Context()))
		}
		left := at
		over = true
		for _, err := range store.Move(t.Context(), dying{from, &left}, dying{to, &left}) {
			over = over && err == nil
		}
		for id, err := range store.Move(t.Context(), from, to) {
			wantErr(t, fmt.Sprintf("killed at %d: %s", at, id), err, nil)
		}
		var there []string
		for call, err := range to.List(t.Context(), store.Query{}) {
			must(t, err)
			there = append(there, call.ID+call.About.Label)
		}
		for call := range from.List(t.Context(), store.Query{}) {
			t.Errorf("killed at %d: %s is still where it was", at, call.ID)
		}
		if len(there) != 2 {
			t.Errorf("killed at %d: there are %v", at, there)
		}
	}
}

// dying is a store that somebody is killed at: the step after the last is made, and
// they do not hear of it; after it there is none.
type dying struct {
	store.Store
	left *int
}

var errDead = errors.New("dead")

func (d dying) step(do func() error) error {
	if *d.left--; *d.left < 0 {
		return errDead
	}
	err := do()
	if *d.left == 0 {
		return errDead
	}
	return err
}

func (d dying) Create(ctx context.Context, id string) (l store.Lease, err error) {
	err = d.step(func() (err error) { l, err = d.Store.Create(ctx, id); return err })
	return dyingLease{l, d}, err
}

func (d dying) Take(ctx context.Context, id string) (l store.Lease, snapshot []byte, err error) {
	err = d.step(func() (err error) { l, snapshot, err = d.Store.Take(ctx, id); return err })
	return dyingLease{l, d}, snapshot, err
}

func (d dying) List(ctx context.Context, q store.Query) iter.Seq2[store.Parked, error] {
	return d.Store.List(ctx, q)
}

type dyingLease struct {
	store.Lease
	d dying
}

func (l dyingLease) Save(ctx context.Context, snapshot []byte, about store.About) error {
	return l.d.step(func() error { return l.Lease.Save(ctx, snapshot, about) })
}
func (l dyingLease) Done(ctx context.Context) error {
	return l.d.step(func() error { return l.Lease.Done(ctx) })
}
func (l dyingLease) Release(ctx context.Context) error {
	return l.d.step(func() error { return l.Lease.Release(ctx) })
}
