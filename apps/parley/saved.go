package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/parley-mcp/parley/apps/internal/plain"
	"github.com/parley-mcp/parley/apps/parley/internal/console"
	parley "github.com/parley-mcp/parley/hosts/go"
)

// saved keeps a call in the store while it runs.
type saved struct {
	id      string
	entry   entry
	lease   *parley.Lease
	console *console.Console
	endKeep context.CancelFunc
	resumed bool // it was in the store before

	mu     sync.Mutex
	broken bool // it could not be saved, which was said
}

// store is where calls are kept, sealed: in --state-dir, or in the usual place.
func (c *command) store() (*parley.FileStore, *parley.KeyFileBox, error) {
	return sealedStore(c.stateDir)
}

// sealedStore is a store whose key is in the file that the environment names, or
// beside the calls, where it is made when the first one is saved.
func sealedStore(dir string) (*parley.FileStore, *parley.KeyFileBox, error) {
	if dir == "" {
		var err error
		if dir, err = usualDir(); err != nil {
			return nil, nil, fmt.Errorf("there is no place to keep calls in: %w (--state-dir names one)", err)
		}
	}
	box := &parley.KeyFileBox{Name: os.Getenv(envSnapshotKeyFile)}
	if box.Name == "" {
		box.Name, box.Create = filepath.Join(dir, "snapshot.key"), true
	}
	store := &parley.FileStore{Dir: dir}
	store.Seal, store.Open = parley.SealSnapshots(box)
	return store, box, nil
}

// usualDir follows the XDG Base Directory Specification, which wants absolute
// paths.
func usualDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "parley"), nil
	}
	if runtime.GOOS == "windows" {
		dir, err := os.UserCacheDir() // %LocalAppData%
		return filepath.Join(dir, "parley"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "parley"), err
}

const idLength = 10 // of the 26 characters that a NewID has; Create notices if one is in use

// save begins to keep a new call. Where the usual place is of no use, the call
// goes on without.
func (c *command) save(screen *console.Console, e entry) (*saved, error) {
	if c.noSave {
		return nil, nil
	}
	store, box, err := c.store()
	var lease *parley.Lease
	id := parley.NewID()[:idLength]
	if err == nil {
		lease, err = store.Create(id)
	}
	if err == nil {
		if _, err = box.SealBytes(nil, nil); err == nil { // with a key, or not at all
			return newSaved(id, e, lease, screen), nil
		}
		err = errors.Join(err, lease.Done())
	}
	why := storeProblem(err)
	switch {
	case c.stateDir != "":
		return nil, fmt.Errorf("--state-dir: %s", why)
	case box != nil && !box.Create:
		return nil, fmt.Errorf("%s: %s", envSnapshotKeyFile, why)
	}
	screen.Warn("this call is not saved: %s", plain.Line(why, mostMessage))
	return nil, nil
}

func newSaved(id string, e entry, lease *parley.Lease, screen *console.Console) *saved {
	ctx, cancel := context.WithCancel(context.Background())
	go lease.Keep(ctx) // that it was lost, the next Save tells
	return &saved{id: id, entry: e, lease: lease, console: screen, endKeep: cancel}
}

// save is a callback of the call. Only that somebody else has the call ends it:
// answers that are not saved can still be sent.
func (s *saved) save(_ context.Context, snapshot []byte) error {
	data, err := s.entry.with(snapshot)
	if err == nil {
		err = s.lease.Save(data)
	}
	if err == nil || errors.Is(err, parley.ErrTaken) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.broken {
		s.broken = true
		s.console.Warn("the call goes on, but is not saved: %s", plain.Line(err.Error(), mostMessage))
	}
	return nil
}

// keep leaves the call in the store, with a snapshot if there is a newer one,
// and reports whether it is there.
func (s *saved) keep(snapshot []byte) bool {
	defer s.endKeep()
	var err error
	if snapshot != nil {
		var data []byte
		if data, err = s.entry.with(snapshot); err == nil {
			err = s.lease.Save(data)
		}
	}
	if err = errors.Join(err, s.lease.Release()); err != nil {
		s.console.Warn("saving the call: %s", plain.Line(err.Error(), mostMessage))
	}
	return err == nil
}

// forget takes the call out of the store.
func (s *saved) forget() {
	defer s.endKeep()
	if err := s.lease.Done(); err != nil {
		s.console.Warn("the saved call %s is still there: %s", s.id, plain.Line(err.Error(), mostMessage))
	}
}
