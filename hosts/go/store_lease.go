package parley

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// Lease is the right to go on with a call of a [FileStore], until Done,
// Release, or until somebody takes the call over because the lease was not
// renewed in time; every method then fails with [ErrTaken]. It is safe for
// concurrent use.
type Lease struct {
	store      *FileStore
	id         string
	generation int
	holder     holder

	mu    sync.Mutex
	ended bool
	over  chan struct{} // closed by Done and Release, for Keep
}

// holder is what a lock file says, as JSON. The file is written once; it is
// renewed by its time of modification, and given back by one long ago.
type holder struct {
	Token string        `json:"token"` // tells this lease from every other
	Place string        `json:"place"` // where PID means something
	PID   int           `json:"pid"`
	Lease time.Duration `json:"lease"` // in nanoseconds
}

// givenBack is 2000-01-01, which every file system can tell.
const givenBack = 946684800

// acquire takes the next generation of a call if nobody has the last one.
// Takers that race try to make the same file, which only one of them can. ok,
// if not nil, may object to what is there.
func (s *FileStore) acquire(id string, ok func(callFiles) error) (*Lease, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	files, err := s.scanCall(id)
	if err != nil {
		return nil, err
	}
	if s.held(files, nil) {
		return nil, ErrTaken
	}
	if ok != nil {
		if err := ok(files); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("parley: making the store: %w", err)
	}
	lease, err := s.lock(id, files.highest()+1)
	if err != nil {
		return nil, err
	}
	// The directory may have changed since it was read: others may have come
	// and gone.
	before := files
	files, err = s.scanCall(id)
	switch {
	case err != nil:
	case files.highest() != lease.generation || s.held(files, append(before, lease.file(kindLock))):
		err = ErrTaken
	case ok != nil:
		err = ok(files)
	}
	if err != nil {
		return nil, errors.Join(err, s.remove(callFiles{lease.file(kindLock)}))
	}
	for _, file := range files.below(lease.generation).locks() {
		if s.state(file) == ended {
			s.remove(callFiles{file}) // in vain does no harm
		}
	}
	return lease, nil
}

// lock makes the lock file of a generation.
func (s *FileStore) lock(id string, generation int) (*Lease, error) {
	l := &Lease{
		store: s, id: id, generation: generation, over: make(chan struct{}),
		holder: holder{Token: rand.Text(), Place: place(), PID: os.Getpid(), Lease: s.lease()},
	}
	text, err := json.Marshal(l.holder)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(l.path(kindLock), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, fmt.Errorf("parley: taking call %s: %w", id, err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(l.path(kindLock))
		return nil, fmt.Errorf("parley: taking call %s: %w", id, err)
	}
	return l, nil
}

// held reports whether anybody has the call, not counting some locks.
func (s *FileStore) held(files, but callFiles) bool {
	for _, file := range files.locks() {
		if !slices.Contains(but, file) && s.state(file) == held {
			return true
		}
	}
	return false
}

// lockState is what a lock file means.
type lockState uint8

const (
	held    lockState = iota
	expired           // its holder may be alive, and learns of it with the next Save
	ended             // given back, or its holder is dead
)

// state reads a lock. One that cannot be read may be being written, and gets
// its time.
func (s *FileStore) state(file callFile) lockState {
	h := holder{Lease: s.lease()}
	text, err := os.ReadFile(s.path(file.name))
	if err == nil && json.Unmarshal(text, &h) == nil && h.PID > 0 && h.Place == place() && !running(h.PID) {
		return ended
	}
	info, err := os.Stat(s.path(file.name))
	switch {
	case err != nil: // gone since
		return ended
	case info.ModTime().Unix() == givenBack:
		return ended
	case time.Since(info.ModTime()).Abs() > h.Lease: // a time far ahead was written before the clock was set back
		return expired
	}
	return held
}

func (s *FileStore) lease() time.Duration {
	if s.Lease <= 0 {
		return defaultLease
	}
	return s.Lease
}

// Save replaces the call's snapshot, all of it or nothing, and renews the
// lease. Where it fails with [ErrTaken], whoever has the call now keeps their
// own.
func (l *Lease) Save(snapshot []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.renew(); err != nil {
		return err
	}
	data := snapshot
	if l.store.Seal != nil {
		var err error
		if data, err = l.store.Seal(l.id, snapshot); err != nil {
			return fmt.Errorf("parley: sealing call %s: %w", l.id, err)
		}
	}
	failed := l.write(data)
	// Asked again after writing: whoever took the call since may have read the
	// snapshot before. Whoever takes it from here on reads this one.
	files, err := l.check()
	switch {
	case err != nil:
		// The lock file goes when somebody has saved a newer snapshot or is
		// done: nothing of this one may come back.
		if _, gone := os.Stat(l.path(kindLock)); errors.Is(gone, fs.ErrNotExist) {
			l.store.remove(callFiles{l.file(kindCall)})
		}
		return err
	case failed != nil:
		return fmt.Errorf("parley: saving call %s: %w", l.id, failed)
	}
	return l.store.remove(files.below(l.generation))
}

// write makes the snapshot's file: under another name first, so that no reader
// and no crash meets half of it.
func (l *Lease) write(data []byte) error {
	f, err := os.OpenFile(l.path(kindTemp), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(l.path(kindTemp), l.path(kindCall))
	}
	if err != nil {
		os.Remove(l.path(kindTemp))
		return err
	}
	return syncDir(l.store.Dir)
}

// load reads the call's last snapshot.
func (l *Lease) load() ([]byte, error) {
	files, err := l.store.scanCall(l.id)
	if err != nil {
		return nil, err
	}
	newest := files.newest()
	if newest == nil {
		return nil, ErrNotFound
	}
	data, err := os.ReadFile(l.store.path(newest.name))
	if err == nil && l.store.Open != nil {
		data, err = l.store.Open(l.id, data)
	}
	if err != nil {
		return nil, fmt.Errorf("parley: opening call %s: %w", l.id, err)
	}
	return data, nil
}

// Renew starts the lease over.
func (l *Lease) Renew() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.renew()
}

// Keep renews the lease in time until ctx or the lease ends, and then returns
// nil; it returns [ErrTaken] if the lease was lost. Run it in a goroutine while
// people are asked.
func (l *Lease) Keep(ctx context.Context) error {
	ticker := time.NewTicker(max(l.holder.Lease/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.over:
			return nil
		case <-ticker.C:
		}
		if err := l.Renew(); err != nil {
			select {
			case <-l.over:
				return nil
			default:
				return err
			}
		}
	}
}

// Done deletes the call.
func (l *Lease) Done() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.check(); err != nil {
		return err
	}
	// Whoever wants to take the call over must make the next generation's
	// file: while it is there, the call can be removed in peace.
	last, err := l.store.lock(l.id, l.generation+1)
	if err != nil {
		return err
	}
	l.end()
	files, err := l.store.scanCall(l.id)
	if err != nil {
		return err
	}
	// Locks first: a Save that comes too late sees by its own that it must
	// take back what it wrote.
	if err := l.store.remove(files.below(last.generation).locks()); err != nil {
		return err
	}
	if files, err = l.store.scanCall(l.id); err != nil {
		return err
	}
	return l.store.remove(append(files.below(last.generation), last.file(kindLock)))
}

// Release gives the call back with its snapshot; one that never had a snapshot
// is gone.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	files, err := l.check()
	if err != nil {
		return err
	}
	l.end()
	if files.newest() == nil {
		return l.store.remove(files)
	}
	// The file stays: it keeps count of the generations.
	then := time.Unix(givenBack, 0)
	if err := os.Chtimes(l.path(kindLock), then, then); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("parley: releasing call %s: %w", l.id, err)
	}
	return nil
}

func (l *Lease) renew() error {
	if _, err := l.check(); err != nil {
		return err
	}
	now := time.Now()
	if err := os.Chtimes(l.path(kindLock), now, now); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrTaken
		}
		return fmt.Errorf("parley: renewing the lease on call %s: %w", l.id, err)
	}
	_, err := l.check()
	return err
}

// check reports [ErrTaken] unless the lease is still the call's last.
func (l *Lease) check() (callFiles, error) {
	if l.ended {
		return nil, ErrTaken
	}
	files, err := l.store.scanCall(l.id)
	if err != nil {
		return nil, err
	}
	var h holder
	text, err := os.ReadFile(l.path(kindLock))
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("parley: reading the lease on call %s: %w", l.id, err)
	case files.highest() != l.generation, json.Unmarshal(text, &h) != nil, h.Token != l.holder.Token:
		return files, ErrTaken
	}
	return files, nil
}

func (l *Lease) end() {
	l.ended = true
	close(l.over)
}

func (l *Lease) file(kind string) callFile {
	return callFile{fileName(l.id, l.generation, kind), l.generation, kind}
}

func (l *Lease) path(kind string) string { return l.store.path(fileName(l.id, l.generation, kind)) }
