package storetest

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// newBox has a new key, in a file.
func newBox(t testing.TB) *seal.KeyFileBox {
	box := &seal.KeyFileBox{Name: filepath.Join(t.TempDir(), "key"), Create: true}
	if _, err := box.SealBytes(nil, nil); err != nil {
		t.Fatal(err)
	}
	return box
}

// Without a box nothing is done, unless that is what is wanted.
func noBox(u *suite) {
	u.put("a", "1", store.About{})
	for what, err := range u.all(u.place.Open(u, Options{}), u.Context(), "a") {
		u.want(what, err, store.ErrNoBox)
	}
	open := u.open(Options{Unsealed: true})
	lease, err := open.Create(u.Context(), "open")
	u.must(err)
	u.must(lease.Save(u.Context(), []byte("{}"), store.About{Principal: "ann", Label: "x"}))
	u.must(lease.Release(u.Context()))
	if calls := u.list(open, store.Query{Principal: "ann"}); len(calls) != 1 || calls[0].About.Label != "x" {
		u.Errorf("listed: %v", calls)
	}
	u.must(u.take(open, "open", "{}").Done(u.Context()))
	u.must(u.take(u.s, "a", "1").Done(u.Context()))
}

// Who has another key sees that there are calls, and neither opens nor harms one.
func anothersKey(u *suite) {
	u.put("a", "1", store.About{Principal: "ann", Label: "secret"})
	other := u.open(Options{Box: newBox(u)})
	_, _, err := other.Take(u.Context(), "a")
	u.want("take", err, refusal.UnknownKey)
	calls := u.list(other, store.Query{})
	if len(calls) != 1 || calls[0].ID != "a" || calls[0].Taken || calls[0].About.Label != "" || !errors.Is(calls[0].Problem, refusal.UnknownKey) {
		u.Errorf("listed: %+v", calls)
	}
	u.wantIDs("by principal", u.list(other, store.Query{Principal: "ann"}))
	u.must(u.take(u.s, "a", "1").Release(u.Context()))
	u.must(other.Delete(u.Context(), "a"))
}

// After a rotation, calls are found that were saved under either key.
func rotated(u *suite) {
	u.put("before", "1", store.About{Principal: "ann", Label: "x"})
	u.put("again", "1", store.About{Principal: "ann", Label: "x"})
	u.must(seal.UpdateKeyFile(u.box.(*seal.KeyFileBox).Name, func(text []byte) ([]byte, error) {
		text, id, err := seal.AcceptKey(text, codec.SuiteXChaCha)
		if err != nil {
			return nil, err
		}
		return seal.ActivateKey(text, id)
	}))
	u.put("after", "1", store.About{Principal: "ann", Label: "x"})
	u.put("again", "2", store.About{Principal: "ann", Label: "x"})
	u.wantIDs("ann's", u.list(u.s, store.Query{Principal: "ann"}), "before", "after", "again")
	u.wantIDs("ann's newest", u.list(u.s, store.Query{Principal: "ann", Newest: true, Limit: 2}), "again", "after")
	u.must(u.take(u.s, "before", "1").Done(u.Context()))
	u.must(store.DeleteOf(u.Context(), u.s, "ann"))
	u.wantIDs("everybody's", u.list(u.s, store.Query{}))
}

// A call that holds garbage is listed and can be discarded; others are as before.
func garbage(u *suite) {
	u.put("good", "1", store.About{})
	u.put("bad", "1", store.About{})
	u.place.Damage(u, "bad")
	for range 2 { // it is not left taken
		_, _, err := u.s.Take(u.Context(), "bad")
		if err == nil || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrTaken) {
			u.Errorf("take: got %v", err)
		}
	}
	if calls := u.list(u.s, store.Query{}); len(calls) != 2 {
		u.Errorf("listed: %+v", calls)
	}
	u.must(u.take(u.s, "good", "1").Done(u.Context()))
	u.must(u.s.Delete(u.Context(), "bad"))
}

// A call of another version's layout is left as it is.
func anotherLayout(u *suite) {
	u.put("good", "1", store.About{})
	u.put("later", "1", store.About{})
	u.place.Relayout(u, "later")
	_, _, err := u.s.Take(u.Context(), "later")
	u.want("take", err, store.ErrLayout)
	u.must(u.take(u.s, "good", "1").Done(u.Context()))
	calls := u.list(u.s, store.Query{})
	if len(calls) != 1 || calls[0].ID != "later" || calls[0].Taken || !errors.Is(calls[0].Problem, store.ErrLayout) {
		u.Errorf("listed: %+v", calls)
	}
}

// What was saved before there was a box is refused, until it is wanted.
func unsealedBefore(u *suite) {
	lease, err := u.open(Options{Unsealed: true}).Create(u.Context(), "old")
	u.must(err)
	u.must(lease.Save(u.Context(), []byte(`{"old":true}`), store.About{Label: "x"}))
	u.must(lease.Release(u.Context()))
	_, _, err = u.s.Take(u.Context(), "old")
	u.want("take", err, store.ErrUnsealed)
	lease = u.take(u.open(Options{Box: u.box, Unsealed: true}), "old", `{"old":true}`)
	u.must(lease.Save(u.Context(), []byte(`{"old":false}`), store.About{Label: "x"}))
	u.must(lease.Release(u.Context()))
	u.must(u.take(u.s, "old", `{"old":false}`).Done(u.Context()))
}
