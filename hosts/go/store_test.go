package parley_test

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

	parley "github.com/parley-mcp/parley/hosts/go"
)

func newStore(t *testing.T) *parley.FileStore {
	return &parley.FileStore{Dir: filepath.Join(t.TempDir(), "calls")}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func take(t *testing.T, s *parley.FileStore, id, want string) *parley.Lease {
	t.Helper()
	lease, snapshot, err := s.Take(id)
	if err != nil || string(snapshot) != want {
		t.Fatalf("take %s: got %q, %v; want %q", id, snapshot, err, want)
	}
	return lease
}

func TestStore(t *testing.T) {
	s := newStore(t)
	if calls, err := s.List(); err != nil || len(calls) != 0 {
		t.Errorf("a store that is not there yet: got %v, %v", calls, err)
	}
	_, _, err := s.Take("a")
	wantErr(t, "take of nothing", err, parley.ErrNotFound)
	wantErr(t, "delete of nothing", s.Delete("a"), parley.ErrNotFound)

	must(t, s.Put("b", []byte("1")))
	time.Sleep(5 * time.Millisecond)
	must(t, s.Put("a", []byte("1")))
	calls, err := s.List()
	if err != nil || len(calls) != 2 || calls[0].ID != "b" || calls[1].ID != "a" || calls[0].Taken || !calls[0].Time.Before(calls[1].Time) {
		t.Fatalf("list: got %v, %v", calls, err)
	}
	must(t, s.Put("b", []byte("2")))
	lease := take(t, s, "b", "2")
	if calls, _ := s.List(); calls[0].ID != "a" || !calls[1].Taken {
		t.Errorf("list: got %v", calls)
	}
	_, _, err = s.Take("b")
	wantErr(t, "second take", err, parley.ErrTaken)
	wantErr(t, "put", s.Put("b", nil), parley.ErrTaken)
	wantErr(t, "delete", s.Delete("b"), parley.ErrTaken)
	_, err = s.Create("b")
	wantErr(t, "create", err, parley.ErrTaken)
	_, err = s.Create("a")
	wantErr(t, "create of what is there", err, fs.ErrExist)

	must(t, lease.Save([]byte("3")))
	must(t, lease.Save([]byte("4")))
	must(t, lease.Renew())
	must(t, lease.Release())
	wantErr(t, "save after release", lease.Save([]byte("5")), parley.ErrTaken)
	wantErr(t, "second release", lease.Release(), parley.ErrTaken)
	for range 3 {
		must(t, take(t, s, "b", "4").Release())
	}
	if names := files(t, s); len(names) != 4 { // for each call a snapshot and a lock
		t.Errorf("files pile up: %v", names)
	}
	must(t, take(t, s, "b", "4").Done())
	must(t, s.Delete("a"))
	if names := files(t, s); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func files(t *testing.T, s *parley.FileStore) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(s.Dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestStoreCreate(t *testing.T) {
	s := newStore(t)
	lease, err := s.Create("new")
	must(t, err)
	_, err = s.Create("new")
	wantErr(t, "second create", err, parley.ErrTaken)
	_, _, err = s.Take("new")
	wantErr(t, "take before the first save", err, parley.ErrTaken)
	if calls, _ := s.List(); len(calls) != 0 {
		t.Errorf("listed before the first save: %v", calls)
	}
	must(t, lease.Save([]byte("1")))
	if calls, _ := s.List(); len(calls) != 1 || !calls[0].Taken {
		t.Errorf("list: got %v", calls)
	}
	must(t, lease.Done())
	wantErr(t, "save after done", lease.Save([]byte("2")), parley.ErrTaken)

	lease, err = s.Create("empty")
	must(t, err)
	must(t, lease.Release())
	if names := files(t, s); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestStoreIDs(t *testing.T) {
	s := newStore(t)
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, "a.b", "a\x00", "ä", " ", strings.Repeat("a", 65)} {
		lease, err := s.Create(id)
		_, _, errTake := s.Take(id)
		if lease != nil || err == nil || errTake == nil || s.Put(id, nil) == nil || s.Delete(id) == nil {
			t.Errorf("id %q was accepted", id)
		}
	}
	if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an id that is none made the directory")
	}
	must(t, s.Put("A_b-9", nil))
	must(t, s.Put(strings.Repeat("a", 64), nil))
	seen := map[string]bool{}
	for range 100 {
		id := parley.NewID()
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
	must(t, s.Put("a", []byte("secret")))
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
	must(t, s.Put("good", []byte("1")))
	foreign := []string{"readme.txt", "x.call", "x.0.call", "x.01.call", "x.-1.call", "x.1.2.call", ".1.call", "x.1.other", "x.99999999999999999999.call"}
	for _, name := range foreign {
		must(t, os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600))
	}
	must(t, os.Mkdir(filepath.Join(s.Dir, "dir.1.call"), 0o700))
	if err := os.Symlink("readme.txt", filepath.Join(s.Dir, "link.1.call")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	must(t, os.WriteFile(filepath.Join(s.Dir, "damaged.1.call"), []byte("{"), 0o600))
	must(t, os.WriteFile(filepath.Join(s.Dir, "badlock.1.call"), []byte("2"), 0o600))
	must(t, os.WriteFile(filepath.Join(s.Dir, "badlock.1.lock"), []byte("{"), 0o600))
	long := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(filepath.Join(s.Dir, "badlock.1.lock"), long, long))

	calls, err := s.List()
	must(t, err)
	got := map[string]bool{}
	for _, c := range calls {
		got[c.ID] = true
	}
	if len(calls) != 3 || !got["good"] || !got["damaged"] || !got["badlock"] {
		t.Errorf("list: got %v", calls)
	}
	must(t, take(t, s, "badlock", "2").Done())
	must(t, s.Delete("damaged"))
	must(t, s.Delete("good"))
	if names := files(t, s); len(names) < len(foreign)+1 || len(names) > len(foreign)+2 {
		t.Errorf("of the foreign files there are left %v", names)
	}
}

func TestStoreSeals(t *testing.T) {
	s := newStore(t)
	s.Seal = func(id string, data []byte) ([]byte, error) {
		return []byte(id + ":" + strings.ToUpper(string(data))), nil
	}
	s.Open = func(id string, data []byte) ([]byte, error) {
		rest, ok := bytes.CutPrefix(data, []byte(id+":"))
		if !ok {
			return nil, errors.New("not sealed for this call")
		}
		return bytes.ToLower(rest), nil
	}
	must(t, s.Put("a", []byte("secret")))
	on, err := os.ReadFile(filepath.Join(s.Dir, "a.1.call"))
	if err != nil || string(on) != "a:SECRET" {
		t.Errorf("on disk: got %s, %v", on, err)
	}
	must(t, take(t, s, "a", "secret").Release())

	must(t, os.WriteFile(filepath.Join(s.Dir, "b.1.call"), on, 0o600))
	if _, _, err := s.Take("b"); err == nil || !strings.Contains(err.Error(), "not sealed for this call") {
		t.Errorf("another call's file: got %v", err)
	}
	must(t, s.Delete("b")) // it was not left taken

	errKey := errors.New("no key")
	s.Seal = func(string, []byte) ([]byte, error) { return nil, errKey }
	wantErr(t, "put without a key", s.Put("a", []byte("new")), errKey)
	must(t, take(t, s, "a", "secret").Release())
	wantErr(t, "put of a new call without a key", s.Put("c", []byte("new")), errKey)
	if names := files(t, s); len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

// A lease that is not renewed may be taken over; who held it learns of it and
// destroys nothing.
func TestStoreLeaseExpires(t *testing.T) {
	s := newStore(t)
	s.Lease = 30 * time.Minute
	must(t, s.Put("a", []byte("1")))
	slow := take(t, s, "a", "1")
	must(t, slow.Save([]byte("2")))
	age(t, s, 40*time.Minute)
	must(t, slow.Renew()) // nobody took it: late is soon enough
	age(t, s, 10*time.Minute)
	_, _, err := s.Take("a")
	wantErr(t, "take of a renewed lease", err, parley.ErrTaken)
	age(t, s, 40*time.Minute)
	if calls, _ := s.List(); len(calls) != 1 || calls[0].Taken {
		t.Errorf("list after expiry: got %v", calls)
	}
	quick := take(t, s, "a", "2")
	for name, do := range map[string]func() error{
		"save": func() error { return slow.Save([]byte("stale")) }, "renew": slow.Renew, "done": slow.Done, "release": slow.Release,
	} {
		wantErr(t, name+" of a lost lease", do(), parley.ErrTaken)
	}
	must(t, quick.Save([]byte("3")))
	wantErr(t, "save of a lost lease", slow.Save([]byte("stale")), parley.ErrTaken)
	must(t, quick.Release())
	must(t, take(t, s, "a", "3").Done())
	wantErr(t, "save of a call that is done", slow.Save([]byte("stale")), parley.ErrTaken)
	must(t, s.Put("a", []byte("another")))
	wantErr(t, "save of another call with the same id", slow.Save([]byte("stale")), parley.ErrTaken)
	must(t, take(t, s, "a", "another").Done())
	if names := files(t, s); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// A Save that is overtaken while it writes fails, and brings nothing back.
func TestStoreSaveOvertaken(t *testing.T) {
	for _, end := range []string{"held", "saved", "done"} {
		t.Run(end, func(t *testing.T) {
			s := newStore(t)
			must(t, s.Put("a", []byte("1")))
			sealing, proceed := make(chan struct{}), make(chan struct{})
			slow := *s
			slow.Lease = time.Millisecond
			slow.Seal = func(_ string, data []byte) ([]byte, error) {
				close(sealing)
				<-proceed
				return data, nil
			}
			lost := take(t, &slow, "a", "1")
			saved := make(chan error)
			go func() { saved <- lost.Save([]byte("stale")) }()
			<-sealing
			time.Sleep(5 * time.Millisecond)
			quick := take(t, s, "a", "1")
			switch end {
			case "saved":
				must(t, quick.Save([]byte("2")))
			case "done":
				must(t, quick.Done())
			}
			close(proceed)
			wantErr(t, "the slow save", <-saved, parley.ErrTaken)
			switch end {
			case "held":
				must(t, quick.Save([]byte("2")))
				fallthrough
			case "saved":
				must(t, quick.Release())
				must(t, take(t, s, "a", "2").Done())
			}
			if names := files(t, s); len(names) != 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

// age makes every lock of a store older.
func age(t *testing.T, s *parley.FileStore, by time.Duration) {
	t.Helper()
	for _, name := range files(t, s) {
		if strings.HasSuffix(name, ".lock") {
			then := time.Now().Add(-by)
			must(t, os.Chtimes(filepath.Join(s.Dir, name), then, then))
		}
	}
}

func TestStoreKeep(t *testing.T) {
	s := newStore(t)
	s.Lease = 60 * time.Millisecond
	must(t, s.Put("a", []byte("1")))
	lease := take(t, s, "a", "1")
	ctx, cancel := context.WithCancel(context.Background())
	kept := make(chan error, 1)
	go func() { kept <- lease.Keep(ctx) }()
	for range 2 {
		age(t, s, time.Hour)
		for calls, _ := s.List(); !calls[0].Taken; calls, _ = s.List() {
			time.Sleep(time.Millisecond)
		}
	}
	cancel()
	must(t, <-kept)
	must(t, lease.Renew())
	go func() { kept <- lease.Keep(context.Background()) }()
	must(t, lease.Done())
	must(t, <-kept)

	must(t, s.Put("b", []byte("1")))
	lease = take(t, s, "b", "1")
	age(t, s, time.Hour)
	take(t, s, "b", "1")
	wantErr(t, "keep of a lost lease", lease.Keep(context.Background()), parley.ErrTaken)
}

// Takers that come and go as fast as they can never hold a call together, lose
// no snapshot and see no half of one.
func TestStoreChurn(t *testing.T) {
	s := newStore(t)
	s.Lease = time.Hour // nobody is so slow as to lose one
	big := bytes.Repeat([]byte("x"), 64<<10)
	must(t, s.Put("a", append(big, "0"...)))
	var wg sync.WaitGroup
	var mu sync.Mutex
	const most = 100
	count := 0
	var over atomic.Bool
	for range 4 {
		wg.Go(func() {
			defer over.Store(true) // one that fails ends it, too
			for !over.Load() {
				lease, snapshot, err := s.Take("a")
				if errors.Is(err, parley.ErrTaken) {
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
				err = lease.Save(fmt.Append(bytes.Clone(big), count))
				mu.Unlock()
				if err := errors.Join(err, lease.Release()); err != nil {
					t.Error(err)
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
	must(t, s.Delete("a"))
}
