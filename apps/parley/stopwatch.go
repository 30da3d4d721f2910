package main

import (
	"context"
	"sync"
	"time"
)

// stopwatch is a bound of time that a person's own time does not count to.
type stopwatch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	cause  error

	mu     sync.Mutex
	left   time.Duration
	began  time.Time
	paused int
	timer  *time.Timer
}

// newStopwatch makes a context that ends with cause when the time is over.
func newStopwatch(ctx context.Context, bound time.Duration, cause error) *stopwatch {
	w := &stopwatch{cause: cause, left: bound}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.run()
	return w
}

func (w *stopwatch) run() {
	w.began = time.Now()
	w.timer = time.AfterFunc(w.left, func() { w.cancel(w.cause) })
}

// pause stops it until resume is called.
func (w *stopwatch) pause() (resume func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.paused++; w.paused == 1 {
		w.timer.Stop()
		w.left -= time.Since(w.began)
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.paused--; w.paused == 0 {
			w.run()
		}
	}
}

// end ends the context.
func (w *stopwatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
	w.cancel(nil)
}
