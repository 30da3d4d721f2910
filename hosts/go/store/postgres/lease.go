package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// lease is a lease on a call.
type lease struct {
	store     *Store
	id, token string
	order     *store.Order
}

// fenced is when a call is still its holder's, who did not give it back, and made
// neither this step nor a later one.
const fenced = " where id = $1 and token = $2 and held is not null and number < $3"

const (
	save = `update SCHEMA.calls set snapshot = $5, at = greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, at + 1),
	about = coalesce($6, about), tag = case when $6::bytea is null then tag else nullif($7, '') end, number = $3, step = $4,
	held = clock_timestamp() + $8, until = clock_timestamp() + $9, changed = pg_current_xact_id()` + fenced + ` returning true`

	renew = `update SCHEMA.calls set held = clock_timestamp() + $5, number = $3, step = $4,
	until = case when at is null then clock_timestamp() + $5 + interval '2 minutes' else until end` + fenced + ` returning true`

	// made says of a holder's call whether a step was made, and whether a later one
	// was.
	made = `select number = $3 and step = $4, number > $3 from SCHEMA.calls where id = $1 and token = $2 and held is not null`

	done = `update SCHEMA.calls as c set ` + finished + ` where id = $1 and token = $2 and (held is not null or over) returning true`

	doneFull = `delete from SCHEMA.calls where id = $1 and token = $2 and held is not null`

	// release leaves a call to others, as far as it is this token's, which is void.
	release = `insert into SCHEMA.calls as c (id, version, token, over, until, changed, void)
values ($1, 1, '', true, clock_timestamp() + interval '2 minutes', pg_current_xact_id(), array[$2])
on conflict (id) do update set held = case when c.token = $2 then null else c.held end, over = c.over or c.token = $2 and c.at is null,
	until = case when c.at is null and (c.over or c.token = $2) then excluded.until else c.until end, changed = excluded.changed, ` + voiding + `
where c.version = 1
returning token = $2`
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
	err = l.do(ctx, save, sealed.Snapshot, sealed.About, sealed.Tag, l.store.term, l.store.keep)
	if err == nil {
		l.store.hint()
	}
	return err
}

// Renew implements [store.Lease]. One that a later step has overtaken has nothing
// left to do.
func (l *lease) Renew(ctx context.Context) error {
	err := l.do(ctx, renew, l.store.term)
	if errors.Is(err, store.ErrSuperseded) {
		return nil
	}
	return err
}

// Term implements [store.Lease].
func (l *lease) Term() time.Duration { return l.store.term }

// do makes a step that another may follow.
func (l *lease) do(ctx context.Context, sql string, more ...any) error {
	s := l.store
	return l.order.Step(ctx, func(ctx context.Context, number int64, id string) error {
		return s.change(ctx, func(ctx context.Context) error {
			var ok, late bool
			who := []any{l.id, l.token, number, id}
			err := s.pool.QueryRow(ctx, s.sql(sql), append(who, more...)...).Scan(&ok)
			if !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			err = s.pool.QueryRow(ctx, s.sql(made), who...).Scan(&ok, &late)
			switch {
			case err != nil && !errors.Is(err, pgx.ErrNoRows):
				return err
			case late:
				return store.ErrSuperseded
			case !ok:
				return store.ErrTaken
			}
			return nil // in a try whose answer was lost
		})
	})
}

// Done implements [store.Lease]. It needs no room at the server.
func (l *lease) Done(ctx context.Context) error {
	s := l.store
	return l.order.End(ctx, func(ctx context.Context) error {
		err := s.change(ctx, func(ctx context.Context) error {
			var ok bool
			err := s.pool.QueryRow(ctx, s.sql(done), l.id, l.token).Scan(&ok)
			if errors.Is(err, pgx.ErrNoRows) {
				return store.ErrTaken
			}
			return err
		})
		if isFull(err) {
			err = s.remove(ctx, s.sql(doneFull), store.ErrTaken, l.id, l.token)
		}
		if err == nil {
			s.hint()
		}
		return err
	})
}

// Release implements [store.Lease].
func (l *lease) Release(ctx context.Context) error {
	return l.order.End(ctx, func(ctx context.Context) error { return l.store.giveBack(ctx, l.id, l.token) })
}

// giveBack leaves a call to others. Where it was not taken with this token it cannot
// be any more, and the error is [store.ErrTaken].
func (s *Store) giveBack(ctx context.Context, id, token string) error {
	var mine bool
	err := s.change(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, s.sql(release), id, token).Scan(&mine)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return store.ErrLayout
	case err != nil:
		return err
	case !mine:
		return store.ErrTaken
	}
	s.hint()
	return nil
}
