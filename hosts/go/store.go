package parley

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrTaken says that somebody else has the call, or got it meanwhile.
var ErrTaken = errors.New("parley: somebody else has the call")

// ErrNotFound says that there is no such call.
var ErrNotFound = errors.New("parley: there is no such call")

// FileStore keeps parked calls as files of a directory, one call a snapshot,
// readable by their owner only (0600; a directory it makes, 0700). Processes
// may share the directory: who goes on with a call holds a [Lease] on it. An
// id is 1 to 64 of A-Z a-z 0-9 _ -; [NewID] makes one. Files that are not the
// store's are left alone. A FileStore is safe for concurrent use and keeps
// nothing open.
//
//	lease, snapshot, err := store.Take(id)
//	...
//	go lease.Keep(ctx) // people take longer than a lease lasts
//	cb.Save = func(_ context.Context, snapshot []byte) error { return lease.Save(snapshot) }
//	out, err := session.Resume(ctx, snapshot, parley.ResumeOptions{Expect: expect}, cb)
//
// then Lease.Done if it completed, or Lease.Save and Lease.Release with the
// snapshot of the [Outcome] or [Error].
type FileStore struct {
	Dir string

	// Lease is how long whoever has a call may go without renewing. Zero
	// means 30 s. A process that died on this machine is noticed at once,
	// where the system can tell.
	Lease time.Duration

	// Seal encrypts a snapshot on its way into a file and Open undoes it.
	// Binding the id into the seal keeps one call's file from being passed
	// off as another's. Nil leaves snapshots as they are: they hold secrets.
	Seal, Open func(id string, data []byte) ([]byte, error)
}

// Parked is a call in a store. Whether its snapshot can be used shows only
// when it is taken.
type Parked struct {
	ID    string
	Time  time.Time // of its last snapshot
	Taken bool      // somebody has it
}

const defaultLease = 30 * time.Second

// NewID returns a new random id of 26 characters, [a-z0-9].
func NewID() string { return strings.ToLower(rand.Text()) }

// List returns the calls, those with the oldest snapshot first.
func (s *FileStore) List() ([]Parked, error) {
	all, err := s.scan("")
	if err != nil {
		return nil, err
	}
	var parked []Parked
	for id, files := range all {
		for newest := files.newest(); newest != nil; newest = files.newest() {
			info, err := os.Stat(s.path(newest.name))
			if err == nil {
				parked = append(parked, Parked{ID: id, Time: info.ModTime(), Taken: s.held(files, nil)})
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("parley: listing calls: %w", err)
			}
			if files, err = s.scanCall(id); err != nil { // it was done or taken on by now
				return nil, err
			}
		}
	}
	slices.SortFunc(parked, func(a, b Parked) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
	return parked, nil
}

// Put keeps a snapshot as a new call or in place of the call's last one, all
// of it or nothing. It fails with [ErrTaken] while somebody has the call.
func (s *FileStore) Put(id string, snapshot []byte) error {
	lease, err := s.acquire(id, nil)
	if err != nil {
		return err
	}
	return errors.Join(lease.Save(snapshot), lease.Release())
}

// Create holds a new call before its first snapshot, so that nobody takes it
// while it runs; it is listed from its first Save on. It fails with
// [fs.ErrExist] where the id is in use.
func (s *FileStore) Create(id string) (*Lease, error) {
	s.sweep()
	return s.acquire(id, func(files callFiles) error {
		if files.newest() != nil {
			return fmt.Errorf("parley: creating call %s: %w", id, fs.ErrExist)
		}
		return nil
	})
}

// Take returns a call's snapshot and the right to go on with it, which nobody
// else has. It fails with [ErrTaken] or [ErrNotFound], and with what Open says.
func (s *FileStore) Take(id string) (*Lease, []byte, error) {
	lease, err := s.acquire(id, exists)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := lease.load()
	if err != nil {
		return nil, nil, errors.Join(err, lease.Release())
	}
	return lease, snapshot, nil
}

// Delete discards a call. It fails with [ErrTaken] while somebody has it, and
// with [ErrNotFound].
func (s *FileStore) Delete(id string) error {
	lease, err := s.acquire(id, exists)
	if err != nil {
		return err
	}
	return lease.Done()
}

func exists(files callFiles) error {
	if files.newest() == nil {
		return ErrNotFound
	}
	return nil
}

// sweep removes what calls left that died between Create and their first Save.
func (s *FileStore) sweep() {
	all, _ := s.scan("") // what is not swept now is swept another time
	for _, files := range all {
		if files.newest() == nil && !s.held(files, nil) {
			s.remove(files)
		}
	}
}

// callFile is one file of a call, named id.generation.kind. Each taker of a
// call has a generation of its own, one more than the last, and writes no
// other's files.
type callFile struct {
	name       string
	generation int
	kind       string
}

const (
	kindCall = "call" // a snapshot
	kindLock = "lock" // who has, or had, this generation
	kindTemp = "tmp"  // a snapshot being written
)

// callFiles are the files of one call, lowest generation first.
type callFiles []callFile

// newest is the file of the last snapshot, nil if there is none.
func (files callFiles) newest() *callFile {
	for i := len(files) - 1; i >= 0; i-- {
		if files[i].kind == kindCall {
			return &files[i]
		}
	}
	return nil
}

func (files callFiles) highest() int {
	if len(files) == 0 {
		return 0
	}
	return files[len(files)-1].generation
}

// locks are the lock files among them.
func (files callFiles) locks() (locks callFiles) {
	for _, file := range files {
		if file.kind == kindLock {
			locks = append(locks, file)
		}
	}
	return locks
}

func (files callFiles) below(generation int) callFiles {
	n, _ := slices.BinarySearchFunc(files, generation, func(f callFile, g int) int { return cmp.Compare(f.generation, g) })
	return files[:n]
}

// scan reads the names of one call's files, or of all where id is "".
func (s *FileStore) scan(id string) (map[string]callFiles, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("parley: reading the store: %w", err)
	}
	calls := map[string]callFiles{}
	for _, entry := range entries {
		of, file, ok := parseName(entry.Name())
		if ok && entry.Type().IsRegular() && (id == "" || of == id) {
			calls[of] = append(calls[of], file)
		}
	}
	for _, files := range calls {
		slices.SortFunc(files, func(a, b callFile) int { return cmp.Compare(a.generation, b.generation) })
	}
	return calls, nil
}

func (s *FileStore) scanCall(id string) (callFiles, error) {
	calls, err := s.scan(id)
	return calls[id], err
}

// remove removes files in their order: whatever stops it, the newest snapshot
// is the last to go.
func (s *FileStore) remove(files callFiles) error {
	for _, file := range files {
		if err := os.Remove(s.path(file.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("parley: removing a call: %w", err)
		}
	}
	return nil
}

func (s *FileStore) path(name string) string { return filepath.Join(s.Dir, name) }

func fileName(id string, generation int, kind string) string {
	return fmt.Sprintf("%s.%d.%s", id, generation, kind)
}

func parseName(name string) (id string, file callFile, ok bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || checkID(parts[0]) != nil {
		return "", callFile{}, false
	}
	generation, err := strconv.Atoi(parts[1])
	if err != nil || generation < 1 || name != fileName(parts[0], generation, parts[2]) {
		return "", callFile{}, false
	}
	kind := parts[2]
	return parts[0], callFile{name, generation, kind}, kind == kindCall || kind == kindLock || kind == kindTemp
}

func checkID(id string) error {
	ok := len(id) >= 1 && len(id) <= 64
	for _, c := range []byte(id) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	if !ok {
		return errors.New("parley: the id of a call is 1 to 64 of A-Z a-z 0-9 _ -")
	}
	return nil
}
