package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
)

// ErrBoth says that a call is in two stores, and not the same in both: it was
// continued in one of them after a move was cut off.
var ErrBoth = errors.New("store: the call is in both stores, and has gone on in one of them: discard the older")

// Move moves all calls from one store to another, those with the oldest snapshot
// first, and yields each id with nil, or with why the call stays where it is:
// [ErrTaken] while somebody has it. With an empty id the list could not be read on.
//
// Both stores need the key: what is moved is sealed for the other store, with
// what is said about it, and is kept there from now on as if it had just been
// saved. While a call is moved nobody gets it at either place. A move that was
// cut off, at whatever point, is done again: what is in both stores then, and
// alike, is removed from the first.
func Move(ctx context.Context, from, to Store) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for call, err := range from.List(ctx, Query{}) {
			if err != nil {
				yield("", err)
				return
			}
			switch err := moveCall(ctx, from, to, call); {
			case errors.Is(err, ErrNotFound): // done or discarded meanwhile
			case !yield(call.ID, err):
				return
			}
		}
	}
}

func moveCall(ctx context.Context, from, to Store, call Parked) error {
	if call.Problem != nil {
		return call.Problem
	}
	here, snapshot, err := from.Take(ctx, call.ID)
	if err != nil {
		return err
	}
	there, err := moveTo(ctx, to, call, snapshot)
	if err != nil {
		return errors.Join(err, here.Release(context.WithoutCancel(ctx)))
	}
	// Held at both places until it is gone from here: killed in between, it is
	// in both and alike.
	if err := here.Done(ctx); err != nil {
		end := there.Release // it may be gone from here all the same
		if errors.Is(err, ErrTaken) {
			end = there.Done // whoever has it goes on here
		}
		err = errors.Join(err, end(context.WithoutCancel(ctx)))
		return fmt.Errorf("store: removing call %s where it was: %w", call.ID, err)
	}
	return there.Release(context.WithoutCancel(ctx))
}

// moveTo makes a call elsewhere, or finds it there as it was left by a move that
// was cut off, and holds it.
func moveTo(ctx context.Context, to Store, call Parked, snapshot []byte) (Lease, error) {
	lease, err := to.Create(ctx, call.ID)
	if errors.Is(err, fs.ErrExist) {
		lease, there, err := to.Take(ctx, call.ID)
		if err == nil && !bytes.Equal(there, snapshot) {
			return nil, errors.Join(ErrBoth, lease.Release(context.WithoutCancel(ctx)))
		}
		return lease, err
	}
	if err != nil {
		return nil, err
	}
	if err := lease.Save(ctx, snapshot, call.About); err != nil {
		return nil, errors.Join(err, lease.Done(context.WithoutCancel(ctx)))
	}
	return lease, nil
}
