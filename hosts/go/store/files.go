package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/codec"
)

// Files is the [Store] that keeps each call in a folder of a directory, its files
// readable by their owner only (0600; a directory it makes, 0700). Files that
// are not the store's are left alone. Nothing is kept open, and what is done to
// one call costs the same however many there are; only List reads them all.
//
// What the file system refuses for a moment is an error that can be tried again:
// it ends no lease, and nobody is given a call whose holder it cannot tell. A
// process that is killed, at whatever point, leaves the last snapshot that it
// saved, and nothing taken where the system can tell that it is dead. A full
// disk refuses Create, Take and Save, which leaves the snapshot before;
// Done, Release and Delete need no space.
type Files struct {
	// Dir is made if it is not there. One that other users may write, or that
	// is another user's, is refused where the system can tell.
	Dir string

	// Lease is how long the holder of a call may go without renewing it. Zero
	// means 30 s. A process that died on this machine is noticed at once, if
	// the system can tell.
	Lease time.Duration

	// Box seals the snapshots: without its keys nobody can read or change one,
	// nor pass it off as another call's. An older snapshot of the same call can
	// be put back unnoticed. Nil leaves snapshots as they are: they hold
	// secrets.
	Box Box

	// Unsealed also accepts what was saved before there was a Box, which
	// otherwise fails with [ErrUnsealed], because anybody who can write the
	// file could forge one.
	Unsealed bool

	disk disk
}

// Box seals bytes at rest: a [codec.Box], or one of package seal.
type Box interface {
	SealBytes(plaintext, context []byte) ([]byte, error)
	OpenBytes(box, context []byte) ([]byte, error)
}

const defaultLease = 30 * time.Second

// List implements [Store].
func (s *Files) List(ctx context.Context, q Query) iter.Seq2[Parked, error] {
	return func(yield func(Parked, error) bool) {
		parked, err := s.list(ctx, q)
		if err != nil {
			yield(Parked{}, err)
			return
		}
		for _, p := range parked {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (s *Files) list(ctx context.Context, q Query) ([]Parked, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	var parked []Parked
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !strings.HasPrefix(id, q.Prefix) {
			continue
		}
		call, found, err := s.look(id)
		if err != nil {
			return nil, fmt.Errorf("store: listing calls: %w", err)
		}
		if found {
			parked = append(parked, call)
		}
	}
	slices.SortFunc(parked, func(a, b Parked) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
	return parked, nil
}

// look tells what List tells of a call, and clears away what is left of one that
// died between Create and its first Save.
func (s *Files) look(id string) (call Parked, found bool, err error) {
	for {
		files, err := s.scan(id)
		if err != nil {
			return Parked{}, false, err
		}
		taken, unknown := s.held(id, files)
		newest := files.newest()
		if newest == nil {
			if !taken && unknown == nil {
				s.remove(id, files)
				s.empty(id)
			}
			return Parked{}, false, nil
		}
		info, err := s.disk.lstat(s.path(id, newest.name))
		if err == nil {
			return Parked{ID: id, Time: info.ModTime(), Taken: taken || unknown != nil}, true, nil
		}
		if !errors.Is(err, fs.ErrNotExist) { // else it was done or taken on by now
			return Parked{}, false, err
		}
	}
}

// Create implements [Store].
func (s *Files) Create(ctx context.Context, id string) (Lease, error) {
	lease, err := s.acquire(ctx, id, false, func(files callFiles) error {
		if files.newest() != nil {
			return fmt.Errorf("store: creating call %s: %w", id, fs.ErrExist)
		}
		return nil
	})
	if err != nil {
		return nil, err // and no lease that is not nil
	}
	return lease, nil
}

// Take implements [Store].
func (s *Files) Take(ctx context.Context, id string) (Lease, []byte, error) {
	lease, err := s.acquire(ctx, id, false, exists)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := lease.load()
	if err != nil {
		return nil, nil, errors.Join(err, lease.Release(context.WithoutCancel(ctx)))
	}
	return lease, snapshot, nil
}

// Delete implements [Store].
func (s *Files) Delete(ctx context.Context, id string) error {
	lease, err := s.acquire(ctx, id, true, exists)
	if err != nil {
		return err
	}
	return lease.removeCall() // in peace: the lease is new
}

func exists(files callFiles) error {
	if files.newest() == nil {
		return ErrNotFound
	}
	return nil
}

// seal is a snapshot as it stands in its file.
func (s *Files) seal(id string, snapshot []byte) ([]byte, error) {
	if s.Box == nil {
		return snapshot, nil
	}
	return s.Box.SealBytes(snapshot, under(id))
}

func (s *Files) open(id string, data []byte) ([]byte, error) {
	switch {
	case s.Box == nil:
		return data, nil
	case len(data) == 0 || data[0] != '{': // a snapshot begins so, and no suite does
		return s.Box.OpenBytes(data, under(id))
	case s.Unsealed:
		return data, nil
	}
	return nil, ErrUnsealed
}

// under binds a call's id into the seal.
func under(id string) []byte { return append([]byte(codec.ContextSnapshot), id...) }
