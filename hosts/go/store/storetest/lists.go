package storetest

import (
	"fmt"
	"reflect"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// What is said about a call is listed without taking it, and stays until something
// else is said.
func about(u *suite) {
	first := store.About{
		Principal: "ann", Peer: "https://example.com/mcp", Label: "the desk", Method: "tools/call", Name: "x", Title: "An \"x\"", Questions: 2,
		Titles: []string{"Who?", "\x00\"ä"}, Task: "working", InDoubt: true, Over: true,
	}
	second := store.About{Principal: "bob", Label: "another"}
	lease, err := u.s.Create(u.Context(), "a")
	u.must(err)
	said := func(what string, want store.About) {
		u.Helper()
		calls := u.list(u.open(Options{}), store.Query{})
		if len(calls) != 1 || calls[0].Problem != nil || !reflect.DeepEqual(calls[0].About, want) {
			u.Errorf("%s: got %+v, want %+v", what, calls, want)
		}
	}
	u.must(lease.Save(u.Context(), []byte("1"), store.About{}))
	said("nothing said", store.About{})
	u.must(lease.Save(u.Context(), []byte("2"), first))
	said("said", first)
	u.must(lease.Save(u.Context(), []byte("3"), store.About{}))
	said("nothing said since", first)
	u.must(lease.Release(u.Context()))
	lease = u.take(u.s, "a", "3")
	u.must(lease.Save(u.Context(), []byte("4"), store.About{}))
	said("nothing said by the next", first)
	u.wantIDs("ann's", u.list(u.s, store.Query{Principal: "ann"}), "a")
	u.must(lease.Save(u.Context(), []byte("5"), second))
	said("said anew", second)
	u.wantIDs("ann's", u.list(u.s, store.Query{Principal: "ann"}))
	u.wantIDs("bob's", u.list(u.s, store.Query{Principal: "bob"}), "a")
	if err := lease.Save(u.Context(), []byte("6"), store.About{Label: string(make([]byte, store.MaxAbout))}); err == nil {
		u.Error("what is too long was saved")
	}
	said("said too much", second)
	u.must(lease.Release(u.Context()))
	u.must(u.take(u.s, "a", "5").Done(u.Context()))
	u.wantIDs("bob's", u.list(u.s, store.Query{Principal: "bob"}))
}

// Lists are in the order of the last saves.
func order(u *suite) {
	for _, id := range []string{"b", "ab1", "c", "ab2"} {
		u.put(id, "1", store.About{})
	}
	u.put("b", "2", store.About{})
	calls := u.list(u.s, store.Query{})
	u.wantIDs("oldest first", calls, "ab1", "c", "ab2", "b")
	for i := 1; i < len(calls); i++ {
		if !calls[i-1].Time.Before(calls[i].Time) {
			u.Errorf("%v comes before %v", calls[i-1].Time, calls[i].Time)
		}
	}
	u.wantIDs("newest first", u.list(u.s, store.Query{Newest: true}), "b", "ab2", "c", "ab1")
	u.wantIDs("by prefix", u.list(u.s, store.Query{Prefix: "ab"}), "ab1", "ab2")
	u.wantIDs("by prefix, one", u.list(u.s, store.Query{Prefix: "ab", Limit: 1}), "ab1")
	for call, err := range u.s.List(u.Context(), store.Query{}) {
		u.must(err)
		u.wantIDs("the first", []store.Parked{call}, "ab1")
		break
	}
}

// Pages join without a gap, both ways.
func pages(u *suite) {
	const calls = 25
	var want []string
	for i := range calls {
		want = append(want, fmt.Sprint("call", i))
		u.put(want[i], "1", store.About{Principal: "ann"})
	}
	for _, q := range []store.Query{{Limit: 4}, {Limit: 25}, {Limit: 4, Newest: true}, {Limit: 1, Principal: "ann"}, {Limit: 7, Newest: true, Principal: "ann"}} {
		var all []store.Parked
		for {
			page := u.list(u.s, q)
			all = append(all, page...)
			if len(page) > q.Limit {
				u.Fatalf("%+v: a page of %d", q, len(page))
			}
			if len(page) < q.Limit || len(all) > calls {
				break
			}
			q.After = page[len(page)-1].Cursor()
		}
		expect := append([]string(nil), want...)
		for i := range expect {
			if q.Newest {
				expect[i] = want[calls-1-i]
			}
		}
		u.wantIDs(fmt.Sprintf("%+v", q), all, expect...)
	}
	for _, cursor := range []string{"x", "1", "-1.a", "1.", "1.a/b", "99999999999999999999.a"} {
		for _, err := range u.s.List(u.Context(), store.Query{After: cursor}) {
			if err == nil {
				u.Errorf("%q was taken for a cursor", cursor)
			}
			break
		}
	}
}

// A principal's calls are listed, and nobody else's.
func principals(u *suite) {
	names := []string{"ann", "Ann", "ann ", "ann\x00", "*", "", "ännchen/../ann"}
	for i, name := range names {
		u.put(fmt.Sprint("call", i), "1", store.About{Principal: name, Label: "x"})
	}
	for i, name := range names {
		if name != "" {
			u.wantIDs(fmt.Sprintf("those of %q", name), u.list(u.s, store.Query{Principal: name}), fmt.Sprint("call", i))
		}
	}
	u.wantIDs("a stranger's", u.list(u.s, store.Query{Principal: "bob"}))
	if n := len(u.list(u.s, store.Query{})); n != len(names) {
		u.Errorf("everybody's are %d, want %d", n, len(names))
	}
}
