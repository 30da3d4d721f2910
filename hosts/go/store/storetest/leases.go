package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// short is a lease that is over before anybody has done anything with it.
const short = 5 * time.Millisecond

// A holder who is late, and was not missed, goes on.
func late(u *suite) {
	u.put("a", "1", store.About{})
	slow := u.take(u.open(Options{Lease: short}), "a", "1")
	if slow.Term() != short {
		u.Errorf("the term is %v, want %v", slow.Term(), short)
	}
	for _, do := range []func() error{
		func() error { return slow.Renew(u.Context()) },
		func() error { return slow.Save(u.Context(), []byte("2"), store.About{}) },
		func() error { return slow.Release(u.Context()) },
	} {
		time.Sleep(2 * short)
		u.must(do())
	}
	slow = u.take(u.open(Options{Lease: short}), "a", "2")
	time.Sleep(2 * short)
	if calls := u.list(u.s, store.Query{}); len(calls) != 1 || calls[0].Taken {
		u.Errorf("listed: %+v", calls)
	}
	u.must(slow.Done(u.Context()))
	u.wantIDs("done", u.list(u.s, store.Query{}))
}

// A lease that is not renewed may be taken over; who held it learns of it and
// destroys nothing.
func fenced(u *suite) {
	u.put("a", "1", store.About{Label: "first", Principal: "ann"})
	slow := u.take(u.open(Options{Lease: short}), "a", "1")
	time.Sleep(2 * short)
	u.must(slow.Renew(u.Context())) // nobody took it: late is soon enough
	time.Sleep(2 * short)
	u.must(slow.Save(u.Context(), []byte("2"), store.About{}))
	quick := u.takeOver("a", "2")
	u.wantEnded("of a lost lease", slow)
	u.must(quick.Save(u.Context(), []byte("3"), store.About{}))
	u.wantEnded("of a lost lease, saved since", slow)
	u.must(quick.Release(u.Context()))
	u.wantEnded("of a lost lease, given back since", slow)
	if calls := u.list(u.s, store.Query{Principal: "ann"}); len(calls) != 1 || calls[0].About.Label != "first" {
		u.Errorf("listed: %v", calls)
	}
	u.must(u.take(u.s, "a", "3").Done(u.Context()))
	u.wantEnded("of a call that is done", slow)
	u.put("a", "another", store.About{})
	u.wantEnded("of another call with the same id", slow)
	u.must(u.take(u.s, "a", "another").Done(u.Context()))
	u.wantIDs("afterwards", u.list(u.s, store.Query{}))

	unsaved, err := u.open(Options{Lease: short}).Create(u.Context(), "b")
	u.must(err)
	for {
		lease, err := u.s.Create(u.Context(), "b")
		if errors.Is(err, store.ErrTaken) {
			time.Sleep(time.Millisecond)
			continue
		}
		u.must(err)
		u.wantEnded("of a call that was never saved", unsaved)
		u.must(lease.Save(u.Context(), []byte("1"), store.About{}))
		u.must(lease.Done(u.Context()))
		return
	}
}

// Of many who want a call, one gets it.
func oneTaker(u *suite) {
	const rounds, takers = 20, 8
	stores := [2]store.Store{u.s, u.open(Options{})}
	for i := range rounds {
		id := fmt.Sprint("r", i)
		u.put(id, "1", store.About{})
		var winners atomic.Int32
		var all sync.WaitGroup
		for n := range takers {
			all.Go(func() {
				lease, _, err := stores[n%2].Take(u.Context(), id)
				switch {
				case err == nil:
					winners.Add(1)
					err = lease.Save(u.Context(), []byte("2"), store.About{})
				case errors.Is(err, store.ErrTaken):
					err = nil
				}
				if err != nil {
					u.Errorf("%s: %v", id, err)
				}
			})
		}
		all.Wait()
		if n := winners.Load(); n > 1 {
			u.Errorf("%s has %d winners", id, n)
		}
	}
}

// Takers that come and go as fast as they can never hold a call together, lose
// no snapshot and see no half of one.
func churn(u *suite) {
	const most = 100
	big := bytes.Repeat([]byte("x"), 16<<10)
	u.put("a", string(append(big, "0"...)), store.About{})
	stores := [2]store.Store{u.s, u.open(Options{})}
	var all sync.WaitGroup
	var held sync.Mutex
	var over atomic.Bool
	count := 0
	for n := range 4 {
		all.Go(func() {
			defer over.Store(true) // one that fails ends it, too
			for !over.Load() {
				lease, snapshot, err := stores[n%2].Take(u.Context(), "a")
				if errors.Is(err, store.ErrTaken) {
					continue
				}
				if err != nil {
					u.Error(err)
					return
				}
				if !held.TryLock() {
					u.Error("two hold the call")
					return
				}
				number, ok := bytes.CutPrefix(snapshot, big)
				if !ok || string(number) != fmt.Sprint(count) {
					u.Errorf("got %d bytes that end in %s, want %d", len(snapshot), number, count)
				}
				if count++; count == most {
					over.Store(true)
				}
				err = lease.Save(u.Context(), fmt.Append(bytes.Clone(big), count), store.About{})
				held.Unlock()
				if err := errors.Join(err, lease.Release(u.Context())); err != nil {
					u.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if count < most {
		u.Errorf("the call was taken %d times, want %d", count, most)
	}
	u.must(u.s.Delete(u.Context(), "a"))
}

// A call that is kept no longer is gone, whoever asks.
func expired(u *suite) {
	u.put("stays", "1", store.About{})
	brief := u.open(Options{Keep: 20 * time.Millisecond})
	for i := range 3 {
		lease, err := brief.Create(u.Context(), fmt.Sprint("goes", i))
		u.must(err)
		u.must(lease.Save(u.Context(), []byte("1"), store.About{Principal: "ann"}))
		if err := lease.Release(u.Context()); err != nil && !errors.Is(err, store.ErrTaken) {
			u.Fatal(err)
		}
	}
	for {
		lease, _, err := brief.Take(u.Context(), "goes0")
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		u.must(err)
		if err := lease.Release(u.Context()); err != nil && !errors.Is(err, store.ErrTaken) { // it has expired since
			u.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	for len(u.list(brief, store.Query{Principal: "ann"})) > 0 {
		time.Sleep(time.Millisecond)
	}
	u.want("delete", brief.Delete(u.Context(), "goes1"), store.ErrNotFound)
	lease, err := brief.Create(u.Context(), "goes2")
	u.must(err)
	u.must(lease.Release(u.Context()))
}
