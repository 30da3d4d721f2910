package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/parley-mcp/parley/hosts/go/internal/durable"
)

// fileLease is a lease on a call of [Files].
type fileLease struct {
	store      *Files
	id         string
	generation int
	holder     holder

	mu    sync.Mutex
	ended bool
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
		if _, gone := os.Stat(l.path(kindLock)); errors.Is(gone, fs.ErrNotExist) {
			l.store.remove(callFiles{l.file(kindCall)})
		}
		return err
	case failed != nil:
		return fmt.Errorf("store: saving call %s: %w", l.id, failed)
	}
	return l.store.remove(files.below(l.generation))
}

// write makes the snapshot's file: under another name first, so that no reader
// and no crash meets half of it.
func (l *fileLease) write(data []byte) error {
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
	return durable.SyncDir(l.store.Dir)
}

// load reads the call's last snapshot.
func (l *fileLease) load() ([]byte, error) {
	files, err := l.store.scanCall(l.id)
	if err != nil {
		return nil, err
	}
	newest := files.newest()
	if newest == nil {
		return nil, ErrNotFound
	}
	data, err := os.ReadFile(l.store.path(newest.name))
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

// Done implements [Lease].
func (l *fileLease) Done(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
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

// Release implements [Lease].
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
	l.end()
	if files.newest() == nil {
		return l.store.remove(files)
	}
	// The file stays: it keeps count of the generations.
	then := time.Unix(givenBack, 0)
	if err := os.Chtimes(l.path(kindLock), then, then); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: releasing call %s: %w", l.id, err)
	}
	return nil
}

func (l *fileLease) renew() error {
	if _, err := l.check(); err != nil {
		return err
	}
	now := time.Now()
	if err := os.Chtimes(l.path(kindLock), now, now); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return ErrTaken
		}
		return fmt.Errorf("store: renewing the lease on call %s: %w", l.id, err)
	}
	_, err := l.check()
	return err
}

// check reports [ErrTaken] unless the lease is still the call's last.
func (l *fileLease) check() (callFiles, error) {
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
		return nil, fmt.Errorf("store: reading the lease on call %s: %w", l.id, err)
	case files.highest() != l.generation, json.Unmarshal(text, &h) != nil, h.Token != l.holder.Token:
		return files, ErrTaken
	}
	return files, nil
}

func (l *fileLease) end() {
	l.ended = true
}

func (l *fileLease) file(kind string) callFile {
	return callFile{fileName(l.id, l.generation, kind), l.generation, kind}
}

func (l *fileLease) path(kind string) string { return l.store.path(fileName(l.id, l.generation, kind)) }
