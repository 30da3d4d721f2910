package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Steps have an order: the tests of a store at a server for steps that are cut off,
// and arrive late.

// Delaying is a proxy before a server. Hold breaks every connection that sends
// something, keeps what it sent, and lets no new one in, until Pass. Kept is of how
// many connections something is kept. Deliver sends it to the server, and returns
// when the server has dealt with it.
type Delaying interface {
	Hold()
	Pass()
	Kept() int
	Deliver()
}

// steps are those of a lease.
var steps = map[string]func(ctx context.Context, l store.Lease, snapshot string) error{
	"save": func(ctx context.Context, l store.Lease, snapshot string) error {
		return l.Save(ctx, []byte(snapshot), store.About{})
	},
	"renew":   func(ctx context.Context, l store.Lease, _ string) error { return l.Renew(ctx) },
	"release": func(ctx context.Context, l store.Lease, _ string) error { return l.Release(ctx) },
	"done":    func(ctx context.Context, l store.Lease, _ string) error { return l.Done(ctx) },
}

// firsts are the steps that take a call, or a new one, or discard one.
var firsts = map[string]func(ctx context.Context, s store.Store, id string) (store.Lease, error){
	"take": func(ctx context.Context, s store.Store, id string) (store.Lease, error) {
		lease, _, err := s.Take(ctx, id)
		return lease, err
	},
	"create": func(ctx context.Context, s store.Store, id string) (store.Lease, error) { return s.Create(ctx, id) },
	"delete": func(ctx context.Context, s store.Store, id string) (store.Lease, error) {
		return nil, s.Delete(ctx, id)
	},
}

// Delayed has steps arrive after those that were made later: nothing of them is
// left. Two stores are behind the proxy, one of which gives a step little time, and
// one is not.
func Delayed(t *testing.T, proxy Delaying, hasty, patient, direct store.Store) {
	for _, old := range []string{"save", "renew", "release", "done"} {
		for _, next := range []string{"save", "renew", "release", "done"} {
			if (old == "release" || old == "done") && (next == "save" || next == "renew") {
				continue // these end a lease
			}
			t.Run(old+" after "+next, func(t *testing.T) { delayed(t, proxy, hasty, direct, old, next) })
		}
	}
	for _, first := range slices.Sorted(maps.Keys(firsts)) {
		t.Run(first+" after it was given up", func(t *testing.T) { givenUp(t, proxy, patient, direct, first) })
	}
	t.Run("take after release", func(t *testing.T) { takenAfterwards(t, proxy, patient, direct) })
}

func delayed(t *testing.T, proxy Delaying, behind, direct store.Store, old, next string) {
	id := old + "-" + next
	Put(t, direct, id, "0")
	lease := Take(t, behind, id, "0") // there is a connection
	proxy.Hold()
	if err := steps[old](t.Context(), lease, "old"); !errors.Is(err, store.ErrUnsure) {
		t.Errorf("%s without an answer: got %v, want %v", old, err, store.ErrUnsure)
	}
	proxy.Pass()
	if err := steps[next](t.Context(), lease, "next"); err != nil {
		t.Fatalf("%s: %v", next, err)
	}
	var theirs store.Lease
	switch next {
	case "release":
		theirs = Take(t, direct, id, "0")
		save(t, theirs, "theirs")
	case "done":
		Put(t, direct, id, "0")
	}
	if proxy.Kept() == 0 {
		t.Error("nothing arrives late")
	}
	proxy.Deliver()
	switch next {
	case "save":
		release(t, lease)
		release(t, Take(t, direct, id, "next"))
	case "renew":
		save(t, lease, "last")
		release(t, lease)
		release(t, Take(t, direct, id, "last"))
	case "release":
		save(t, theirs, "theirs still")
		release(t, theirs)
		release(t, Take(t, direct, id, "theirs still"))
	case "done":
		release(t, Take(t, direct, id, "0"))
	}
}

// givenUp has a first step be given up by its caller, and arrive then.
func givenUp(t *testing.T, proxy Delaying, behind, direct store.Store, first string) {
	id := "given-up-" + first
	Put(t, behind, id, "0") // there is a connection
	if first == "create" {
		done(t, Take(t, direct, id, "0"))
	}
	errGone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	proxy.Hold()
	over := make(chan error)
	go func() {
		_, err := firsts[first](ctx, behind, id)
		over <- err
	}()
	waitKept(proxy)
	cancel(errGone)
	proxy.Pass()
	if err := <-over; !errors.Is(err, errGone) {
		t.Errorf("given up: got %v, want %v", err, errGone)
	}
	proxy.Deliver()
	again(t, direct, first, id)
}

func waitKept(proxy Delaying) {
	for proxy.Kept() == 0 {
		time.Sleep(time.Millisecond)
	}
}

// again checks that nobody has the call of a step that was given up.
func again(t *testing.T, direct store.Store, first, id string) {
	t.Helper()
	lease, err := firsts[first](t.Context(), direct, id)
	if first == "delete" && errors.Is(err, store.ErrNotFound) {
		err = nil // it was done before it was given up
	}
	if err != nil {
		t.Fatalf("%s again: %v", first, err)
	}
	if lease != nil {
		release(t, lease)
	}
}

// takenAfterwards has the first try of a take arrive after the second one's lease
// was given back.
func takenAfterwards(t *testing.T, proxy Delaying, behind, direct store.Store) {
	Put(t, behind, "a", "0") // there is a connection
	proxy.Hold()
	go func() {
		waitKept(proxy)
		proxy.Pass()
	}()
	release(t, Take(t, behind, "a", "0"))
	proxy.Deliver()
	release(t, Take(t, direct, "a", "0"))
}

// Interrupting is a proxy that calls Reached once so many bytes have passed on their
// way to the server, or back; a negative number lets all pass.
type Interrupting struct {
	There, Back *atomic.Int64
	Reached     *func()
}

// Interrupted has the context of every step end at each byte, on its way there or
// back. What took a call, or a new one, then did so for nobody; what a holder had
// begun is done. One store is behind the proxy, and one is not.
func Interrupted(t *testing.T, proxy Interrupting, behind, direct store.Store) {
	for way, left := range map[string]*atomic.Int64{"there": proxy.There, "back": proxy.Back} {
		for _, first := range slices.Sorted(maps.Keys(firsts)) {
			t.Run(first+" "+way, func(t *testing.T) {
				for at, ctx := range eachByte(t, proxy, left) {
					id := fmt.Sprint(first, way, at)
					if first != "create" {
						Put(t, direct, id, "0")
					}
					left.Store(at)
					lease, err := firsts[first](ctx, behind, id)
					left.Store(-1)
					switch {
					case err != nil && !errors.Is(err, context.Canceled):
						t.Fatalf("at %d: %v", at, err)
					case err != nil:
						again(t, direct, first, id)
					case lease != nil:
						release(t, lease)
					}
				}
			})
		}
		for _, step := range slices.Sorted(maps.Keys(steps)) {
			t.Run(step+" "+way, func(t *testing.T) {
				for at, ctx := range eachByte(t, proxy, left) {
					id := fmt.Sprint(step, way, at)
					Put(t, direct, id, "0")
					lease := Take(t, behind, id, "0")
					left.Store(at)
					err := steps[step](ctx, lease, "1")
					left.Store(-1)
					if err != nil {
						t.Fatalf("at %d: %v", at, err)
					}
					interrupted(t, direct, lease, step, id)
				}
			})
		}
	}
}

// interrupted checks that a step was made, and that the next one counts.
func interrupted(t *testing.T, direct store.Store, lease store.Lease, step, id string) {
	t.Helper()
	want := "0"
	switch step {
	case "done":
		if _, _, err := direct.Take(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("take of what is done: got %v, want %v", err, store.ErrNotFound)
		}
		return
	case "save":
		want = "2"
		save(t, lease, want)
		release(t, lease)
	case "renew":
		release(t, lease)
	}
	release(t, Take(t, direct, id, want))
}

// eachByte gives a context for each byte that passes, until all have; it ends when
// that byte is reached.
func eachByte(t *testing.T, proxy Interrupting, left *atomic.Int64) iter.Seq2[int64, context.Context] {
	return func(yield func(int64, context.Context) bool) {
		for at := int64(0); at < 3000; at++ {
			ctx, cancel := context.WithCancel(t.Context())
			*proxy.Reached = cancel
			goOn := yield(at, ctx)
			reached := ctx.Err() != nil
			cancel()
			if !reached || !goOn {
				t.Logf("interrupted at each of %d bytes", at)
				return
			}
		}
		t.Fatal("a step never passes whole")
	}
}

// Twins has one lease in two processes: a copy of it is another process's. Of two
// steps of one number the first counts, and whoever made the second has lost the
// lease.
func Twins(t *testing.T, s store.Store, twin func(store.Lease) store.Lease) {
	for first := range steps {
		for _, second := range []string{"save", "renew"} {
			if first == "renew" {
				continue // it need not leave its number
			}
			t.Run(first+", "+second, func(t *testing.T) {
				id := first + "-" + second
				Put(t, s, id, "0")
				one := Take(t, s, id, "0")
				other := twin(one)
				if err := steps[first](t.Context(), one, "one"); err != nil {
					t.Fatal(err)
				}
				for range 2 { // a lost lease stays lost
					if err := steps[second](t.Context(), other, "other"); !errors.Is(err, store.ErrTaken) {
						t.Errorf("%s of the other: got %v, want %v", second, err, store.ErrTaken)
					}
				}
				switch first {
				case "save":
					save(t, one, "still")
					release(t, one)
					release(t, Take(t, s, id, "still"))
				case "release":
					release(t, Take(t, s, id, "0"))
				}
			})
		}
	}
}

func save(t *testing.T, l store.Lease, snapshot string) {
	t.Helper()
	if err := l.Save(t.Context(), []byte(snapshot), store.About{}); err != nil {
		t.Fatalf("save: %v", err)
	}
}

func release(t *testing.T, l store.Lease) {
	t.Helper()
	if err := l.Release(t.Context()); err != nil {
		t.Fatalf("release: %v", err)
	}
}

func done(t *testing.T, l store.Lease) {
	t.Helper()
	if err := l.Done(t.Context()); err != nil {
		t.Fatalf("done: %v", err)
	}
}
