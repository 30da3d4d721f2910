// Package store keeps calls that wait for a person, so that another process can
// resume them. It needs neither an engine nor package parley.
//
// [Files] keeps them as files of a directory. Whoever runs a call holds a
// [Lease] on it:
//
//	calls := &store.Files{Dir: dir}
//	lease, err := calls.Create(ctx, store.NewID())
//	out, err := session.Call(ctx, parley.Request{Method: "tools/call", Params: params, Save: lease.Save})
//	err = errors.Join(err, parley.Settle(ctx, lease, out, err))
//
// and later, elsewhere:
//
//	lease, snapshot, err := calls.Take(ctx, id)
//	out, err := session.Resume(ctx, parley.Resumption{Snapshot: snapshot, Save: lease.Save})
//
// People take longer than a lease lasts: parley.Keep renews it meanwhile.
package store

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"
	"strings"
	"time"
)

// ErrTaken says that somebody else has the call, or has taken it in the
// meantime.
var ErrTaken = errors.New("store: somebody else has the call")

// ErrNotFound says that there is no such call.
var ErrNotFound = errors.New("store: there is no such call")

// ErrUnsealed says that a snapshot is not sealed, in a store that seals its
// snapshots.
var ErrUnsealed = errors.New("store: the snapshot is not sealed")

// Store keeps calls by id, which is 1 to 64 of A-Z a-z 0-9 _ -; [NewID] makes
// one. A Store is safe for concurrent use, by many processes at once.
type Store interface {
	// Create holds a new call before its first snapshot, so that nobody takes
	// it while it runs; it is listed from its first Save on. It fails with
	// [fs.ErrExist] if the id is in use, and with [ErrTaken] while somebody has
	// it.
	Create(ctx context.Context, id string) (Lease, error)

	// Take returns a call's snapshot, which holds a secret, and the right to
	// drive it, which nobody else has. It fails with [ErrTaken] or
	// [ErrNotFound], and if the snapshot cannot be opened.
	Take(ctx context.Context, id string) (Lease, []byte, error)

	// List returns the calls, those with the oldest snapshot first. An error
	// ends it.
	List(ctx context.Context, q Query) iter.Seq2[Parked, error]

	// Delete discards a call. It fails with [ErrTaken] while somebody has it,
	// and with [ErrNotFound].
	Delete(ctx context.Context, id string) error
}

// Lease is the right to drive a call, until Done or Release, or until somebody
// takes the call over because the lease was not renewed in time; every method
// then fails with [ErrTaken]. It is safe for concurrent use.
type Lease interface {
	// Save replaces the call's snapshot, all of it or nothing, and renews the
	// lease. If it fails with [ErrTaken], the snapshot of whoever has the call
	// now is untouched.
	Save(ctx context.Context, snapshot []byte) error

	// Renew starts the lease over.
	Renew(ctx context.Context) error

	// Term is how long the lease lasts without being renewed.
	Term() time.Duration

	// Done deletes the call.
	Done(ctx context.Context) error

	// Release gives the call back with its snapshot; a call that never had a
	// snapshot is deleted.
	Release(ctx context.Context) error
}

// Query says which calls are listed. The zero value is all of them.
type Query struct {
	Prefix string // of the id
}

// Parked is a call in a store. Only taking it shows whether its snapshot can be
// used.
type Parked struct {
	ID    string
	Time  time.Time // of its last snapshot
	Taken bool      // somebody has it
}

// NewID returns a new random id of 26 characters, [a-z0-9].
func NewID() string { return strings.ToLower(rand.Text()) }
