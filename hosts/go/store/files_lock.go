package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

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
func (s *Files) acquire(ctx context.Context, id string, ok func(callFiles) error) (*fileLease, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
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
		return nil, fmt.Errorf("store: making the store: %w", err)
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
func (s *Files) lock(id string, generation int) (*fileLease, error) {
	l := &fileLease{
		store: s, id: id, generation: generation,
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
		return nil, fmt.Errorf("store: taking call %s: %w", id, err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(l.path(kindLock))
		return nil, fmt.Errorf("store: taking call %s: %w", id, err)
	}
	return l, nil
}

// held reports whether anybody has the call, not counting some locks.
func (s *Files) held(files, but callFiles) bool {
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
func (s *Files) state(file callFile) lockState {
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

func (s *Files) lease() time.Duration {
	if s.Lease <= 0 {
		return defaultLease
	}
	return s.Lease
}
