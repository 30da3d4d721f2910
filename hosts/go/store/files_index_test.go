package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A store that an earlier version kept, whose index had other folders and whose
// calls began at generation 1, is listed and gone on with.
func TestStoreFirstLayout(t *testing.T) {
	s := newStore(t)
	begun := time.UnixMicro(1_700_000_000_000_000)
	for i, id := range []string{"b", "a", "c"} {
		at := begun.Add(time.Duration(i) * time.Second)
		write(t, s, id, "1.call", fmt.Appendf(nil, "parley-call/1 %d - 0\n%s", at.UnixMicro(), id))
		given := time.Unix(946684800, 0)
		must(t, os.Chtimes(write(t, s, id, "1.lock", []byte("{}")), given, given))
		seconds := at.Unix()
		folder := filepath.Join(s.Dir, ".index", "all", fmt.Sprintf("%06d/%03d/%03d", seconds/1e6, seconds/1e3%1e3, seconds%1e3))
		must(t, os.MkdirAll(folder, 0o700))
		must(t, os.WriteFile(filepath.Join(folder, "000000."+id), nil, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(s.Dir, ".index", "complete-0123456789abcdef"), nil, 0o600))
	s.Keep = 100 * 365 * 24 * time.Hour
	lease := take(t, s, "c", "c") // before anybody listed
	must(t, lease.Save(t.Context(), []byte("c2"), store.About{}))
	must(t, lease.Release(t.Context()))
	calls, err := list(t, s)
	must(t, err)
	if len(calls) != 3 || calls[0].ID != "b" || calls[1].ID != "a" || calls[2].ID != "c" || !calls[0].Time.Equal(begun) {
		t.Errorf("listed %+v", calls)
	}
	if names, err := filepath.Glob(filepath.Join(s.Dir, ".index", "*")); err != nil || len(names) != 1 || filepath.Base(names[0]) != "2" {
		t.Errorf("of the index there is %v, %v", names, err)
	}
	for id, want := range map[string]string{"a": "a", "b": "b", "c": "c2"} {
		must(t, take(t, s, id, want).Done(t.Context()))
	}
	wantEmpty(t, s)
}

// A page of a list, and a step of a call, make no more calls of the system where
// there are many calls, and read no more names. CALLS is how many there are.
func TestStoreCost(t *testing.T) {
	many := 10_000
	if text := os.Getenv("CALLS"); text != "" {
		var err error
		many, err = strconv.Atoi(text)
		must(t, err)
	}
	few, more := measureCost(t, 1000), measureCost(t, many)
	t.Logf("calls of the system, and names read: %v", more)
	for what, cost := range more {
		if before := few[what]; cost.calls > before.calls || cost.calls == 0 {
			t.Errorf("%s: %d calls of the system at 1000 calls, %d at %d", what, before.calls, cost.calls, many)
		}
		// A page begins in a folder of each level, which has 100 at most.
		if before := few[what]; cost.names > before.names && (what != "page" || cost.names > before.names+100) {
			t.Errorf("%s: %d names read at 1000 calls, %d at %d", what, before.names, cost.names, many)
		}
	}
}

type cost struct{ calls, names int }

// measureCost has so many calls in a store, a hundred a second of them, and counts
// what steps cost.
func measureCost(t *testing.T, calls int) map[string]cost {
	s, day := newStore(t), &daytime{}
	store.SetDay(s, day.now)
	begun := time.Now().Add(-time.Hour).Truncate(100_000 * time.Second / 100)
	must(t, os.Mkdir(s.Dir, 0o700))
	for i := range calls {
		at := begun.Add(time.Duration(i) * 10 * time.Millisecond).UnixMicro()
		write(t, s, fmt.Sprint("call", i), "1.call", fmt.Appendf(nil, "parley-call/1 %d - 0\n1", at))
	}
	if calls, err := list(t, &store.Files{Dir: s.Dir, Unsealed: true}); err != nil || len(calls) == 0 {
		t.Fatalf("listed %d calls, %v", len(calls), err)
	}
	var sum cost
	store.Before(s, func(op, path string) error {
		sum.calls++
		if op == "readdir" {
			names, err := os.ReadDir(path)
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			sum.names += len(names)
		}
		return nil
	})
	costs := map[string]cost{}
	var lease store.Lease
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"create", func() (err error) { lease, err = s.Create(t.Context(), "measured"); return err }},
		{"save", func() error { return lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"}) }},
		{"renew", func() error { return lease.Renew(t.Context()) }},
		{"release", func() error { return lease.Release(t.Context()) }},
		{"take", func() (err error) { lease, _, err = s.Take(t.Context(), "measured"); return err }},
		{"done", func() error { return lease.Done(t.Context()) }},
		{"page", func() (err error) {
			for _, err = range s.List(t.Context(), store.Query{Limit: 10}) {
			}
			return err
		}},
	} {
		sum = cost{}
		must(t, step.do())
		costs[step.what] = sum
	}
	return costs
}
