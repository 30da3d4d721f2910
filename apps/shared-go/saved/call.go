package saved

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-mcp/parley/codec/refusal"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// MoreRounds is how many more rounds a call may ask in when somebody goes on
// with it, the engine's default for a new one.
const MoreRounds = 10

// Call is a call that is saved while it runs. A nil Call is not.
type Call struct {
	ID      string
	Resumed bool // it was in the store before

	lease   lease
	tell    func(problem string)
	end     func()
	broken  sync.Once
	tooLong atomic.Bool // for the store, and it can only become longer
}

// Keeps reports whether the call is saved, so that it can be parked.
func (c *Call) Keeps() bool { return c != nil && !c.tooLong.Load() }

// Begin begins to save a call, of which tell is told in words if it does not
// work.
func Begin(id string, l store.Lease, e Entry, tell func(problem string)) *Call {
	l = &watched{Lease: l, begun: time.Now()}
	ctx, end := context.WithCancel(context.Background())
	go keep(ctx, l)
	return &Call{ID: id, lease: lease{l, e}, tell: tell, end: end}
}

// keep renews a lease until ctx ends or somebody else has the call, which the
// next Save tells. While nobody has, it is tried even after the lease's time: a
// person may be at an answer.
func keep(ctx context.Context, l store.Lease) {
	for {
		kept, stop := parley.Keep(ctx, l)
		<-kept.Done()
		stop()
		if ctx.Err() != nil || errors.Is(context.Cause(kept), store.ErrTaken) {
			return
		}
	}
}

// watched is a lease that notes until when nobody else can have the call.
type watched struct {
	store.Lease
	begun time.Time
	safe  atomic.Int64 // when it was last renewed, in nanoseconds after begun
}

// Renew implements [store.Lease].
func (w *watched) Renew(ctx context.Context) error {
	return w.renews(func() error { return w.Lease.Renew(ctx) })
}

// Save implements [store.Lease].
func (w *watched) Save(ctx context.Context, snapshot []byte, about store.About) error {
	return w.renews(func() error { return w.Lease.Save(ctx, snapshot, about) })
}

func (w *watched) renews(do func() error) error {
	at := time.Since(w.begun)
	err := do()
	if err == nil {
		w.safe.Store(int64(at))
	}
	return err
}

// over reports whether somebody else may have the call.
func (w *watched) over() bool {
	return time.Since(w.begun)-time.Duration(w.safe.Load()) >= w.Term()
}

// lease is of a call whose snapshots are kept in an entry.
type lease struct {
	store.Lease
	entry Entry
}

// Save implements [store.Lease]. What is said about the call is what the snapshot
// says.
func (l lease) Save(ctx context.Context, snapshot []byte, _ store.About) error {
	l.entry.Snapshot = snapshot
	data, err := l.entry.text()
	if err != nil {
		return err
	}
	return l.Lease.Save(ctx, data, l.entry.about())
}

// Saver is the Save of a request, nil if the call is not saved.
func (c *Call) Saver() func(ctx context.Context, snapshot []byte) error {
	if c == nil {
		return nil
	}
	return c.Save
}

// Save saves the call. Only that somebody else has it, or may have it because the
// lease could not be renewed in time, is an error: answers that are not saved can
// still be sent.
func (c *Call) Save(ctx context.Context, snapshot []byte) error {
	err := c.lease.Save(ctx, snapshot, store.About{})
	if err == nil || ctx.Err() != nil || errors.Is(err, store.ErrTaken) { // what was given up, End saves
		return err
	}
	if w, ok := c.lease.Lease.(*watched); ok && w.over() {
		return err
	}
	if errors.Is(err, refusal.TooLarge) {
		c.tooLong.Store(true)
	}
	c.broken.Do(func() { c.tell("the call continues, but is not saved: " + Problem(err)) })
	return nil
}

// End leaves a call that is over in the store if it can go on and that is worth
// something: somebody was asked, say. stopped is that the person gave it up. It
// reports whether the call is there to be resumed; problem is in words.
func (c *Call) End(out parley.Outcome, err error, stopped, worth bool) (kept bool, problem error) {
	if c == nil {
		return false, nil
	}
	defer c.end()
	var failed *parley.Error
	switch isCall := errors.As(err, &failed); {
	case errors.Is(err, store.ErrTaken): // it is somebody else's
		return false, nil
	case out.Parked,
		err != nil && !isCall && c.Resumed && !stopped, // it did not even begin
		isCall && failed.Resumable && !stopped && (worth || c.Resumed || failed.InDoubt):
		if err := parley.Settle(context.Background(), c.lease, out, err); err != nil {
			return false, fmt.Errorf("the call could not be saved: %s", Problem(err))
		}
		return true, nil
	}
	if err := c.lease.Done(context.Background()); err != nil {
		return false, fmt.Errorf("the call %s is still saved: %s", c.ID, Problem(err))
	}
	return false, nil
}
