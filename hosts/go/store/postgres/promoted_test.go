package postgres_test

import (
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// pair starts a server and a standby that it waits for, or does not.
func pair(t *testing.T, synchronous bool) (first, second *backends.Postgres) {
	t.Helper()
	first, err := backends.NewPostgres()
	must(t, err)
	t.Cleanup(func() { first.Close() })
	second, err = first.Standby("second")
	must(t, err)
	t.Cleanup(func() { second.Close() })
	conn := adminAt(t, first.URL(""))
	want := "async"
	if synchronous {
		want = "sync"
		_, err = conn.Exec(t.Context(), "alter system set synchronous_standby_names = 'second'")
		must(t, err)
		_, err = conn.Exec(t.Context(), "select pg_reload_conf()")
		must(t, err)
	}
	for is := ""; is != want; {
		must(t, conn.QueryRow(t.Context(), "select coalesce(max(sync_state), '') from pg_stat_replication where state = 'streaming'").Scan(&is))
	}
	return first, second
}

// either is a URL of both, for whichever takes writes.
func either(first, second *backends.Postgres) string {
	return "postgres://parley@" + first.Address() + "," + second.Address() + "/postgres?durability=checked&target_session_attrs=read-write"
}

// What a synchronous standby takes over is all that was confirmed: calls, leases and
// marks. What the standby has not heard of is not confirmed.
func TestPromoted(t *testing.T) {
	first, second := pair(t, true)
	s := open(t, either(first, second), postgres.Options{Timeout: time.Minute})
	marks, err := postgres.OpenReplay(t.Context(), either(first, second), time.Minute)
	must(t, err)
	defer marks.Close()
	storetest.Put(t, s, "held", "1")
	storetest.Put(t, s, "lost", "1")
	held, lost := storetest.Take(t, s, "held", "1"), storetest.Take(t, open(t, either(first, second), postgres.Options{Lease: time.Millisecond, Timeout: time.Minute}), "lost", "1")
	used, expires := [16]byte{1}, time.Now().Add(time.Hour)
	if isFirst, err := marks.Consume(used, expires); !isFirst || err != nil {
		t.Fatal(isFirst, err)
	}
	must(t, held.Save(t.Context(), []byte("2"), store.About{}))

	must(t, second.Stop())
	hasty := open(t, first.URL(""), postgres.Options{Timeout: 500 * time.Millisecond})
	if _, err := hasty.Create(t.Context(), "unheard"); err == nil {
		t.Error("what the standby has not heard of was confirmed")
	}
	first.Kill()
	must(t, second.Continue())
	must(t, second.Promote())

	there := open(t, second.URL("&target_session_attrs=read-write"), postgres.Options{Timeout: time.Minute})
	_, _, err = there.Take(t.Context(), "held")
	wantErr(t, "take what somebody has", err, store.ErrTaken)
	if isFirst, err := marks.Consume(used, expires); isFirst || err != nil {
		t.Errorf("a used state: got %v, %v", isFirst, err)
	}
	must(t, held.Save(t.Context(), []byte("3"), store.About{})) // its holder goes on, at whichever server there is
	must(t, held.Release(t.Context()))
	must(t, storetest.Take(t, there, "held", "3").Done(t.Context()))

	quick := storetest.Take(t, there, "lost", "1") // its lease was over
	wantErr(t, "save with a lease that was taken over", lost.Save(t.Context(), []byte("stale"), store.About{}), store.ErrTaken)
	must(t, quick.Done(t.Context()))
}

// A standby that the server did not wait for gives a call to somebody else: who took
// it before can do nothing to it.
func TestPromotedBehind(t *testing.T) {
	first, second := pair(t, false)
	here := open(t, either(first, second), postgres.Options{Timeout: time.Minute})
	storetest.Put(t, here, "a", "1")
	conn := adminAt(t, second.URL(""))
	for there := 0; there == 0; { // until it has heard of the call as it was given back
		conn.QueryRow(t.Context(), "select count(*) from parley.calls where id = 'a' and at is not null and held is null").Scan(&there)
	}
	second.Kill()
	before := storetest.Take(t, here, "a", "1") // which it never hears of
	must(t, before.Save(t.Context(), []byte("lost"), store.About{}))
	first.Kill()
	must(t, second.Start())
	must(t, second.Promote())
	there := open(t, second.URL("&target_session_attrs=read-write"), postgres.Options{Timeout: time.Minute})
	after := storetest.Take(t, there, "a", "1")
	wantErr(t, "save with a lease that was lost", before.Save(t.Context(), []byte("stale"), store.About{}), store.ErrTaken)
	wantErr(t, "done with a lease that was lost", before.Done(t.Context()), store.ErrTaken)
	must(t, after.Save(t.Context(), []byte("2"), store.About{}))
	must(t, after.Release(t.Context()))
	must(t, storetest.Take(t, there, "a", "2").Done(t.Context()))
}
