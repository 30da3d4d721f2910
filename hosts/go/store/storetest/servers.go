package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// What the tests of a store at a server begin with, and what they do to its
// connections.

// Put keeps a snapshot as a new call of "ann".
func Put(t testing.TB, s store.Store, id, snapshot string) {
	t.Helper()
	lease, err := s.Create(t.Context(), id)
	if err == nil {
		err = lease.Save(t.Context(), []byte(snapshot), store.About{Principal: "ann", Label: "x"})
	}
	if err == nil {
		err = lease.Release(t.Context())
	}
	if err != nil {
		t.Fatalf("put %s: %v", id, err)
	}
}

// Take takes a call that has a snapshot.
func Take(t testing.TB, s store.Store, id, want string) store.Lease {
	t.Helper()
	lease, snapshot, err := s.Take(t.Context(), id)
	if err != nil || string(snapshot) != want {
		t.Fatalf("take %s: got %d bytes, %v; want %.40q", id, len(snapshot), err, want)
	}
	return lease
}

// Cutting is a proxy that cuts a connection, once it is told after how many bytes
// on their way to the server, or back; a negative number lets all pass.
type Cutting struct {
	There, Back *atomic.Int64
	Cuts        *atomic.Int64 // that it made
}

// Cut has a fenced save cut off at each byte, on its way there or back: it is made
// again, and what is done twice is done once. One store is behind the proxy, and
// one is not.
func Cut(t *testing.T, proxy Cutting, behind, direct store.Store) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	Put(t, direct, "a", "0")
	lease, last := Take(t, behind, "a", "0"), "0"
	for way, left := range map[string]*atomic.Int64{"there": proxy.There, "back": proxy.Back} {
		for at := int64(0); ; at++ {
			if at > 2000 {
				t.Fatalf("%s: a save never passes whole", way)
			}
			must(lease.Save(t.Context(), []byte("before"), store.About{})) // there is a connection, and it knows the step
			before := proxy.Cuts.Load()
			left.Store(at)
			last = fmt.Sprint(way, at)
			must(lease.Save(t.Context(), []byte(last), store.About{Principal: "ann"}))
			left.Store(-1)
			if proxy.Cuts.Load() == before {
				t.Logf("%s: cut at each of %d bytes", way, at)
				break
			}
		}
		must(lease.Release(t.Context()))
		lease = Take(t, behind, "a", last)
	}
	must(lease.Done(t.Context()))
	if _, _, err := direct.Take(t.Context(), "a"); err == nil {
		t.Error("what is done is there")
	}
}

// WatchBroken has the connection of a watch break: it says so, and tells again what
// is there.
func WatchBroken(t *testing.T, s store.Store, cut func()) {
	Put(t, s, "a", "1")
	lost := false
	for change, err := range s.Watch(t.Context(), store.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case change.Lost:
			lost = true
		case lost && change.ID == "a":
			return
		case change.ID == "a":
			cut()
		}
	}
	t.Error("the watch ended")
}

// UsedOnce has all instances of a server use states at once: one use of each
// succeeds.
func UsedOnce(t *testing.T, instances ...codec.ReplayStore) {
	for i := range 20 {
		var all sync.WaitGroup
		var firsts atomic.Int32
		for n := range 3 * len(instances) {
			all.Go(func() {
				first, err := instances[n%len(instances)].Consume([16]byte{byte(i)}, time.Now().Add(time.Hour))
				if err != nil {
					t.Error(err)
				}
				if first {
					firsts.Add(1)
				}
			})
		}
		all.Wait()
		if n := firsts.Load(); n != 1 {
			t.Errorf("a state was used %d times", n)
		}
	}
}
