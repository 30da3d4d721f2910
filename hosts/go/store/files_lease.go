package store

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// fileLease is a lease on a call of [Files].
type fileLease struct {
	store      *Files
	id         string
	generation int
	isNew      bool // the call had no snapshot, and perhaps no folder
	holder     holder

	mu    sync.Mutex
	ended bool
	late  bool // the lease was over when it was last renewed, or since
}

// Save implements [Lease].
func (l *fileLease) Save(ctx context.Context, snapshot []byte) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.renew(); err != nil {
		return err
	}
	data, err := l.store.seal(l.id, snapshot)
	if err != nil {
		return fmt.Errorf("store: sealing call %s: %w", l.id, err)
	}
	failed := l.write(data)
	// Asked again after writing: whoever took the call since may have read the
	// snapshot before. Whoever takes it from here on reads this one.
	files, err := l.check()
	switch {
	case err != nil:
		// The lock file goes when somebody has saved a newer snapshot or is
		// done: nothing of this one may come back.
		if _, gone := l.store.disk.lstat(l.path(kindLock)); errors.Is(gone, fs.ErrNotExist) {
			l.store.remove(l.id, callFiles{l.file(kindCall)})
			l.store.empty(l.id)
		}
		return err
	case failed != nil:
		return fmt.Errorf("store: saving call %s: %w", l.id, failed)
	}
	return l.store.remove(l.id, files.below(l.generation))
}

// write makes the snapshot's file: under another name first, so that no reader
// and no crash meets half of it.
func (l *fileLease) write(data []byte) error {
	temp, disk := l.temp(), l.store.disk
	if err := disk.create(temp, data, true); err != nil {
		return err
	}
	if err := disk.rename(temp, l.path(kindCall)); err != nil {
		disk.remove(temp)
		return err
	}
	if err := disk.syncDir(l.store.folder(l.id)); err != nil || !l.isNew {
		return err
	}
	if err := disk.syncDir(l.store.Dir); err != nil {
		return err
	}
	l.isNew = false
	return nil
}

// load reads the call's last snapshot.
func (l *fileLease) load() ([]byte, error) {
	files, err := l.store.scan(l.id)
	if err != nil {
		return nil, err
	}
	newest := files.newest()
	if newest == nil {
		return nil, ErrNotFound
	}
	data, err := l.store.disk.read(l.store.path(l.id, newest.name))
	if err == nil {
		data, err = l.store.open(l.id, data)
	}
	if err != nil {
		return nil, fmt.Errorf("store: opening call %s: %w", l.id, err)
	}
	return data, nil
}

// Renew implements [Lease].
func (l *fileLease) Renew(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.renew()
}

// Term implements [Lease].
func (l *fileLease) Term() time.Duration { return l.holder.Lease }

// Done implements [Lease]. It needs no space on the disk.
func (l *fileLease) Done(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// Renewed, the call can be removed in peace: nobody takes it over before the
	// lease is over once more.
	if err := l.renew(); err != nil {
		return err
	}
	return l.removeCall()
}

// removeCall removes all of the call: its own lock, which keeps others away,
// last. What fails can be tried again.
func (l *fileLease) removeCall() error {
	files, err := l.store.scan(l.id)
	if err != nil {
		return err
	}
	// Locks first: a Save of an earlier holder that comes too late sees by its
	// own that it must take back what it wrote.
	if err := l.store.remove(l.id, files.below(l.generation).of(kindLock)); err != nil {
		return err
	}
	if files, err = l.store.scan(l.id); err != nil {
		return err
	}
	// Up to the next taker's: there is none, but for one who was too late and
	// lets go of it.
	rest := files.below(l.generation + 1)
	if err := l.store.remove(l.id, append(rest.of(kindTemp, kindCall), l.file(kindLock))); err != nil {
		return err
	}
	l.ended = true
	l.store.empty(l.id)
	return nil
}

// Release implements [Lease]. It needs no space on the disk.
func (l *fileLease) Release(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	files, err := l.check()
	if err != nil {
		return err
	}
	if files.newest() == nil {
		return l.removeCall()
	}
	// The file stays: it keeps count of the generations.
	if err := l.store.disk.touch(l.path(kindLock), time.Unix(givenBack, 0)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: releasing call %s: %w", l.id, err)
	}
	l.ended = true
	return nil
}

func (l *fileLease) renew() error {
	l.late = false
	if _, err := l.check(); err != nil {
		return err
	}
	if err := l.store.disk.touch(l.path(kindLock), time.Now()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrTaken
		}
		return fmt.Errorf("store: renewing the lease on call %s: %w", l.id, err)
	}
	_, err := l.check()
	return err
}

// check reports [ErrTaken] unless the lease still stands. Another error is that
// it cannot be told now.
func (l *fileLease) check() (callFiles, error) {
	if l.ended {
		return nil, ErrTaken
	}
	// First, because a taker that comes later sees what is seen here.
	info, err := l.store.disk.lstat(l.path(kindLock))
	if err == nil && time.Since(info.ModTime()).Abs() > l.holder.Lease {
		l.late = true
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: reading the lease on call %s: %w", l.id, err)
	}
	files, err := l.store.scan(l.id)
	if err != nil {
		return nil, err
	}
	var h holder
	text, err := l.store.disk.read(l.path(kindLock))
	switch newest := files.newest(); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("store: reading the lease on call %s: %w", l.id, err)
	case json.Unmarshal(text, &h) != nil, h.Token != l.holder.Token,
		newest != nil && newest.generation > l.generation,
		// Where the lease was never over, another's lock is of a taker who
		// finds that out and lets go of it.
		l.late && files.last() != l.generation:
		return files, ErrTaken
	}
	return files, nil
}

func (l *fileLease) file(kind string) callFile {
	return callFile{fileName(l.generation, kind), l.generation, kind}
}

func (l *fileLease) path(kind string) string {
	return l.store.path(l.id, fileName(l.generation, kind))
}

// temp is a name that nobody else has, nor can guess.
func (l *fileLease) temp() string { return l.path(rand.Text() + "." + kindTemp) }
