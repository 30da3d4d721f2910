package storetest

import (
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A principal has as many calls as a quota says: a new one is refused before it is
// kept, and nothing that is kept is refused.
func quotas(u *suite) {
	ctx, ann := u.Context(), store.About{Principal: "ann"}
	q := &store.Quota{Store: u.s, Calls: 2}
	u.put("a", "1", ann) // without a quota
	create := func(id string) store.Lease {
		u.Helper()
		lease, err := q.Create(ctx, id)
		u.must(err)
		return lease
	}
	b := create("b")
	u.must(b.Save(ctx, []byte("1"), ann))
	c := create("c")
	u.want("one too many", c.Save(ctx, []byte("1"), ann), store.ErrQuota)
	u.want("the same, as it is settled", c.Save(ctx, []byte("1"), store.About{}), store.ErrQuota)
	u.must(c.Renew(ctx))
	u.wantIDs("with one refused", u.list(q, store.Query{}), "a", "b")

	// What is kept stays so, however many there are.
	u.put("more", "1", ann)
	u.must(b.Save(ctx, []byte("2"), ann))
	u.must(b.Save(ctx, []byte("3"), store.About{}))
	u.must(b.Release(ctx))
	b = u.take(q, "b", "3")
	u.must(b.Save(ctx, []byte("4"), ann))
	u.must(b.Release(ctx))
	_, err := q.Create(ctx, "b")
	u.want("create of what is there", err, fs.ErrExist)

	// Others, and nobody, have a quota of their own, or none.
	for id, about := range map[string]store.About{"bob": {Principal: "bob"}, "n1": {}, "n2": {}, "n3": {Label: "nobody's"}} {
		lease := create(id)
		u.must(lease.Save(ctx, []byte("1"), about))
		u.must(lease.Done(ctx))
	}

	// One that is done makes room for another.
	u.must(q.Delete(ctx, "more"))
	u.want("still too many", c.Save(ctx, []byte("1"), ann), store.ErrQuota)
	u.must(u.take(q, "b", "4").Done(ctx))
	u.must(c.Save(ctx, []byte("1"), ann))
	u.must(c.Release(ctx))
	u.must(u.take(q, "c", "1").Done(ctx))

	none := &store.Quota{Store: u.s}
	for i := range 4 {
		lease, err := none.Create(ctx, fmt.Sprint("unlimited", i))
		u.must(err)
		u.must(lease.Save(ctx, []byte("1"), ann))
		u.must(lease.Release(ctx))
	}
}

// Where many are saved at once, no more get in than may: of each quota one more,
// where several count on one store.
func quotasRaced(u *suite) {
	const most, racers = 3, 12
	for _, counting := range []int{1, 3} {
		var quotas []*store.Quota
		for range counting {
			quotas = append(quotas, &store.Quota{Store: u.open(Options{}), Calls: most})
		}
		whose := fmt.Sprint("ann", counting)
		var all sync.WaitGroup
		var in atomic.Int64
		for i := range racers {
			all.Go(func() {
				lease, err := quotas[i%counting].Create(u.Context(), fmt.Sprintf("%s-%d", whose, i))
				if err == nil {
					err = lease.Save(u.Context(), []byte("1"), store.About{Principal: whose})
				}
				if err == nil {
					in.Add(1)
				} else {
					u.want("a racer", err, store.ErrQuota)
				}
			})
		}
		all.Wait()
		kept := len(u.list(u.s, store.Query{Principal: whose}))
		if n := int(in.Load()); n < most || n > most+counting-1 || kept != n {
			u.Errorf("%d counting: %d were saved, %d are kept, want %d", counting, n, kept, most)
		}
	}
}
