package storetest

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// What is saved comes back, byte for byte, until it is done.
func saves(u *suite) {
	_, _, err := u.s.Take(u.Context(), "a")
	u.want("take of nothing", err, store.ErrNotFound)
	u.wantIDs("an empty store", u.list(u.s, store.Query{}))
	for _, snapshot := range []string{"", "\x00\xff\r\n$-1\r\n", "{}", strings.Repeat("x", 1<<20)} {
		u.put("a", snapshot, store.About{})
		u.must(u.take(u.s, "a", snapshot).Release(u.Context()))
	}
	lease := u.take(u.open(Options{}), "a", strings.Repeat("x", 1<<20))
	u.must(lease.Save(u.Context(), []byte("1"), store.About{}))
	u.must(lease.Save(u.Context(), []byte("2"), store.About{}))
	u.must(lease.Renew(u.Context()))
	u.must(lease.Release(u.Context()))
	u.wantEnded("after release", lease)
	lease = u.take(u.s, "a", "2")
	u.must(lease.Done(u.Context()))
	u.wantEnded("after done", lease)
	_, _, err = u.s.Take(u.Context(), "a")
	u.want("take of what is done", err, store.ErrNotFound)
	u.put("a", "another", store.About{})
	u.wantEnded("of the call that had the id before", lease)
	u.must(u.take(u.s, "a", "another").Done(u.Context()))
}

// A new call is held before it is there to be listed.
func creates(u *suite) {
	lease, err := u.s.Create(u.Context(), "new")
	u.must(err)
	_, err = u.s.Create(u.Context(), "new")
	u.want("second create", err, store.ErrTaken)
	_, _, err = u.s.Take(u.Context(), "new")
	u.want("take before the first save", err, store.ErrTaken)
	u.want("delete before the first save", u.s.Delete(u.Context(), "new"), store.ErrTaken)
	u.wantIDs("before the first save", u.list(u.s, store.Query{}))
	u.must(lease.Save(u.Context(), []byte("1"), store.About{}))
	if calls := u.list(u.s, store.Query{}); len(calls) != 1 || !calls[0].Taken {
		u.Errorf("after the first save: got %v", calls)
	}
	u.must(lease.Release(u.Context()))
	if calls := u.list(u.s, store.Query{}); len(calls) != 1 || calls[0].Taken {
		u.Errorf("given back: got %v", calls)
	}
	_, err = u.s.Create(u.Context(), "new")
	u.want("create of what is there", err, fs.ErrExist)

	lease, err = u.s.Create(u.Context(), "empty")
	u.must(err)
	u.must(lease.Release(u.Context()))
	_, _, err = u.s.Take(u.Context(), "empty")
	u.want("take of what was never saved", err, store.ErrNotFound)
	u.put("empty", "1", store.About{})
	u.must(u.take(u.s, "empty", "1").Done(u.Context()))
}

// What is no id is refused, however long, and nothing else is touched.
func ids(u *suite) {
	u.put("A_b-9", "1", store.About{})
	u.put(strings.Repeat("a", 64), "2", store.About{})
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a.b", "a:b", "a{b}", "a*", "a\x00", "ä", " ", strings.Repeat("a", 65), strings.Repeat("a", 10<<20)} {
		for what, err := range u.all(u.s, u.Context(), id) {
			if what != "list" && what != "watch" && (err == nil || !strings.Contains(err.Error(), "1 to 64") || len(err.Error()) > 200) {
				u.Errorf("%s of %.20q: got %.200v", what, id, err)
			}
		}
	}
	u.wantIDs("afterwards", u.list(u.s, store.Query{}), "A_b-9", strings.Repeat("a", 64))
}

// A context that has ended keeps everything as it is.
func contexts(u *suite) {
	u.put("a", "1", store.About{})
	lease := u.take(u.s, "a", "1")
	errGone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(u.Context())
	cancel(errGone)
	for _, id := range []string{"a", "b"} {
		for what, err := range u.all(u.s, ctx, id) {
			u.want(what, err, errGone)
		}
	}
	u.want("save", lease.Save(ctx, []byte("2"), store.About{}), errGone)
	u.want("renew", lease.Renew(ctx), errGone)
	u.want("done", lease.Done(ctx), errGone)
	u.want("release", lease.Release(ctx), errGone)
	u.must(lease.Release(u.Context()))
	u.must(u.take(u.s, "a", "1").Done(u.Context()))
}

// What is discarded is gone, unless somebody has it.
func discarded(u *suite) {
	u.want("of nothing", u.s.Delete(u.Context(), "a"), store.ErrNotFound)
	u.put("a", "1", store.About{})
	lease := u.take(u.s, "a", "1")
	u.want("of what is taken", u.s.Delete(u.Context(), "a"), store.ErrTaken)
	u.must(lease.Release(u.Context()))
	u.must(u.s.Delete(u.Context(), "a"))
	u.want("a second time", u.s.Delete(u.Context(), "a"), store.ErrNotFound)
	u.wantIDs("afterwards", u.list(u.s, store.Query{}))

	for _, id := range []string{"a1", "a2", "a3"} {
		u.put(id, "1", store.About{Principal: "ann"})
	}
	u.put("b1", "1", store.About{Principal: "bob"})
	u.put("n1", "1", store.About{})
	lease = u.take(u.s, "a2", "1")
	u.want("all of a principal's", store.DeleteOf(u.Context(), u.s, "ann"), store.ErrTaken)
	u.wantIDs("those left", u.list(u.s, store.Query{}), "a2", "b1", "n1")
	u.must(lease.Release(u.Context()))
	u.must(store.DeleteOf(u.Context(), u.s, "ann"))
	u.must(store.DeleteOf(u.Context(), u.s, "nobody that is known"))
	if store.DeleteOf(u.Context(), u.s, "") == nil {
		u.Error("all of nobody's were discarded")
	}
	u.wantIDs("those of others", u.list(u.s, store.Query{}), "b1", "n1")
}
