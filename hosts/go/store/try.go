package store

import (
	"context"
	"errors"
	"time"
)

// Tries is how a store makes a step at a server that may not answer for a moment:
// again and again, with pauses, until it succeeds, or fails in a way that does not
// pass, or its time is up. A step whose answer was lost is made again, so it has to
// do the same when it is made twice.
type Tries struct {
	// Within is how long a step may take with all its tries.
	Within time.Duration

	// Passes reports whether an error may be of the moment.
	Passes func(error) bool

	// Explain says what an error that ends a step means to whoever runs the
	// server.
	Explain func(error) error
}

// Make makes a step. Where ctx ends first, the error is its cause; where the time
// is up, that of the last try that says more than this.
func (t Tries) Make(ctx context.Context, step func(context.Context) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	within, cancel := context.WithTimeout(ctx, t.Within)
	defer cancel()
	var before error
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		err := step(within)
		if err == nil {
			return nil
		}
		if before != nil && within.Err() != nil && errors.Is(err, within.Err()) {
			err = before
		}
		before = err
		if !t.Passes(err) {
			return t.Explain(err)
		}
		select {
		case <-within.Done():
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return t.Explain(err)
		case <-time.After(pause):
		}
	}
}
