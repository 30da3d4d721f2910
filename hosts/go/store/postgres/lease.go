package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// lease is a lease on a call. Its generation and token are compared together:
// after a failover a standby may give the same number again.
type lease struct {
	store      *Store
	id         string
	generation int64
	token      string

	mu    sync.Mutex
	ended bool
}

// fenced is when a call is still its holder's.
const fenced = " where id = $1 and generation = $2 and token = $3"

const (
	save = `update SCHEMA.calls set snapshot = $4, at = greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, at + 1),
	about = coalesce($5, about), tag = case when $5::bytea is null then tag else nullif($6, '') end,
	held = clock_timestamp() + $7, until = clock_timestamp() + $8, changed = pg_current_xact_id()` + fenced + ` and not over returning generation`

	renew = `update SCHEMA.calls set held = clock_timestamp() + $4,
	until = case when at is null then clock_timestamp() + $4 + interval '2 minutes' else until end` + fenced + ` and not over returning generation`

	done = `update SCHEMA.calls set ` + finished + fenced + ` returning generation`

	release = `update SCHEMA.calls set held = null, over = at is null, changed = pg_current_xact_id(),
	until = case when at is null then clock_timestamp() + interval '2 minutes' else until end` + fenced + ` returning generation`

	doneFull = `delete from SCHEMA.calls` + fenced
)

// Save implements [store.Lease].
func (l *lease) Save(ctx context.Context, snapshot []byte, about store.About) error {
	sealed, err := l.store.sealing.Seal(l.id, snapshot, about)
	if err != nil {
		return fmt.Errorf("store: sealing call %s: %w", l.id, err)
	}
	if sealed.Snapshot == nil {
		sealed.Snapshot = []byte{}
	}
	return l.do(ctx, save, true, sealed.Snapshot, sealed.About, sealed.Tag, l.store.term, l.store.keep)
}

// Renew implements [store.Lease].
func (l *lease) Renew(ctx context.Context) error { return l.do(ctx, renew, false, l.store.term) }

// Term implements [store.Lease].
func (l *lease) Term() time.Duration { return l.store.term }

// Done implements [store.Lease]. It needs no room at the server.
func (l *lease) Done(ctx context.Context) error { return l.end(ctx, done) }

// Release implements [store.Lease].
func (l *lease) Release(ctx context.Context) error { return l.end(ctx, release) }

// end is the last step of a lease.
func (l *lease) end(ctx context.Context, sql string) error {
	err := l.do(ctx, sql, true)
	if sql == done && isFull(err) {
		err = l.store.remove(ctx, l.store.sql(doneFull), store.ErrTaken, l.id, l.generation, l.token)
	}
	if err == nil {
		l.mu.Lock()
		l.ended = true
		l.mu.Unlock()
	}
	return err
}

// do makes a step, if nobody else has taken the call.
func (l *lease) do(ctx context.Context, sql string, tells bool, more ...any) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return store.ErrTaken
	}
	args := append([]any{l.id, l.generation, l.token}, more...)
	err := l.store.try(ctx, func(ctx context.Context) error {
		var generation int64
		err := l.store.pool.QueryRow(ctx, l.store.sql(sql), args...).Scan(&generation)
		if errors.Is(err, pgx.ErrNoRows) {
			return store.ErrTaken
		}
		return err
	})
	if err == nil && tells {
		l.store.hint()
	}
	return err
}
