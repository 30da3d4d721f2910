package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Who clears away a call that died, and whoever had one that is done, may come to
// it when the id is in use once more: nothing of the new call is theirs.

// at calls do before a call of the system that a store makes, once.
func at(s *store.Files, op, suffix string, do func()) {
	over := false
	store.Before(s, func(is, path string) error {
		if !over && is == op && strings.HasSuffix(path, suffix) {
			over = true
			do()
		}
		return nil
	})
}

func TestStoreClearedLate(t *testing.T) {
	for _, op := range []string{"readdir", "lstat", "read", "remove"} {
		t.Run(op, func(t *testing.T) {
			s := newStore(t)
			short := &store.Files{Dir: s.Dir, Unsealed: true, Lease: time.Millisecond}
			_, err := short.Create(t.Context(), "a") // and dies
			must(t, err)
			time.Sleep(5 * time.Millisecond)
			late := &store.Files{Dir: s.Dir, Unsealed: true}
			var lease store.Lease
			suffix := ".lock"
			if op == "readdir" {
				suffix = "a.call"
			}
			at(late, op, suffix, func() {
				calls, err := list(t, s)
				if must(t, err); len(calls) != 0 {
					t.Errorf("listed %v", calls)
				}
				lease, err = s.Create(t.Context(), "a")
				must(t, err)
			})
			if _, err := list(t, late); err != nil || lease == nil {
				t.Fatalf("list: %v, with a lease %v", err, lease)
			}
			must(t, lease.Save(t.Context(), []byte("new"), store.About{Principal: "ann"}))
			must(t, lease.Release(t.Context()))
			if calls, err := list(t, s); err != nil || len(calls) != 1 {
				t.Errorf("listed %v, %v", calls, err)
			}
			must(t, take(t, s, "a", "new").Done(t.Context()))
			list(t, s)
			wantEmpty(t, s)
		})
	}
}

// Create enters a call before it makes its folder: a list between the two leaves
// the entry, so that what dies from there on is cleared away.
func TestStoreClearedEarly(t *testing.T) {
	s, day := newStore(t), &daytime{}
	store.SetDay(s, day.now)
	dies := errors.New("dies here")
	store.Before(s, func(op, path string) error {
		if op == "mkdir" && strings.HasSuffix(path, "a.call") {
			other := &store.Files{Dir: s.Dir, Unsealed: true}
			if calls, err := list(t, other); err != nil || len(calls) != 0 {
				t.Errorf("listed %v, %v", calls, err)
			}
		}
		if op == "remove" {
			return dies
		}
		return nil
	})
	_, err := s.Create(t.Context(), "a")
	must(t, err)
	store.Before(s, nil)
	entries, err := os.ReadDir(filepath.Join(s.Dir, ".index", "2", "new"))
	if err != nil || len(entries) != 1 {
		t.Errorf("entries of what was not saved: %v, %v", entries, err)
	}
	day.step(t, time.Hour)
	age(t, s, time.Hour)
	if calls, err := list(t, s); err != nil || len(calls) != 0 {
		t.Errorf("listed %v, %v", calls, err)
	}
}

// A holder that stands still in the middle of a Save, while the call is taken
// over and done and its id used again, and dies once its snapshot is there, does
// not bring it back.
func TestStoreSavedByTheDead(t *testing.T) {
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	for range 3 {
		must(t, take(t, s, "a", "1").Release(t.Context()))
	}
	late := &store.Files{Dir: s.Dir, Unsealed: true, Lease: time.Millisecond}
	lost := take(t, late, "a", "1")
	var lease store.Lease
	renamed := false
	store.Before(late, func(op, path string) error {
		switch {
		case renamed: // it is dead
			return syscall.EIO
		case op == "rename":
			renamed = true
		case op == "create" && strings.HasSuffix(path, ".tmp"):
			time.Sleep(5 * time.Millisecond)
			must(t, take(t, s, "a", "1").Done(t.Context()))
			var err error
			lease, err = s.Create(t.Context(), "a")
			must(t, err)
			must(t, lease.Save(t.Context(), []byte("new"), store.About{}))
		}
		return nil
	})
	if err := lost.Save(t.Context(), []byte("stale"), store.About{}); err == nil {
		t.Error("the late save succeeded")
	}
	if !renamed {
		t.Error("it wrote nothing")
	}
	must(t, lease.Renew(t.Context()))
	must(t, lease.Release(t.Context()))
	must(t, take(t, s, "a", "new").Done(t.Context()))
	list(t, s)
	wantEmpty(t, s)
}

// Folders of the index go while others make entries in them: what was there at one
// moment and not at the next is made again, and is neither an id in use nor
// somebody's call.
func TestStoreFoldersVanish(t *testing.T) {
	s := newStore(t)
	steps := map[string]func() error{}
	var lease store.Lease
	steps["create"] = func() (err error) { lease, err = s.Create(t.Context(), "a"); return err }
	steps["save"] = func() error { return lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"}) }
	for _, what := range []string{"create", "save"} {
		vanished := map[string]bool{}
		store.Before(s, func(op, path string) error {
			if op == "mkdir" && !vanished[path] {
				vanished[path] = true
				return syscall.EEXIST
			}
			return nil
		})
		must(t, steps[what]())
		store.Before(s, nil)
		if len(vanished) < 2 {
			t.Errorf("%s made %v alone", what, vanished)
		}
	}
	must(t, lease.Done(t.Context()))
}

// Many who make calls and end them, while others list and clear away, are in
// nobody's way.
func TestStoreBusy(t *testing.T) {
	s := newStore(t)
	var workers sync.WaitGroup
	for w := range 8 {
		workers.Go(func() {
			for i := range 25 {
				id := fmt.Sprint("w", w, "-", i%2)
				lease, err := s.Create(t.Context(), id)
				if err == nil {
					err = lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"})
				}
				if err == nil {
					err = lease.Release(t.Context())
				}
				if err == nil {
					_, err = list(t, s)
				}
				if err == nil {
					lease, _, err = s.Take(t.Context(), id)
				}
				if err == nil {
					err = lease.Done(t.Context())
				}
				if err != nil {
					t.Errorf("%s: %v", id, err)
					return
				}
			}
		})
	}
	workers.Wait()
	list(t, s)
	wantEmpty(t, s)
}
