package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A renewal that the system refuses for a moment, wherever, ends no lease: the
// next one succeeds.
func TestStoreRenewalFails(t *testing.T) {
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	lease := take(t, s, "a", "1")
	for at := 1; ; at++ {
		n := 0
		store.Before(s, func(string, string) error {
			if n++; n == at {
				return syscall.EMFILE
			}
			return nil
		})
		err := lease.Renew(t.Context())
		store.Before(s, nil)
		if err == nil {
			if at < 4 {
				t.Errorf("a renewal makes %d calls of the system", n)
			}
			break
		}
		wantErr(t, fmt.Sprint("call ", at, " refused"), err, syscall.EMFILE)
		must(t, lease.Renew(t.Context()))
	}
	must(t, lease.Save(t.Context(), []byte("2"), store.About{}))
	must(t, lease.Done(t.Context()))
}

// A taker that cannot read who has a call does not get it.
func TestStoreTakerCannotRead(t *testing.T) {
	s := newStore(t)
	s.Lease = time.Hour
	must(t, put(t, s, "a", []byte("1")))
	lease := take(t, s, "a", "1")
	age(t, s, time.Minute)
	other := &store.Files{Dir: s.Dir, Unsealed: true}
	store.Before(other, func(op, path string) error {
		if strings.HasSuffix(path, ".lock") && (op == "read" || op == "lstat") {
			return syscall.EMFILE
		}
		return nil
	})
	_, _, err := other.Take(t.Context(), "a")
	wantErr(t, "take", err, syscall.EMFILE)
	if calls, err := list(t, other); err != nil || len(calls) != 1 || !calls[0].Taken {
		t.Errorf("list: got %v, %v", calls, err)
	}
	must(t, lease.Save(t.Context(), []byte("2"), store.About{}))
}

// What fails to end can be ended after all.
func TestStoreEndFails(t *testing.T) {
	for name, end := range map[string]func(store.Lease) error{
		"done":    func(l store.Lease) error { return l.Done(t.Context()) },
		"release": func(l store.Lease) error { return l.Release(t.Context()) },
	} {
		for at, n := 1, 1; n >= at; at++ {
			s := newStore(t)
			n = 0
			must(t, put(t, s, "a", []byte("1")))
			lease := take(t, s, "a", "1")
			store.Before(s, func(string, string) error {
				if n++; n == at {
					return syscall.EIO
				}
				return nil
			})
			err := end(lease)
			store.Before(s, nil)
			if err != nil {
				must(t, end(lease))
			}
			if name == "release" {
				take(t, s, "a", "1")
			} else if names := files(t, s); len(names) != 0 {
				t.Errorf("left behind: %v", names)
			}
		}
	}
}

// Where the disk is full, what is there stays, and can be ended and discarded.
func TestStoreDiskFull(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"done", "kept", "discarded"} {
		must(t, put(t, s, id, []byte("1")))
	}
	done, kept := take(t, s, "done", "1"), take(t, s, "kept", "1")
	store.Before(s, func(op, _ string) error {
		if op == "create" || op == "write" {
			return syscall.ENOSPC
		}
		return nil
	})
	wantErr(t, "save", kept.Save(t.Context(), []byte("2"), store.About{}), syscall.ENOSPC)
	_, err := s.Create(t.Context(), "new")
	wantErr(t, "create", err, syscall.ENOSPC)
	_, _, err = s.Take(t.Context(), "discarded")
	wantErr(t, "take", err, syscall.ENOSPC)
	must(t, done.Done(t.Context()))
	must(t, kept.Release(t.Context()))
	must(t, s.Delete(t.Context(), "discarded"))
	store.Before(s, nil)
	must(t, take(t, s, "kept", "1").Done(t.Context()))
	wantEmpty(t, s)
}

// Neither does a file that is being written follow a link nor keep a
// stranger's mode: it is always a new one.
func TestStoreTemporaryNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	lease := take(t, s, "a", "1")
	victim := filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o644))
	temps := 0
	store.Before(s, func(op, path string) error {
		if op == "create" {
			temps++
			return os.Symlink(victim, path)
		}
		return nil
	})
	if err := lease.Save(t.Context(), []byte("secret"), store.About{}); err == nil || temps == 0 {
		t.Errorf("a save at a name that is a link: got %v", err)
	}
	store.Before(s, nil)
	must(t, lease.Save(t.Context(), []byte("secret"), store.About{}))
	if got, err := os.ReadFile(victim); string(got) != "mine" {
		t.Errorf("the link's target: got %q, %v", got, err)
	}
}

// What is done to one call touches the files of no other.
func TestStoreTouchesOneCall(t *testing.T) {
	s := newStore(t)
	for i := range 20 {
		must(t, put(t, s, fmt.Sprint("other", i), []byte("1")))
	}
	calls := 0
	store.Before(s, func(op, path string) error {
		calls++
		if strings.Contains(path, "other") || op == "readdir" && path == s.Dir {
			t.Errorf("%s %s", op, path)
		}
		return nil
	})
	must(t, put(t, s, "a", []byte("1")))
	must(t, put(t, s, "a", []byte("2")))
	must(t, take(t, s, "a", "2").Release(t.Context()))
	must(t, s.Delete(t.Context(), "a"))
	if calls == 0 {
		t.Error("nothing was counted")
	}
}

// A file that has a number which no call reaches is somebody else's, and one
// that has the next number is passed over.
func TestStoreForeignNumbers(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{"9223372036854775807.call", "9223372036854775807.lock", "9007199254740992.call"} {
		must(t, put(t, s, "a", []byte("1")))
		write(t, s, "a", name, nil)
		must(t, take(t, s, "a", "1").Done(t.Context()))
	}
	must(t, put(t, s, "b", []byte("1")))
	first, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(fileOf(t, s, "b", "call")), ".call"))
	must(t, err)
	must(t, os.Mkdir(filepath.Join(s.Dir, "b.call", fmt.Sprint(first+1, ".lock")), 0o700))
	must(t, take(t, s, "b", "1").Release(t.Context()))
	write(t, s, "c", "9007199254740991.call", nil)
	if _, _, err := s.Take(t.Context(), "c"); err == nil || !strings.Contains(err.Error(), "9007199254740991.call has a number") {
		t.Errorf("the last number: got %v", err)
	}
}

// A directory that others may write is refused, with what to do about it.
func TestStoreDirectoryOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are access lists here")
	}
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	refused := func(what, want string) {
		t.Helper()
		_, errCreate := s.Create(t.Context(), "b")
		_, _, errTake := s.Take(t.Context(), "a")
		_, errList := list(t, s)
		for _, err := range []error{errCreate, errTake, errList, s.Delete(t.Context(), "a")} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v", what, err)
			}
		}
	}
	for _, mode := range []os.FileMode{0o777, 0o720, 0o702, os.ModeSticky | 0o777} {
		must(t, os.Chmod(s.Dir, mode))
		refused(mode.String(), "run  chmod go-w "+s.Dir)
	}
	must(t, os.Chmod(s.Dir, 0o755))
	must(t, take(t, s, "a", "1").Release(t.Context()))
	if os.Geteuid() == 0 {
		must(t, os.Chown(s.Dir, 65534, -1))
		refused("another's", "belongs to another user")
		must(t, os.Chown(s.Dir, 0, -1))
	}
	if err := s.Delete(t.Context(), "a"); errors.Is(err, store.ErrNotFound) || err != nil {
		t.Error(err)
	}
}

// Whatever call of the system fails once, from the making of a store on: what was
// saved and not ended is there, and what was ended is not.
func TestStoreAnythingFailsOfANewOne(t *testing.T) {
	for _, cause := range []error{syscall.EIO, syscall.ENOSPC, syscall.EMFILE} {
		for _, discards := range []bool{false, true} {
			t.Run(fmt.Sprint(cause, " ", discards), func(t *testing.T) {
				t.Parallel()
				for at, reached := 1, true; reached; at++ {
					s, n := newStore(t), 0
					s.Lease = time.Millisecond
					reached = false
					store.Before(s, func(string, string) error {
						if n++; n == at {
							reached = true
							return cause
						}
						return nil
					})
					may := []string{"-"} // what there may be; "-" for nothing
					after := func(err error, is string) {
						if err == nil {
							may = nil
						}
						may = append(may, is)
					}
					if lease, err := s.Create(t.Context(), "a"); err == nil {
						after(lease.Save(t.Context(), []byte("1"), store.About{Principal: "ann"}), "1")
						lease.Renew(t.Context())
						after(lease.Save(t.Context(), []byte("2"), store.About{Principal: "bob"}), "2")
						if !discards {
							after(lease.Done(t.Context()), "-")
						} else if lease.Release(t.Context()) == nil {
							after(s.Delete(t.Context(), "a"), "-")
						}
					}
					store.Before(s, nil)
					time.Sleep(2 * time.Millisecond) // until leases are over
					calls, err := list(t, s)
					must(t, err)
					lease, snapshot, err := s.Take(t.Context(), "a")
					is := string(snapshot)
					if errors.Is(err, store.ErrNotFound) {
						is, err = "-", nil
					}
					if err != nil || !slices.Contains(may, is) || len(calls) == 0 != (is == "-") {
						t.Fatalf("%v at %d: listed %v, took %q, %v; want one of %q", cause, at, calls, is, err, may)
					}
					if lease != nil {
						must(t, lease.Done(t.Context()))
					}
					for _, principal := range []string{"", "ann", "bob"} { // which clears away what is left in the index
						for call, err := range s.List(t.Context(), store.Query{Principal: principal}) {
							t.Errorf("%v at %d: listed %v, %v", cause, at, call, err)
						}
					}
					wantEmpty(t, s)
				}
			})
		}
	}
}

// Whatever call of the system fails once, for whatever reason, in the life of a
// call: it is listed with the last snapshot that was saved, or the one whose Save
// failed, and can be taken on and ended.
func TestStoreAnythingFails(t *testing.T) {
	for _, cause := range []error{syscall.EIO, syscall.ENOSPC, syscall.EMFILE} {
		for at, reached := 1, true; reached; at++ {
			s, n := newStore(t), 0
			s.Lease = time.Millisecond
			must(t, put(t, s, "a", []byte("1")))
			reached = false
			store.Before(s, func(string, string) error {
				if n++; n == at {
					reached = true
					return cause
				}
				return nil
			})
			want := []string{"1"}
			if lease, _, err := s.Take(t.Context(), "a"); err == nil {
				want = []string{"1", "2"}
				if lease.Save(t.Context(), []byte("2"), store.About{Label: "x"}) == nil {
					want = []string{"2"}
				}
				for range s.List(t.Context(), store.Query{}) {
				}
				lease.Release(t.Context())
			}
			store.Before(s, nil)
			calls, err := list(t, s)
			if err != nil || len(calls) != 1 || calls[0].ID != "a" || calls[0].Problem != nil {
				t.Fatalf("%v at %d: listed %+v, %v", cause, at, calls, err)
			}
			for {
				lease, snapshot, err := s.Take(t.Context(), "a")
				if errors.Is(err, store.ErrTaken) { // until the lease is over
					time.Sleep(time.Millisecond)
					continue
				}
				if err != nil || !slices.Contains(want, string(snapshot)) {
					t.Fatalf("%v at %d: got %q, %v; want %q", cause, at, snapshot, err, want)
				}
				must(t, lease.Done(t.Context()))
				break
			}
			if calls, err := list(t, s); err != nil || len(calls) != 0 {
				t.Fatalf("%v at %d: listed %+v, %v", cause, at, calls, err)
			}
			wantEmpty(t, s)
		}
	}
}
