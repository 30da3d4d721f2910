package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// holder is what a lock file says, as JSON. The file is written once; it is
// renewed by its time of modification, and given back by one long ago.
type holder struct {
	Token string        `json:"token"` // tells this lease from every other
	Place string        `json:"place"` // where PID means something
	PID   int           `json:"pid"`
	Lease time.Duration `json:"lease"` // in nanoseconds
	reading
}

// givenBack is 2000-01-01, which every file system can tell.
const givenBack = 946684800

// maxTries bounds how often a taker begins again: it makes a folder that others
// remove, or meets another taker.
const maxTries = 100

// acquire takes the next generation of a call if nobody has the last one.
// Takers that race try to make the same file, which only one of them can. Where
// one had seen more than the other they make two, and may each find the other's:
// then both let go and begin again, so that not all of them are turned away. ok
// may object to what is there. Where the disk is full, a call can be taken only
// to be removed.
func (s *Files) acquire(ctx context.Context, id string, toRemove bool, ok func(callFiles) error) (*fileLease, error) {
	for tries := 1; ; tries++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := s.usable(); err != nil {
			return nil, err
		}
		lease, err := s.tryAcquire(id, toRemove, ok)
		switch {
		case errors.Is(err, errMet) && tries == maxTries:
			return nil, ErrTaken
		case err == nil, !errors.Is(err, errVanished) && !errors.Is(err, errMet), tries == maxTries:
			return lease, err
		}
	}
}

// errVanished says that the folder of a call went as a file was to be made in it.
var errVanished = errors.New("its folder is removed again and again")

// errMet says that another has a lock as well. Whether it is a holder or a taker who
// lets go too, the next try tells.
var errMet = errors.New("another took the call at the same time")

func (s *Files) tryAcquire(id string, toRemove bool, ok func(callFiles) error) (*fileLease, error) {
	files, err := s.scan(id)
	if err != nil {
		return nil, err
	}
	if taken, err := s.held(id, files); err != nil || taken {
		return nil, errors.Join(err, takenIf(taken))
	}
	if err := ok(files); err != nil {
		return nil, err
	}
	lease, err := s.lock(id, files, toRemove)
	if err != nil {
		s.empty(id)
		return nil, err
	}
	// The folder may have changed since it was read: others may have come and
	// gone, and a holder who was late may have renewed.
	own := lease.file(kindLock)
	files, err = s.scan(id)
	if err == nil {
		var taken bool
		taken, err = s.held(id, files.below(lease.generation))
		if err == nil && (taken || files.last() != lease.generation) {
			err = errMet
		}
	}
	if err == nil {
		err = ok(files)
	}
	if err != nil {
		stays := s.remove(id, callFiles{own})
		if stays != nil && errors.Is(err, errMet) { // whoever tries again would meet it
			err = ErrTaken
		}
		s.empty(id)
		return nil, errors.Join(err, stays)
	}
	for _, file := range files.below(lease.generation).of(kindLock) {
		if state, err := s.state(id, file); err == nil && state == ended {
			s.remove(id, callFiles{file}) // in vain does no harm
		}
	}
	return lease, nil
}

func takenIf(taken bool) error {
	if taken {
		return ErrTaken
	}
	return nil
}

// usable reports why the store's directory is no place for calls. One that is
// not there yet is.
func (s *Files) usable() error {
	info, err := s.disk.stat(s.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("store: reading the store: %w", err)
	case !info.IsDir():
		return fmt.Errorf("store: %s is not a directory", s.Dir)
	}
	return ours(s.Dir, info)
}

// lock makes the lock file of the next generation. It appears with all that it
// says: whoever dies on the way leaves nothing taken.
func (s *Files) lock(id string, files callFiles, toRemove bool) (*fileLease, error) {
	generation := files.next(s.clock.now())
	if generation >= tooHigh {
		return nil, fmt.Errorf("store: taking call %s: its file %s has a number that no call reaches: move it away", id, s.path(id, files[len(files)-1].name))
	}
	here, err := place()
	if err != nil {
		return nil, fmt.Errorf("store: taking call %s: %w", id, err)
	}
	now, err := s.clock.read()
	if err != nil {
		return nil, fmt.Errorf("store: taking call %s: %w", id, err)
	}
	l := &fileLease{
		store: s, id: id, generation: generation, isNew: files.newest() == nil,
		holder: holder{Token: rand.Text(), Place: here, PID: os.Getpid(), Lease: s.lease(), reading: now},
	}
	text, err := json.Marshal(l.holder)
	if err != nil {
		return nil, err
	}
	err = s.disk.makeAll(s.folder(id))
	if err == nil {
		err = s.putLock(l, text)
	}
	if newest := files.newest(); toRemove && newest != nil && noSpace(err) {
		// Another name of a file needs no space. It says nothing of who made it,
		// so that it counts for as long as a lease.
		if err = s.disk.link(s.path(id, newest.name), l.path(kindLock)); err == nil {
			err = s.disk.touch(l.path(kindLock), s.clock.now())
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, ErrTaken
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("store: taking call %s: %w", id, errVanished)
	case err != nil:
		return nil, fmt.Errorf("store: taking call %s: %w", id, err)
	}
	return l, nil
}

// putLock makes a lock file with its text in it.
func (s *Files) putLock(l *fileLease, text []byte) error {
	temp := l.temp()
	if err := s.disk.create(temp, text, false); err != nil {
		return err
	}
	defer s.disk.remove(temp)
	at := s.clock.renewed(l.holder.reading)
	if err := s.disk.touch(temp, at); err != nil {
		return err
	}
	err := s.disk.link(temp, l.path(kindLock))
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A file system without second names: who dies now leaves the call taken
	// for a lease.
	if err := s.disk.create(l.path(kindLock), text, false); err != nil {
		return err
	}
	return s.disk.touch(l.path(kindLock), at)
}

// held reports whether anybody has the call.
func (s *Files) held(id string, files callFiles) (bool, error) {
	for _, file := range files.of(kindLock) {
		if state, err := s.state(id, file); err != nil || state == held {
			return err == nil, err
		}
	}
	return false, nil
}

// lockState is what a lock file means.
type lockState uint8

const (
	held    lockState = iota
	expired           // its holder may be alive, and learns of it with the next Save
	ended             // given back, or its holder is dead
)

// state reads a lock. One that says nothing may be being written, and gets its
// time. An error is that it cannot be told now: nobody may take the call by it.
func (s *Files) state(id string, file callFile) (lockState, error) {
	path := s.path(id, file.name)
	info, err := s.disk.lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist): // gone since
		return ended, nil
	case err != nil:
		return held, fmt.Errorf("store: reading the lease on call %s: %w", id, err)
	case info.ModTime().Unix() == givenBack:
		return ended, nil
	}
	text, err := s.disk.read(path)
	var h holder
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ended, nil
	case err != nil:
		return held, fmt.Errorf("store: reading the lease on call %s: %w", id, err)
	case json.Unmarshal(text, &h) != nil || h.Lease <= 0:
		h = holder{Lease: s.lease()}
	}
	if h.PID > 0 && !running(h.PID) {
		here, err := place()
		if err != nil {
			return held, fmt.Errorf("store: reading the lease on call %s: %w", id, err)
		}
		if h.Place == here {
			return ended, nil
		}
	}
	since, err := s.clock.since(h.reading, info.ModTime())
	switch {
	case err != nil:
		return held, fmt.Errorf("store: reading the lease on call %s: %w", id, err)
	case since > h.Lease:
		return expired, nil
	}
	return held, nil
}

func (s *Files) lease() time.Duration {
	if s.Lease <= 0 {
		return DefaultLease
	}
	return s.Lease
}
