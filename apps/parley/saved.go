package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parley-mcp/parley/apps/parley/internal/console"
	"github.com/parley-mcp/parley/apps/shared-go/flags"
	"github.com/parley-mcp/parley/apps/shared-go/saved"
	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// storeGroup is about where calls are kept.
func (c *command) storeGroup() flags.Group {
	return flags.Group{
		Text: storeText,
		Flags: []flags.Flag{
			stateFlag(&c.stateDir),
			{Name: "store", Value: "URL", To: &c.storeURL, Text: "keep calls there instead: file:DIR, or for several machines redis://HOST:PORT (rediss:// with TLS) or " +
				"postgres://USER@HOST:PORT/DATABASE. PARLEY_STORE says the same, and is the place for a URL with a password. " +
				"Every machine needs the same key file: parley token new-key FILE makes one, for PARLEY_SNAPSHOT_KEY_FILE"},
		},
		Check: func() (err error) {
			c.storeURL, err = saved.Where(c.storeURL, os.Getenv)
			return err
		},
	}
}

const storeText = `Calls are saved while they run, so that a call that is killed can be resumed.
The files hold your answers and the server's requestState. They are encrypted,
with the key in snapshot.key beside them; PARLEY_SNAPSHOT_KEY_FILE names another
file, elsewhere. Only you may read either (0600). A call is kept for 30 days
after it was last saved.
`

func stateFlag(dir *string) flags.Flag {
	return flags.Flag{Name: "state-dir", Value: "DIR", To: dir,
		Text: "where calls and accounts are kept (default: $XDG_STATE_HOME/parley or ~/.local/state/parley)"}
}

// store is where calls are kept, sealed: in --store, or in --state-dir, or in the
// usual place.
func (c *command) store(ctx context.Context) (store.Store, *seal.KeyFileBox, error) {
	return sealedStore(ctx, c.storeURL, c.stateDir, false)
}

// sealedStore is a store whose key is in the file that the environment names, or
// in the directory of state, where it is made when the first call is saved. For a
// store that others share it is not made: they could not open what it seals.
func sealedStore(ctx context.Context, url, dir string, unsealed bool) (store.Store, *seal.KeyFileBox, error) {
	dir, err := stateDir(dir)
	if err != nil {
		return nil, nil, err
	}
	if url == "" {
		url = "file:" + dir
	}
	box := &seal.KeyFileBox{Name: os.Getenv(envSnapshotKeyFile)}
	if box.Name == "" {
		box.Name, box.Create = filepath.Join(dir, "snapshot.key"), saved.IsFile(url)
	}
	calls, err := saved.Open(ctx, url, store.Sealing{Box: box, Unsealed: unsealed})
	return calls, box, err
}

// stateDir is the directory that was named, or the usual one.
func stateDir(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	dir, err := saved.UsualDir()
	if err != nil {
		return "", fmt.Errorf("there is no place to keep calls in: %w (--state-dir names one)", err)
	}
	return dir, nil
}

// save begins to save a new call. Where the usual place is of no use, the call
// goes on without.
func (c *command) save(ctx context.Context, screen *console.Console, roots []json.RawMessage) (*saved.Call, error) {
	switch {
	case c.noSave:
		return nil, nil
	case len(c.params) > maxSaved:
		screen.Warn("this call is not saved, so it cannot be parked or resumed: its arguments are longer than %d MiB", maxSaved>>20)
		return nil, nil
	}
	calls, box, err := c.store(ctx)
	var lease store.Lease
	id := saved.NewID()
	if err == nil {
		lease, err = calls.Create(ctx, id)
	}
	if err == nil {
		if _, err = box.SealBytes(nil, nil); err == nil { // with a key, or not at all
			return saved.Begin(id, lease, c.entry(roots), unsaved(screen)), nil
		}
		err = errors.Join(err, lease.Done(context.WithoutCancel(ctx)))
	}
	why := saved.Problem(err)
	switch {
	case c.storeURL != "":
		return nil, fmt.Errorf("--store: %s", why)
	case c.stateDir != "":
		return nil, fmt.Errorf("--state-dir: %s", why)
	case box != nil && !box.Create:
		return nil, fmt.Errorf("%s: %s", envSnapshotKeyFile, why)
	}
	screen.Warn("this call is not saved: %s", why)
	return nil, nil
}

// unsaved says on the screen what keeps a call from being saved.
func unsaved(screen *console.Console) func(problem string) {
	return func(problem string) { screen.Warn("%s", problem) }
}

// entry is what the store holds of the call besides its snapshot. A call that is
// resumed has all of it unless a flag says otherwise.
func (c *command) entry(roots []json.RawMessage) saved.Entry {
	e := saved.Entry{Server: c.Server, Roots: roots}
	if c.model != nil {
		e.SampleCommand, e.SampleModel = c.model.Words, c.model.Model
	}
	return e
}

// take takes a call out of the store and reads it.
func (c *command) take(ctx context.Context) (lease store.Lease, e saved.Entry, info engine.Info, err error) {
	calls, _, err := c.store(ctx)
	if err != nil {
		return nil, e, info, err
	}
	lease, e, info, err = saved.Take(ctx, calls, c.id)
	if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrTaken) {
		err = fmt.Errorf("call %s cannot be resumed: %s", c.id, saved.Problem(err))
	}
	return lease, e, info, err
}
