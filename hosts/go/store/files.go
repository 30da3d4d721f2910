package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Files is the [Store] that keeps each call in a folder of a directory, its files
// readable by their owner only (0600; a directory it makes, 0700). Files that
// are not the store's are left alone. Nothing is kept open, and what is done to
// one call costs the same however many there are, as does a page of a list.
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
	// means [DefaultLease]. A process that died on this machine is noticed at
	// once, if the system can tell.
	Lease time.Duration

	// Keep is how long a call stays after its last Save. Zero means
	// [DefaultKeep].
	Keep time.Duration

	// Poll is how often Watch looks for changes, by reading the names of all the
	// calls that it is about. Zero means a second.
	Poll time.Duration

	// Box and Unsealed are a [Sealing]: without either, everything fails with
	// [ErrNoBox].
	Box      Box
	Unsealed bool

	disk  disk
	clock clock
}

func (s *Files) sealing() Sealing { return Sealing{s.Box, s.Unsealed} }

// Create implements [Store].
func (s *Files) Create(ctx context.Context, id string) (Lease, error) {
	if err := s.check(ctx, id); err != nil {
		return nil, err
	}
	e := entry{treeNew, s.clock.now().UnixMicro(), id}
	if err := s.begin(); err != nil {
		return nil, err
	}
	if err := s.note(e); err != nil {
		return nil, err
	}
	lease, err := s.acquire(ctx, id, false, func(files callFiles) error {
		if files.newest() != nil {
			return fmt.Errorf("store: creating call %s: %w", id, fs.ErrExist)
		}
		return nil
	})
	if err != nil {
		s.forget(e)
		return nil, err // and no lease that is not nil
	}
	lease.entries = []entry{e}
	return lease, nil
}

// begin makes the directory if it is not there; its index is whole from the
// outset.
func (s *Files) begin() error {
	if _, err := s.disk.stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
		return s.usable()
	}
	mark, err := s.completeMark()
	if err == nil {
		err = s.noteOne(mark)
	}
	if err != nil {
		return fmt.Errorf("store: making the store: %w", err)
	}
	return nil
}

// Take implements [Store].
func (s *Files) Take(ctx context.Context, id string) (Lease, []byte, error) {
	if err := s.check(ctx, id); err != nil {
		return nil, nil, err
	}
	lease, err := s.acquire(ctx, id, false, exists)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := lease.load()
	if err == nil && s.expired(lease.last.at) {
		if err = lease.removeCall(); err == nil {
			return nil, nil, ErrNotFound
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, lease.Release(context.WithoutCancel(ctx)))
	}
	return lease, snapshot, nil
}

// Delete implements [Store].
func (s *Files) Delete(ctx context.Context, id string) error {
	if err := s.check(ctx, id); err != nil {
		return err
	}
	return s.discard(ctx, id, exists)
}

// discard removes a call, unless ok objects to what is there.
func (s *Files) discard(ctx context.Context, id string, ok func(callFiles) error) error {
	lease, err := s.acquire(ctx, id, true, ok)
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

// check reports what keeps the store from doing anything with a call.
func (s *Files) check(ctx context.Context, id string) error {
	if err := checkID(ctx, id); err != nil {
		return err
	}
	return s.sealing().Check()
}
