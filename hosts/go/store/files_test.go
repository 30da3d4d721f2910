package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
)

func newStore(t *testing.T) *store.Files {
	return &store.Files{Dir: filepath.Join(t.TempDir(), "calls")}
}

// put keeps a snapshot as a new call or in place of the call's last one.
func put(t *testing.T, s *store.Files, id string, snapshot []byte) error {
	lease, err := s.Create(t.Context(), id)
	if errors.Is(err, fs.ErrExist) {
		lease, _, err = s.Take(t.Context(), id)
	}
	if err != nil {
		return err
	}
	return errors.Join(lease.Save(t.Context(), snapshot), lease.Release(t.Context()))
}

func list(t *testing.T, s *store.Files) (calls []store.Parked, err error) {
	for call, err := range s.List(t.Context(), store.Query{}) {
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
	}
	return calls, nil
}

func wantErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// box seals by a function.
type box struct {
	seal, open func(data []byte, context string) ([]byte, error)
}

func (b box) SealBytes(plaintext, context []byte) ([]byte, error) {
	return b.seal(plaintext, string(context))
}
func (b box) OpenBytes(data, context []byte) ([]byte, error) { return b.open(data, string(context)) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, s *store.Files, id, want string) store.Lease {
	t.Helper()
	lease, snapshot, err := s.Take(t.Context(), id)
	if err != nil || string(snapshot) != want {
		t.Fatalf("take %s: got %q, %v; want %q", id, snapshot, err, want)
	}
	return lease
}

func TestStore(t *testing.T) {
	s := newStore(t)
	if calls, err := list(t, s); err != nil || len(calls) != 0 {
		t.Errorf("a store that is not there yet: got %v, %v", calls, err)
	}
	_, _, err := s.Take(t.Context(), "a")
	wantErr(t, "take of nothing", err, store.ErrNotFound)
	wantErr(t, "delete of nothing", s.Delete(t.Context(), "a"), store.ErrNotFound)

	must(t, put(t, s, "b", []byte("1")))
	time.Sleep(5 * time.Millisecond)
	must(t, put(t, s, "a", []byte("1")))
	calls, err := list(t, s)
	if err != nil || len(calls) != 2 || calls[0].ID != "b" || calls[1].ID != "a" || calls[0].Taken || !calls[0].Time.Before(calls[1].Time) {
		t.Fatalf("list: got %v, %v", calls, err)
	}
	must(t, put(t, s, "b", []byte("2")))
	lease := take(t, s, "b", "2")
	if calls, _ := list(t, s); calls[0].ID != "a" || !calls[1].Taken {
		t.Errorf("list: got %v", calls)
	}
	_, _, err = s.Take(t.Context(), "b")
	wantErr(t, "second take", err, store.ErrTaken)
	wantErr(t, "put", put(t, s, "b", nil), store.ErrTaken)
	wantErr(t, "delete", s.Delete(t.Context(), "b"), store.ErrTaken)
	_, err = s.Create(t.Context(), "b")
	wantErr(t, "create", err, store.ErrTaken)
	_, err = s.Create(t.Context(), "a")
	wantErr(t, "create of what is there", err, fs.ErrExist)

	must(t, lease.Save(t.Context(), []byte("3")))
	must(t, lease.Save(t.Context(), []byte("4")))
	must(t, lease.Renew(t.Context()))
	must(t, lease.Release(t.Context()))
	wantErr(t, "save after release", lease.Save(t.Context(), []byte("5")), store.ErrTaken)
	wantErr(t, "second release", lease.Release(t.Context()), store.ErrTaken)
	for range 3 {
		must(t, take(t, s, "b", "4").Release(t.Context()))
	}
	if names := files(t, s); len(names) != 4 { // for each call a snapshot and a lock
		t.Errorf("files pile up: %v", names)
	}
	must(t, take(t, s, "b", "4").Done(t.Context()))
	must(t, s.Delete(t.Context(), "a"))
	wantEmpty(t, s)
}

// files are the names of all files in the store, as folder/file.
func files(t *testing.T, s *store.Files) (names []string) {
	t.Helper()
	must(t, filepath.WalkDir(s.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			path, err = filepath.Rel(s.Dir, path)
			names = append(names, path)
		}
		if errors.Is(err, fs.ErrNotExist) { // gone meanwhile
			err = nil
		}
		return err
	}))
	return names
}

// wantEmpty checks that nothing is left in the store, folders too.
func wantEmpty(t *testing.T, s *store.Files) {
	t.Helper()
	entries, err := os.ReadDir(s.Dir)
	must(t, err)
	if len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// write makes a file of a call without the store.
func write(t *testing.T, s *store.Files, id, name string, data []byte) string {
	t.Helper()
	folder := filepath.Join(s.Dir, id+".call")
	must(t, os.MkdirAll(folder, 0o700))
	must(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	return filepath.Join(folder, name)
}

// List goes through the calls that are asked for, as far as the loop wants.
func TestStoreQuery(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"ab1", "ab2", "b1"} {
		must(t, put(t, s, id, []byte("1")))
	}
	var got []string
	for call, err := range s.List(t.Context(), store.Query{Prefix: "ab"}) {
		must(t, err)
		got = append(got, call.ID)
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "ab") || !strings.HasPrefix(got[1], "ab") {
		t.Errorf("got %v", got)
	}
	for range s.List(t.Context(), store.Query{}) {
		break
	}
}

// A context that has ended keeps everything as it is.
func TestStoreContext(t *testing.T) {
	s := newStore(t)
	must(t, put(t, s, "a", []byte("1")))
	lease := take(t, s, "a", "1")
	errGone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errGone)
	_, err := s.Create(ctx, "b")
	wantErr(t, "create", err, errGone)
	_, _, err = s.Take(ctx, "a")
	wantErr(t, "take", err, errGone)
	wantErr(t, "delete", s.Delete(ctx, "a"), errGone)
	for _, err := range s.List(ctx, store.Query{}) {
		wantErr(t, "list", err, errGone)
	}
	wantErr(t, "save", lease.Save(ctx, []byte("2")), errGone)
	wantErr(t, "renew", lease.Renew(ctx), errGone)
	wantErr(t, "done", lease.Done(ctx), errGone)
	wantErr(t, "release", lease.Release(ctx), errGone)
	must(t, lease.Release(t.Context()))
	must(t, take(t, s, "a", "1").Done(t.Context()))
}

func TestStoreCreate(t *testing.T) {
	s := newStore(t)
	lease, err := s.Create(t.Context(), "new")
	must(t, err)
	_, err = s.Create(t.Context(), "new")
	wantErr(t, "second create", err, store.ErrTaken)
	_, _, err = s.Take(t.Context(), "new")
	wantErr(t, "take before the first save", err, store.ErrTaken)
	if calls, _ := list(t, s); len(calls) != 0 {
		t.Errorf("listed before the first save: %v", calls)
	}
	must(t, lease.Save(t.Context(), []byte("1")))
	if calls, _ := list(t, s); len(calls) != 1 || !calls[0].Taken {
		t.Errorf("list: got %v", calls)
	}
	must(t, lease.Done(t.Context()))
	wantErr(t, "save after done", lease.Save(t.Context(), []byte("2")), store.ErrTaken)

	lease, err = s.Create(t.Context(), "empty")
	must(t, err)
	must(t, lease.Release(t.Context()))
	wantEmpty(t, s)
}

func TestStoreIDs(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a.b", "a\x00", "ä", " ", strings.Repeat("a", 65)} {
		lease, err := s.Create(t.Context(), id)
		_, _, errTake := s.Take(t.Context(), id)
		if lease != nil || err == nil || errTake == nil || put(t, s, id, nil) == nil || s.Delete(t.Context(), id) == nil {
			t.Errorf("id %q was accepted", id)
		}
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an id that is none made the directory")
	}
	must(t, put(t, s, "A_b-9", nil))
	must(t, put(t, s, strings.Repeat("a", 64), nil))
	seen := map[string]bool{}
	for range 100 {
		id := store.NewID()
		if seen[id] || !regexp.MustCompile(`^[a-z0-9]{10,64}$`).MatchString(id) {
			t.Fatalf("new id %q", id)
		}
		seen[id] = true
	}
}

func TestStorePermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are access lists here")
	}
	s := newStore(t)
	must(t, put(t, s, "a", []byte("secret")))
	take(t, s, "a", "secret")
	info, err := os.Stat(s.Dir)
	must(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Errorf("directory: got %v", info.Mode())
	}
	for _, name := range files(t, s) {
		info, err := os.Stat(filepath.Join(s.Dir, name))
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %v", name, info.Mode())
		}
	}
}

// Whatever else is in the directory is neither listed nor touched; a snapshot
// that is damaged is listed, so that it can be discarded.
func TestStoreForeignFiles(t *testing.T) {
	s := newStore(t)
	must(t, put(t, s, "good", []byte("1")))
	foreign := []string{"readme.txt", "x.call", "0.call", "01.call", "-1.call", "1.2.call", ".call", "1.other", "1..tmp", "99999999999999999999.call"}
	for _, name := range foreign {
		must(t, os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600))
		write(t, s, "y", name, nil)
	}
	must(t, os.MkdirAll(filepath.Join(s.Dir, "dir.call", "1.call"), 0o700))
	must(t, os.MkdirAll(filepath.Join(s.Dir, "a b.call"), 0o700))
	if err := os.Symlink("good.call", filepath.Join(s.Dir, "link.call")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	write(t, s, "damaged", "1.call", []byte("{"))
	write(t, s, "badlock", "1.call", []byte("2"))
	long := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(write(t, s, "badlock", "1.lock", []byte("{")), long, long))

	calls, err := list(t, s)
	must(t, err)
	got := map[string]bool{}
	for _, c := range calls {
		got[c.ID] = true
	}
	if len(calls) != 3 || !got["good"] || !got["damaged"] || !got["badlock"] {
		t.Errorf("list: got %v", calls)
	}
	must(t, take(t, s, "badlock", "2").Done(t.Context()))
	must(t, s.Delete(t.Context(), "damaged"))
	must(t, s.Delete(t.Context(), "good"))
	must(t, put(t, s, "y", []byte("1"))) // among them
	must(t, put(t, s, "dir", []byte("1")))
	must(t, take(t, s, "y", "1").Done(t.Context()))
	must(t, take(t, s, "dir", "1").Done(t.Context()))
	for _, id := range []string{"x", "link"} {
		if err := put(t, s, id, []byte("1")); err == nil || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%s: got %v", id, err)
		}
	}
	if names := files(t, s); len(names) < 2*len(foreign) || len(names) > 2*len(foreign)+1 {
		t.Errorf("of the foreign files there are left %v", names)
	}
}

func TestStoreSeals(t *testing.T) {
	s := newStore(t)
	open := func(data []byte, context string) ([]byte, error) {
		rest, ok := bytes.CutPrefix(data, []byte(context+":"))
		if !ok {
			return nil, errors.New("not sealed for this call")
		}
		return bytes.ToLower(rest), nil
	}
	s.Box = box{func(data []byte, context string) ([]byte, error) {
		return []byte(context + ":" + strings.ToUpper(string(data))), nil
	}, open}
	must(t, put(t, s, "a", []byte("secret")))
	on, err := os.ReadFile(filepath.Join(s.Dir, "a.call", "1.call"))
	if err != nil || string(on) != codec.ContextSnapshot+"a:SECRET" {
		t.Errorf("on disk: got %s, %v", on, err)
	}
	must(t, take(t, s, "a", "secret").Release(t.Context()))

	write(t, s, "b", "1.call", on)
	if _, _, err := s.Take(t.Context(), "b"); err == nil || !strings.Contains(err.Error(), "not sealed for this call") {
		t.Errorf("another call's file: got %v", err)
	}
	must(t, s.Delete(t.Context(), "b")) // it was not left taken

	errKey := errors.New("no key")
	s.Box = box{func([]byte, string) ([]byte, error) { return nil, errKey }, open}
	wantErr(t, "put without a key", put(t, s, "a", []byte("new")), errKey)
	must(t, take(t, s, "a", "secret").Release(t.Context()))
	wantErr(t, "put of a new call without a key", put(t, s, "c", []byte("new")), errKey)
	if names := files(t, s); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

// A lease that is not renewed may be taken over; who held it learns of it and
// destroys nothing.
func TestStoreLeaseExpires(t *testing.T) {
	s := newStore(t)
	s.Lease = 30 * time.Minute
	must(t, put(t, s, "a", []byte("1")))
	slow := take(t, s, "a", "1")
	must(t, slow.Save(t.Context(), []byte("2")))
	age(t, s, 40*time.Minute)
	must(t, slow.Renew(t.Context())) // nobody took it: late is soon enough
	age(t, s, 10*time.Minute)
	_, _, err := s.Take(t.Context(), "a")
	wantErr(t, "take of a renewed lease", err, store.ErrTaken)
	age(t, s, 40*time.Minute)
	if calls, _ := list(t, s); len(calls) != 1 || calls[0].Taken {
		t.Errorf("list after expiry: got %v", calls)
	}
	quick := take(t, s, "a", "2")
	for name, do := range map[string]func(context.Context) error{
		"save": func(context.Context) error { return slow.Save(t.Context(), []byte("stale")) }, "renew": slow.Renew, "done": slow.Done, "release": slow.Release,
	} {
		wantErr(t, name+" of a lost lease", do(t.Context()), store.ErrTaken)
	}
	must(t, quick.Save(t.Context(), []byte("3")))
	wantErr(t, "save of a lost lease", slow.Save(t.Context(), []byte("stale")), store.ErrTaken)
	must(t, quick.Release(t.Context()))
	must(t, take(t, s, "a", "3").Done(t.Context()))
	wantErr(t, "save of a call that is done", slow.Save(t.Context(), []byte("stale")), store.ErrTaken)
	must(t, put(t, s, "a", []byte("another")))
	wantErr(t, "save of another call with the same id", slow.Save(t.Context(), []byte("stale")), store.ErrTaken)
	must(t, take(t, s, "a", "another").Done(t.Context()))
	wantEmpty(t, s)
}

// A Save that is overtaken while it writes fails, and brings nothing back.
func TestStoreSaveOvertaken(t *testing.T) {
	for _, end := range []string{"held", "saved", "done"} {
		t.Run(end, func(t *testing.T) {
			s := newStore(t)
			must(t, put(t, s, "a", []byte("1")))
			sealing, proceed := make(chan struct{}), make(chan struct{})
			slow := *s
			slow.Lease = time.Millisecond
			plain := func(data []byte, _ string) ([]byte, error) { return data, nil }
			slow.Box = box{func(data []byte, _ string) ([]byte, error) {
				close(sealing)
				<-proceed
				return data, nil
			}, plain}
			lost := take(t, &slow, "a", "1")
			saved := make(chan error)
			go func() { saved <- lost.Save(t.Context(), []byte("stale")) }()
			<-sealing
			time.Sleep(5 * time.Millisecond)
			quick := take(t, s, "a", "1")
			switch end {
			case "saved":
				must(t, quick.Save(t.Context(), []byte("2")))
			case "done":
				must(t, quick.Done(t.Context()))
			}
			close(proceed)
			wantErr(t, "the slow save", <-saved, store.ErrTaken)
			switch end {
			case "held":
				must(t, quick.Save(t.Context(), []byte("2")))
				fallthrough
			case "saved":
				must(t, quick.Release(t.Context()))
				must(t, take(t, s, "a", "2").Done(t.Context()))
			}
			wantEmpty(t, s)
		})
	}
}

// age makes every lock of a store older.
func age(t *testing.T, s *store.Files, by time.Duration) {
	t.Helper()
	for _, name := range files(t, s) {
		if strings.HasSuffix(name, ".lock") {
			then := time.Now().Add(-by)
			must(t, os.Chtimes(filepath.Join(s.Dir, name), then, then))
		}
	}
}

// Takers that come and go as fast as they can never hold a call together, lose
// no snapshot and see no half of one.
func TestStoreChurn(t *testing.T) {
	s := newStore(t)
	s.Lease = time.Hour // nobody is so slow as to lose one
	big := bytes.Repeat([]byte("x"), 64<<10)
	must(t, put(t, s, "a", append(big, "0"...)))
	var wg sync.WaitGroup
	var mu sync.Mutex
	const most = 100
	count := 0
	var over atomic.Bool
	for range 4 {
		wg.Go(func() {
			defer over.Store(true) // one that fails ends it, too
			for !over.Load() {
				lease, snapshot, err := s.Take(t.Context(), "a")
				if errors.Is(err, store.ErrTaken) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if !mu.TryLock() {
					t.Error("two hold the call")
					return
				}
				number, ok := bytes.CutPrefix(snapshot, big)
				if !ok || string(number) != fmt.Sprint(count) {
					t.Errorf("got %d bytes that end in %s, want %d", len(snapshot), number, count)
				}
				if count++; count == most {
					over.Store(true)
				}
				err = lease.Save(t.Context(), fmt.Append(bytes.Clone(big), count))
				mu.Unlock()
				if err := errors.Join(err, lease.Release(t.Context())); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	// Whoever reads the file itself never sees half of it either.
	for !over.Load() {
		for _, name := range files(t, s) {
			if !strings.HasSuffix(name, ".call") {
				continue
			}
			if data, err := os.ReadFile(filepath.Join(s.Dir, name)); err == nil && len(data) <= len(big) {
				t.Errorf("%s has %d bytes", name, len(data))
			}
		}
	}
	wg.Wait()
	if count < most {
		t.Errorf("the call was taken %d times, want %d", count, most)
	}
	must(t, s.Delete(t.Context(), "a"))
}
