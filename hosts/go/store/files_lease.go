package store

import (
	"bytes"
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

	mu      sync.Mutex
	ended   bool
	late    bool    // the lease was over when it was last renewed, or since
	last    kept    // what was last saved, without its snapshot
	entries []entry // of the index, that there may be of the call
}

// Save implements [Lease].
func (l *fileLease) Save(ctx context.Context, snapshot []byte, about About) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.renew(); err != nil {
		return err
	}
	sealed, err := l.store.sealing().Seal(l.id, snapshot, about)
	if err != nil {
		return fmt.Errorf("store: sealing call %s: %w", l.id, err)
	}
	k := kept{max(l.store.clock.now().UnixMicro(), l.last.at+1), sealed.Tag, sealed.About, sealed.Snapshot}
	if about.IsZero() {
		k.tag, k.about = l.last.tag, l.last.about
	}
	entries := k.entries(l.id)
	if err := l.store.note(entries...); err != nil {
		l.store.forget(entries...)
		return err
	}
	there, failed := l.write(k.text())
	// Asked again after writing: whoever took the call since may have read the
	// snapshot before. Whoever takes it from here on reads this one.
	files, err := l.check()
	before := l.entries
	if there || err != nil {
		l.entries = append(before, entries...)
	}
	switch {
	case err != nil:
		// The lock file goes when somebody has saved a newer snapshot or is
		// done: nothing of this one may come back.
		if _, gone := l.store.disk.lstat(l.path(kindLock)); errors.Is(gone, fs.ErrNotExist) {
			l.store.remove(l.id, callFiles{l.file(kindCall)})
			l.store.empty(l.id)
			l.store.forget(entries...)
		}
		return err
	case there:
		k.snapshot = nil
		l.last = k
	default:
		l.store.forget(entries...)
	}
	if failed != nil {
		return fmt.Errorf("store: saving call %s: %w", l.id, failed)
	}
	if l.late { // a list may have taken them for ones that are left over
		if err := l.store.note(entries...); err != nil {
			return err
		}
	}
	if err := l.store.remove(l.id, files.below(l.generation)); err != nil {
		return err
	}
	err = l.store.forget(before...)
	if err == nil {
		l.entries = entries
	}
	return err
}

// write makes the snapshot's file: under another name first, so that no reader
// and no crash meets half of it. It may be there, and not last, if it fails.
func (l *fileLease) write(data []byte) (there bool, err error) {
	temp, disk := l.temp(), l.store.disk
	if err := disk.create(temp, data, true); err != nil {
		return false, err
	}
	if err := disk.rename(temp, l.path(kindCall)); err != nil {
		disk.remove(temp)
		return false, err
	}
	if err := disk.syncDir(l.store.folder(l.id)); err != nil || !l.isNew {
		return true, err
	}
	if err := disk.syncDir(l.store.Dir); err != nil {
		return true, err
	}
	l.isNew = false
	return true, nil
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
		l.last, err = readKept(data)
	}
	if err == nil && l.last.at == 0 {
		l.last.at, err = l.store.modified(l.id, newest)
	}
	if err == nil {
		l.entries = l.last.entries(l.id)
		data, err = l.store.sealing().OpenSnapshot(l.id, l.last.snapshot)
		l.last.snapshot = nil
	}
	if err != nil {
		return nil, fmt.Errorf("store: opening call %s: %w", l.id, err)
	}
	l.last.about = bytes.Clone(l.last.about) // and not all of the file
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
	entries := l.entries
	if newest := files.newest(); newest != nil {
		k, _, err := l.store.headOf(l.id, newest)
		if err == nil && k.at == 0 {
			k.at, err = l.store.modified(l.id, newest)
		}
		if err == nil { // else a list clears them away
			entries = append(entries, k.entries(l.id)...)
		}
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
	if l.store.empty(l.id) == nil { // what is left, a list clears away by what is left of the index
		l.store.forget(entries...)
	}
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
	if err := l.store.disk.touch(l.path(kindLock), l.store.clock.renewed(l.holder.reading)); err != nil {
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
	if err == nil && l.store.clock.sinceOwn(l.holder.reading, info.ModTime()) > l.holder.Lease {
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
