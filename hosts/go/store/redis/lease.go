package redis

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// lease is a lease on a call. Its generation and token are compared together:
// after a failover a replica may give the same number again.
type lease struct {
	store             *Store
	id                string
	generation, token string

	mu    sync.Mutex
	ended bool
}

// Save implements [store.Lease].
func (l *lease) Save(ctx context.Context, snapshot []byte, about store.About) error {
	sealed, err := l.store.sealing.Seal(l.id, snapshot, about)
	if err != nil {
		return fmt.Errorf("store: sealing call %s: %w", l.id, err)
	}
	if err := l.do(ctx, save, false, millis(l.store.keep), string(sealed.Snapshot), string(sealed.About), sealed.Tag); err != nil {
		return err
	}
	return l.store.confirmed(ctx, l.store.keys(l.id)[0])
}

// Renew implements [store.Lease].
func (l *lease) Renew(ctx context.Context) error { return l.do(ctx, renew, false) }

// Term implements [store.Lease].
func (l *lease) Term() time.Duration { return l.store.term }

// Done implements [store.Lease]. It needs no memory of the server's.
func (l *lease) Done(ctx context.Context) error { return l.do(ctx, done, true) }

// Release implements [store.Lease]. It needs no memory of the server's.
func (l *lease) Release(ctx context.Context) error { return l.do(ctx, release, true) }

func (l *lease) do(ctx context.Context, script *rueidis.Lua, last bool, more ...string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return store.ErrTaken
	}
	_, _, err := l.store.step(ctx, script, l.id, l.token, append([]string{l.generation}, more...)...)
	if err == nil && last {
		l.ended = true
	}
	return err
}
