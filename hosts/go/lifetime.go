package parley

import (
	"context"
	"slices"
	"sync"
	"time"
)

// lifetime is a context that ends when it is told to, and is made where it is
// needed: one of package context takes two allocations and a place in its
// parent. The zero value has not ended.
type lifetime struct {
	mu    sync.Mutex
	ended bool
	done  chan struct{} // nil until somebody asks for it
	after []*func()
}

// end ends the context. It may be called more than once.
func (l *lifetime) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.ended = true
	if l.done != nil {
		close(l.done)
	}
	for _, f := range l.after {
		go (*f)()
	}
	l.after = nil
}

// Done implements [context.Context].
func (l *lifetime) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done == nil {
		l.done = make(chan struct{})
		if l.ended {
			close(l.done)
		}
	}
	return l.done
}

// Err implements [context.Context].
func (l *lifetime) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return context.Canceled
	}
	return nil
}

// Deadline implements [context.Context].
func (l *lifetime) Deadline() (deadline time.Time, ok bool) { return deadline, false }

// Value implements [context.Context].
func (l *lifetime) Value(any) any { return nil }

// AfterFunc is what package context looks for in a context that is not its own:
// one that is derived from it needs no goroutine then.
func (l *lifetime) AfterFunc(f func()) (stop func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		go f()
		return func() bool { return false }
	}
	l.after = append(l.after, &f)
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		i := slices.Index(l.after, &f)
		if i < 0 {
			return false
		}
		l.after = slices.Delete(l.after, i, i+1)
		return true
	}
}
