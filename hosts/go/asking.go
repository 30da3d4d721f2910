package parley

import (
	"context"
	"sync"
	"time"
)

// asking is the context of an asker. It ends with its question and with the
// context of the call. What package context needs for that is made where somebody
// looks: many askers do not, or at no more than whether it has ended. The zero
// value has a parent to get still.
type asking struct {
	parent context.Context

	mu     sync.Mutex
	ended  bool
	cause  error // of the end, nil if the question is over
	inner  context.Context
	cancel context.CancelCauseFunc // of inner
}

// end ends the context. It may be called more than once; the first cause counts.
func (a *asking) end(cause error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	a.ended, a.cause = true, cause
	if a.cancel != nil {
		a.cancel(cause)
	}
}

// isOver reports whether there is nobody to ask for: the question is over, or the
// caller has given up.
func (a *asking) isOver() bool { return a.Err() != nil }

// made is the context of package context.
func (a *asking) made() context.Context {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.inner == nil {
		a.inner, a.cancel = context.WithCancelCause(a.parent)
		if a.ended {
			a.cancel(a.cause)
		}
	}
	return a.inner
}

// Err implements [context.Context].
func (a *asking) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.inner != nil:
		return a.inner.Err()
	case a.ended:
		return context.Canceled
	}
	return a.parent.Err()
}

// Done implements [context.Context].
func (a *asking) Done() <-chan struct{} { return a.made().Done() }

// Deadline implements [context.Context].
func (a *asking) Deadline() (deadline time.Time, ok bool) { return a.parent.Deadline() }

// Value implements [context.Context]. By it package context finds its own.
func (a *asking) Value(key any) any { return a.made().Value(key) }
