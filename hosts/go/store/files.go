package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/codec"
)

// Files is the [Store] that keeps each call as a file of a directory, readable
// by their owner only (0600; a directory it makes, 0700). Files that are not the
// store's are left alone. Nothing is kept open.
type Files struct {
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
	all, err := s.scan("")
	if err != nil {
		return nil, err
	}
	var parked []Parked
	for id, files := range all {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !strings.HasPrefix(id, q.Prefix) {
			continue
		}
		for newest := files.newest(); newest != nil; newest = files.newest() {
			info, err := os.Stat(s.path(newest.name))
			if err == nil {
				parked = append(parked, Parked{ID: id, Time: info.ModTime(), Taken: s.held(files, nil)})
				break
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("store: listing calls: %w", err)
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

// Create implements [Store].
func (s *Files) Create(ctx context.Context, id string) (Lease, error) {
	s.sweep()
	lease, err := s.acquire(ctx, id, func(files callFiles) error {
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
	lease, err := s.acquire(ctx, id, exists)
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
	lease, err := s.acquire(ctx, id, exists)
	if err != nil {
		return err
	}
	return lease.Done(ctx)
}

func exists(files callFiles) error {
	if files.newest() == nil {
		return ErrNotFound
	}
	return nil
}

// sweep removes what calls left that died between Create and their first Save.
func (s *Files) sweep() {
	all, _ := s.scan("") // what is not swept now is swept another time
	for _, files := range all {
		if files.newest() == nil && !s.held(files, nil) {
			s.remove(files)
		}
	}
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
