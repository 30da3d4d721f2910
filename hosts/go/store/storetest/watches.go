package storetest

import (
	"context"
	"errors"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A watch tells what is there, then what changes, until its context ends.
func watched(u *suite) {
	u.put("a", "1", store.About{Label: "first"})
	changes, stop := u.watch(store.Query{})
	changes.until(u, "what is there", func(c store.Change) bool { return c.ID == "a" && !c.Gone && c.About.Label == "first" })
	u.put("b", "1", store.About{Label: "new"})
	changes.until(u, "a new call", func(c store.Change) bool { return c.ID == "b" && !c.Gone && c.About.Label == "new" })
	u.put("a", "2", store.About{Label: "second"})
	changes.until(u, "one that was saved", func(c store.Change) bool { return c.ID == "a" && c.About.Label == "second" })
	u.must(u.take(u.s, "b", "1").Done(u.Context()))
	changes.until(u, "one that is done", func(c store.Change) bool { return c.ID == "b" && c.Gone })
	u.must(u.s.Delete(u.Context(), "a"))
	changes.until(u, "one that was discarded", func(c store.Change) bool { return c.ID == "a" && c.Gone })
	errOver := errors.New("over")
	stop(errOver)
	for change := range changes {
		if change.err != nil {
			u.want("the end", change.err, errOver)
		}
	}
}

// A watch of one principal's calls tells nobody else's.
func watchedByPrincipal(u *suite) {
	u.put("a", "1", store.About{Principal: "ann"})
	u.put("b", "1", store.About{Principal: "bob"})
	changes, stop := u.watch(store.Query{Principal: "ann"})
	defer stop(nil)
	anns := func(id string, gone bool) func(store.Change) bool {
		return func(c store.Change) bool {
			if c.ID == "b" || c.ID == "b2" {
				u.Errorf("told of %s", c.ID)
			}
			return c.ID == id && c.Gone == gone
		}
	}
	changes.until(u, "what is there", anns("a", false))
	u.put("b2", "1", store.About{Principal: "bob"})
	u.put("a2", "1", store.About{Principal: "ann"})
	changes.until(u, "a new call", anns("a2", false))
	u.must(u.s.Delete(u.Context(), "b"))
	u.must(u.s.Delete(u.Context(), "a"))
	changes.until(u, "one that was discarded", anns("a", true))
}

type change struct {
	store.Change
	err error
}

type changes <-chan change

// watch watches in the background.
func (u *suite) watch(q store.Query) (changes, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(u.Context())
	all := make(chan change)
	go func() {
		defer close(all)
		for c, err := range u.s.Watch(ctx, q) {
			select {
			case all <- change{c, err}:
			case <-u.Context().Done():
				return
			}
		}
	}()
	return all, cancel
}

// until waits for a change.
func (c changes) until(u *suite, what string, is func(store.Change) bool) {
	u.Helper()
	for one := range c {
		if one.err != nil {
			u.Fatalf("%s: %v", what, one.err)
		}
		if is(one.Change) {
			return
		}
	}
	u.Fatalf("%s was not told", what)
}
