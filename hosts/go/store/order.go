package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Order is the order of a lease's steps at a server. They are made one after the
// other, each under a number and a random id of its own, by which the server knows
// one that comes again, and one that comes late. A step that was begun does not end
// with its context, but in a time of its own. The zero value is ready.
type Order struct {
	mu     sync.Mutex
	number int64 // of the last step
	ending bool  // the lease has ended, or may have
	over   bool
}

// Step makes a step that others may follow. Where the server says [ErrTaken], the
// lease is over.
func (o *Order) Step(ctx context.Context, step func(ctx context.Context, number int64, id string) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ending || o.over {
		return ErrTaken
	}
	o.number++
	err := step(context.WithoutCancel(ctx), o.number, rand.Text())
	o.over = errors.Is(err, ErrTaken)
	return err
}

// End makes the last step, which needs no number. Where it is not known whether it
// was made, only another End may follow.
func (o *Order) End(ctx context.Context, step func(ctx context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return ErrTaken
	}
	err := step(context.WithoutCancel(ctx))
	o.over = err == nil || errors.Is(err, ErrTaken)
	o.ending = o.ending || errors.Is(err, ErrUnsure)
	return err
}

// Twin copies the order of a lease that another process has, too.
func (o *Order) Twin() *Order {
	o.mu.Lock()
	defer o.mu.Unlock()
	return &Order{number: o.number, ending: o.ending, over: o.over}
}

// Begin makes a step that takes a call, or a new one, or discards one. Where nobody
// waits for it any more, or it is not known whether it was made, giveBack has the
// server forget it, even if it arrives later.
func Begin(ctx context.Context, step, giveBack func(context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	err := step(ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	} else if !errors.Is(err, ErrUnsure) {
		return err
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBackWithin)
	defer cancel()
	if failed := giveBack(within); failed != nil && !errors.Is(failed, ErrTaken) {
		err = errors.Join(err, fmt.Errorf("store: until its lease is over, somebody may have the call for nobody: %w", failed))
	}
	return err
}

// giveBackWithin is how long whoever goes away waits for this.
const giveBackWithin = 2 * time.Second
