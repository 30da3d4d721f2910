package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// files passes what every store does.
func TestFiles(t *testing.T) {
	storetest.Test(t, func(t testing.TB) storetest.Place {
		dir, day := filepath.Join(t.TempDir(), "calls"), &daytime{}
		overwrite := func(text string) func(t testing.TB, id string) {
			return func(t testing.TB, id string) {
				names, err := filepath.Glob(filepath.Join(dir, id+".call", "*.call"))
				if err != nil || len(names) != 1 {
					t.Fatalf("the files of %s: %v, %v", id, names, err)
				}
				if err := os.WriteFile(names[0], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				was := time.UnixMicro(1)
				if err := os.Chtimes(names[0], was, was); err != nil {
					t.Fatal(err)
				}
			}
		}
		return storetest.Place{
			Open: func(_ testing.TB, o storetest.Options) store.Store {
				s := &store.Files{Dir: dir, Lease: o.Lease, Keep: o.Keep, Poll: time.Millisecond, Box: o.Box, Unsealed: o.Unsealed}
				store.SetDay(s, day.now)
				return s
			},
			Sealed: true, Damage: overwrite("garbage\x00"), Relayout: overwrite("parley-call/2 whatever"), Step: day.step,
		}
	})
}

func TestMemory(t *testing.T) {
	storetest.Test(t, func(testing.TB) storetest.Place {
		var m store.Memory
		day := &daytime{}
		store.SetDay(&m, day.now)
		return storetest.Place{Step: day.step, Open: func(_ testing.TB, o storetest.Options) store.Store {
			m.Lease, m.Keep = o.Lease, o.Keep
			return &m
		}}
	})
}

// daytime is a time of day that can be set.
type daytime struct{ ahead atomic.Int64 }

func (d *daytime) now() time.Time                      { return time.Now().Round(0).Add(time.Duration(d.ahead.Load())) }
func (d *daytime) step(_ testing.TB, by time.Duration) { d.ahead.Add(int64(by)) }

func newStore(t *testing.T) *store.Files {
	return &store.Files{Dir: filepath.Join(t.TempDir(), "calls"), Unsealed: true}
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
	return errors.Join(lease.Save(t.Context(), snapshot, store.About{}), lease.Release(t.Context()))
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

// files are the names of all files in the store, as folder/file.
func files(t *testing.T, s *store.Files) (names []string) {
	t.Helper()
	must(t, filepath.WalkDir(s.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == ".index" {
			return fs.SkipDir
		}
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
	if errors.Is(err, fs.ErrNotExist) { // it was never made
		return
	}
	must(t, err)
	if len(entries) != 1 || entries[0].Name() != ".index" {
		t.Errorf("left behind: %v", entries)
	}
	left, err := filepath.Glob(filepath.Join(s.Dir, ".index", "*", "*"))
	must(t, err)
	for _, name := range left {
		base := filepath.Base(name)
		in, err := os.ReadDir(name)
		if isNew := base == "new" && err == nil && len(in) == 0; !isNew && !strings.HasPrefix(base, "complete-") {
			t.Errorf("left behind in the index: %s, %v", base, in)
		}
	}
}

// fileOf is the only file of a kind that a call has.
func fileOf(t *testing.T, s *store.Files, id, kind string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(s.Dir, id+".call", "*."+kind))
	if err != nil || len(names) != 1 {
		t.Fatalf("the files of %s: %v, %v", id, names, err)
	}
	return names[0]
}

// write makes a file of a call without the store.
func write(t *testing.T, s *store.Files, id, name string, data []byte) string {
	t.Helper()
	folder := filepath.Join(s.Dir, id+".call")
	must(t, os.MkdirAll(folder, 0o700))
	must(t, os.WriteFile(filepath.Join(folder, name), data, 0o600))
	return filepath.Join(folder, name)
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

	forgetIndex(t, s) // as if an earlier version had kept them

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

// forgetIndex has the store make its index anew.
func forgetIndex(t *testing.T, s *store.Files) {
	t.Helper()
	marks, err := filepath.Glob(filepath.Join(s.Dir, ".index", "*", "complete-*"))
	if err != nil || len(marks) != 1 {
		t.Fatalf("marks of the index: %v, %v", marks, err)
	}
	must(t, os.Remove(marks[0]))
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
	on, err := os.ReadFile(fileOf(t, s, "a", "call"))
	if err != nil || !strings.HasSuffix(string(on), " - 0\n"+codec.ContextSnapshot+"a:SECRET") {
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
			go func() { saved <- lost.Save(t.Context(), []byte("stale"), store.About{}) }()
			<-sealing
			time.Sleep(5 * time.Millisecond)
			quick := take(t, s, "a", "1")
			switch end {
			case "saved":
				must(t, quick.Save(t.Context(), []byte("2"), store.About{}))
			case "done":
				must(t, quick.Done(t.Context()))
			}
			close(proceed)
			wantErr(t, "the slow save", <-saved, store.ErrTaken)
			switch end {
			case "held":
				must(t, quick.Save(t.Context(), []byte("2"), store.About{}))
				fallthrough
			case "saved":
				must(t, quick.Release(t.Context()))
				must(t, take(t, s, "a", "2").Done(t.Context()))
			}
			if calls, err := list(t, s); err != nil || len(calls) != 0 {
				t.Errorf("list: got %v, %v", calls, err)
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
