// Package store keeps calls that wait for a person, so that another process can
// resume them. It needs neither an engine nor package parley.
//
// [Files] keeps them as files of a directory, [Memory] in this process, and
// hosts/go/store/redis and hosts/go/store/postgres, modules of their own, where
// many machines share them.
// README.md in this directory says which one to take. Whoever runs a call holds
// a [Lease] on it:
//
//	calls := &store.Files{Dir: dir, Box: box}
//	lease, err := calls.Create(ctx, store.NewID())
//	save := store.Saver(lease, store.About{Label: "Work items"})
//	out, err := session.Call(ctx, parley.Request{Method: "tools/call", Params: params, Save: save})
//	err = errors.Join(err, parley.Settle(ctx, lease, out, err))
//
// and later, elsewhere:
//
//	lease, snapshot, err := calls.Take(ctx, id)
//	out, err := session.Resume(ctx, parley.Resumption{Snapshot: snapshot, Save: store.Saver(lease, store.About{})})
//
// People take longer than a lease lasts: parley.Keep renews it meanwhile.
//
// Package storetest has the tests that every implementation passes.
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

// ErrNoBox says that a store has nothing to seal with, and was not told that
// what it keeps may lie open.
var ErrNoBox = errors.New("store: there is no Box to seal calls with (Unsealed keeps them as they are)")

// ErrLayout says that a call, or the whole store, was written by a version of
// Parley that keeps calls in another way.
var ErrLayout = errors.New("store: another version of Parley wrote it, in a layout that this one does not know")

// ErrUnsure says that it is not known whether a step was made: there was no answer
// in time, or fewer replicas than were wanted have confirmed it, and a failover may
// lose it.
var ErrUnsure = errors.New("store: it is not known whether this was done")

// ErrSuperseded says that a later step of the same lease was there before this one,
// which changes nothing any more.
var ErrSuperseded = errors.New("store: a later step of the same lease was there before")

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
	// [ErrNotFound], and if the snapshot cannot be opened; the call then stays
	// as it was.
	Take(ctx context.Context, id string) (Lease, []byte, error)

	// List returns calls, those with the oldest snapshot first. It reads them
	// as the loop goes on, never all at once. An error ends it. A call that is
	// saved meanwhile may come twice, or not at all.
	List(ctx context.Context, q Query) iter.Seq2[Parked, error]

	// Watch returns the calls as they are, then those that are saved, done,
	// discarded or have expired, each at least once, until ctx ends: its cause is
	// the error that ends the loop. Several changes of a call may become one, and
	// that a call was only taken or given back may go untold. Limit, After and
	// Newest mean nothing here.
	Watch(ctx context.Context, q Query) iter.Seq2[Change, error]

	// Delete discards a call. It fails with [ErrTaken] while somebody has it,
	// and with [ErrNotFound].
	Delete(ctx context.Context, id string) error
}

// Lease is the right to drive a call, until Done or Release, or until somebody
// takes the call over because the lease was not renewed in time; every method
// then fails with [ErrTaken]. It is safe for concurrent use.
type Lease interface {
	// Save replaces the call's snapshot, all of it or nothing, and what is said
	// about it, unless about is the zero value, and renews the lease. If it
	// fails with [ErrTaken], the snapshot of whoever has the call now is
	// untouched.
	Save(ctx context.Context, snapshot []byte, about About) error

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

const (
	// DefaultLease is how long a lease lasts, unless a store is told otherwise.
	DefaultLease = 30 * time.Second

	// DefaultKeep is how long a call stays after its last Save, unless a store is
	// told otherwise.
	DefaultKeep = 30 * 24 * time.Hour
)

// Saver saves a call's snapshots under a lease, for a request's Save. What is said
// about the call stays as it is, or as it was where about is the zero value.
func Saver(lease Lease, about About) func(ctx context.Context, snapshot []byte) error {
	return func(ctx context.Context, snapshot []byte) error { return lease.Save(ctx, snapshot, about) }
}

// DeleteOf discards all calls of a principal. Those that somebody has stay, which
// is [ErrTaken].
func DeleteOf(ctx context.Context, s Store, principal string) error {
	if principal == "" {
		return errors.New("store: nobody's calls are discarded one by one")
	}
	var failed error
	for call, err := range s.List(ctx, Query{Principal: principal}) {
		if err != nil {
			return errors.Join(failed, err)
		}
		if err := s.Delete(ctx, call.ID); err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(failed, err) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// NewID returns a new random id of 26 characters, [a-z0-9].
func NewID() string { return strings.ToLower(rand.Text()) }

// CheckID reports what keeps an id from being one.
func CheckID(id string) error {
	ok := len(id) >= 1 && len(id) <= 64
	for i := 0; ok && i < len(id); i++ {
		c := id[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if !ok {
		return errors.New("store: the id of a call is 1 to 64 of A-Z a-z 0-9 _ -")
	}
	return nil
}
