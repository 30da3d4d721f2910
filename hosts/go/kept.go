package parley

import (
	"context"
	"errors"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Keep renews a lease while a call runs, because people take longer than it
// lasts, and returns the context to run it with. That ends when stop is called,
// and when the lease was lost, with the reason as its cause: [store.ErrTaken], or
// why it could not be renewed until its time was over. After any earlier error
// it tries again.
func Keep(ctx context.Context, lease store.Lease) (kept context.Context, stop func()) {
	kept, cancel := context.WithCancelCause(ctx)
	go func() { cancel(renewing(kept, lease)) }()
	return kept, func() { cancel(context.Canceled) }
}

// renewing renews a lease until ctx ends or it is lost.
func renewing(ctx context.Context, lease store.Lease) error {
	term := lease.Term()
	pause := max(term/3, time.Millisecond)
	again := max(term/15, time.Millisecond) // after an error
	timer := time.NewTimer(pause)
	defer timer.Stop()
	renewed := time.Now() // by the monotonic clock
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
		}
		begun := time.Now()
		err := lease.Renew(ctx)
		left := term - time.Since(renewed)
		switch {
		case err == nil:
			renewed = begun
			timer.Reset(pause)
		case errors.Is(err, store.ErrTaken), left <= 0:
			return err
		default:
			timer.Reset(min(again, left))
		}
	}
}

// Settle tells a store what became of a call, whose out and err it takes as
// [Session.Call] and [Session.Resume] return them. A call that is done is deleted.
// One that is parked, or has failed and can continue, is kept with its last
// snapshot and given back; so is one that did not even begin, or whose engine
// is gone. One that has failed for good is deleted.
//
// A call is settled even if ctx has ended. The error is the
// store's.
func Settle(ctx context.Context, lease store.Lease, out Outcome, err error) error {
	ctx = context.WithoutCancel(ctx)
	snapshot := out.Snapshot
	var failed *Error
	if errors.As(err, &failed) {
		snapshot = failed.Snapshot
	}
	switch {
	case errors.Is(err, ErrInstance) && snapshot == nil:
		return lease.Release(ctx)
	case err == nil && !out.Parked:
		return lease.Done(ctx)
	case snapshot != nil:
		return errors.Join(lease.Save(ctx, snapshot, store.About{}), lease.Release(ctx))
	case failed != nil && !failed.Code.Resumable():
		return lease.Done(ctx)
	}
	return lease.Release(ctx)
}
