package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Two takers that each find the other's lock, because the later one had seen the
// earlier one's file before it was a lock: one of them gets the call.
func TestTakersThatMeet(t *testing.T) {
	first := newStore(t)
	second := &store.Files{Dir: first.Dir, Unsealed: true}
	must(t, put(t, first, "a", []byte("1")))

	ready, locked, found, bothFound := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	var linked, looked, other, otherLooked sync.Once
	store.Before(first, func(op, path string) error {
		switch {
		case op == "link":
			linked.Do(func() { close(ready); <-locked })
		case op == "remove" && strings.HasSuffix(path, "lock"):
			looked.Do(func() { close(found); <-bothFound })
		}
		return nil
	})
	hasLinked := false
	store.Before(second, func(op, path string) error {
		switch {
		case op == "link":
			hasLinked = true
		case hasLinked: // it has a lock, and has not looked yet
			other.Do(func() { close(locked); <-found })
		}
		if op == "remove" && strings.HasSuffix(path, "lock") {
			otherLooked.Do(func() { close(bothFound) })
		}
		return nil
	})

	type taken struct {
		lease store.Lease
		err   error
	}
	results := make(chan taken, 2)
	takes := func(s *store.Files) {
		lease, _, err := s.Take(t.Context(), "a")
		results <- taken{lease, err}
	}
	go takes(first)
	<-ready
	go takes(second)
	a, b := <-results, <-results
	if a.lease == nil {
		a, b = b, a
	}
	if a.err != nil || !errors.Is(b.err, store.ErrTaken) {
		t.Fatalf("got %v and %v, want a lease and ErrTaken", a.err, b.err)
	}
	must(t, a.lease.Done(t.Context()))
	wantEmpty(t, first)
}
