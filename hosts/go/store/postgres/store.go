// Package postgres keeps calls in PostgreSQL, where many machines share them, and
// remembers which states of a server were used. It is a module of its own, so that
// nobody else downloads its client.
//
//	calls, err := postgres.Open(ctx, "postgres://parley@db.example.com/parley", postgres.Options{Box: box})
//
// PostgreSQL 15 is what it is tested with, alone and with a standby that takes over; 13 is needed. Nothing is decided by the
// clock of a machine that uses the store: leases and times are the server's. The
// tables are made where they are missing, in a schema of their own. LAYOUT.md in
// this directory says what is in them, for other languages.
//
// Every step is one statement, and every lease has a random token of its own. A
// step whose answer is lost is made again with the same token, which changes
// nothing, for as long as [Options.Timeout]. What is confirmed is on the server's
// disk, and on those of its synchronous standbys.
package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Options are how a store is opened.
type Options struct {
	// Box and Unsealed are a [store.Sealing]: without either, everything fails
	// with [store.ErrNoBox].
	Box      store.Box
	Unsealed bool

	// Lease is how long the holder of a call may go without renewing it. Zero
	// means [store.DefaultLease].
	Lease time.Duration

	// Keep is how long a call stays after its last Save. Zero means
	// [store.DefaultKeep].
	Keep time.Duration

	// Timeout is how long one step may take, with all that is tried again. Zero
	// means 10 s. It is much less than a lease.
	Timeout time.Duration
}

// Store is a [store.Store] in PostgreSQL.
type Store struct {
	pool    *pgxpool.Pool
	sealing store.Sealing
	address address
	term    time.Duration
	keep    time.Duration
	timeout time.Duration

	closed   atomic.Bool
	ending   context.Context // ends with the store
	end      context.CancelFunc
	chores   sync.WaitGroup
	hints    hints
	listener listener
	begun    time.Time
	cleaned  atomic.Int64 // how long after begun
}

var _ store.Store = (*Store)(nil)

const defaultTimeout = 10 * time.Second

// Open connects to the PostgreSQL of a URL:
//
//	postgres://user:password@host:5432/database
//
// with these parameters, if any: schema=NAME, which the tables are in (default
// parley); durability=checked, for a server that has fsync or full_page_writes
// off, by who knows that it loses nothing all the same; pool_max_conns=N,
// connections at once (default 8, or the number of processors); sslmode,
// sslrootcert, sslcert, sslkey, sslsni, passfile, connect_timeout,
// target_session_attrs and application_name as for libpq. Hosts that are not this machine are
// spoken to over TLS with a name that is checked, unless sslmode says otherwise.
// What the URL does not say, the PG* variables and the password file do.
//
// The tables are made if they are not there. No error has the URL in it.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	s := newStore(store.Sealing{Box: o.Box, Unsealed: o.Unsealed}, cmp.Or(o.Timeout, defaultTimeout))
	s.term, s.keep = cmp.Or(o.Lease, store.DefaultLease), cmp.Or(o.Keep, store.DefaultKeep)
	if err := s.sealing.Check(); err != nil {
		return nil, err
	}
	if err := s.connect(ctx, url); err != nil {
		return nil, err
	}
	return s, nil
}

func newStore(sealing store.Sealing, timeout time.Duration) *Store {
	s := &Store{sealing: sealing, timeout: timeout, begun: time.Now()}
	s.cleaned.Store(-int64(cleanEvery))
	s.ending, s.end = context.WithCancel(context.Background())
	return s
}

// Close ends the connections. Leases go on until they are over.
func (s *Store) Close() error {
	s.closed.Store(true)
	s.end()
	s.chores.Wait()
	s.pool.Close()
	return nil
}

// free is when nobody has a call.
const free = "(held is null or held <= clock_timestamp())"

const (
	create = `insert into SCHEMA.calls as c (id, version, generation, token, held, over, until, changed)
values ($1, 1, 1, $2, clock_timestamp() + $3, false, clock_timestamp() + $3 + interval '2 minutes', pg_current_xact_id())
on conflict (id) do update set generation = c.generation + (c.token <> $2)::int, token = $2, held = excluded.held, over = false, until = excluded.until,
	changed = excluded.changed, at = null, tag = null, about = null, snapshot = null
where c.version = 1 and (c.token = $2 and c.at is null or (c.held is null or c.held <= clock_timestamp()) and (c.at is null or c.until <= clock_timestamp()))
returning generation`

	take = `update SCHEMA.calls set generation = generation + (token <> $2)::int, token = $2, held = clock_timestamp() + $3, changed = pg_current_xact_id()
where id = $1 and version = 1 and at is not null and until > clock_timestamp() and (token = $2 or ` + free + `)
returning generation, snapshot`

	discard = `update SCHEMA.calls set token = $2, ` + finished + `
where id = $1 and version = 1 and (token = $2 and over or at is not null and until > clock_timestamp() and ` + free + `)
returning generation`

	// finished is what becomes of a call that is done or discarded.
	finished = `over = true, held = null, until = clock_timestamp() + interval '2 minutes', changed = pg_current_xact_id(), at = null, about = null, snapshot = null`

	discardFull = `delete from SCHEMA.calls where id = $1 and version = 1 and at is not null and ` + free

	why = `select version, not ` + free + `, at is not null and until > clock_timestamp() from SCHEMA.calls where id = $1`
)

// Create implements [store.Store].
func (s *Store) Create(ctx context.Context, id string) (store.Lease, error) {
	l := &lease{store: s, id: id, token: rand.Text()}
	err := s.step(ctx, id, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, s.sql(create), id, l.token, s.term).Scan(&l.generation)
	}, fs.ErrExist)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("store: creating call %s: %w", id, err)
	}
	if err != nil {
		return nil, err
	}
	s.clean(cleanCalls)
	return l, nil
}

// Take implements [store.Store].
func (s *Store) Take(ctx context.Context, id string) (store.Lease, []byte, error) {
	l := &lease{store: s, id: id, token: rand.Text()}
	var sealed []byte
	err := s.step(ctx, id, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, s.sql(take), id, l.token, s.term).Scan(&l.generation, &sealed)
	}, nil)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := s.sealing.OpenSnapshot(id, sealed)
	if err != nil {
		err = fmt.Errorf("store: opening call %s: %w", id, err)
		return nil, nil, errors.Join(err, l.Release(context.WithoutCancel(ctx)))
	}
	s.hint()
	return l, snapshot, nil
}

// Delete implements [store.Store].
func (s *Store) Delete(ctx context.Context, id string) error {
	token, generation := rand.Text(), int64(0)
	err := s.step(ctx, id, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, s.sql(discard), id, token).Scan(&generation)
	}, nil)
	if isFull(err) {
		err = s.remove(ctx, s.sql(discardFull), store.ErrNotFound, id)
	}
	if err == nil {
		s.hint()
	}
	return err
}

// step does something with a call, and says why it was not done: exists is the
// error where the call is there and nobody has it.
func (s *Store) step(ctx context.Context, id string, do func(context.Context) error, exists error) error {
	if err := store.CheckID(id); err != nil {
		return err
	}
	if err := s.sealing.Check(); err != nil {
		return err
	}
	return s.try(ctx, func(ctx context.Context) error {
		err := do(ctx)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		var version int
		var held, there bool
		err = s.pool.QueryRow(ctx, s.sql(why), id).Scan(&version, &held, &there)
		switch {
		case errors.Is(err, pgx.ErrNoRows) && exists == nil:
			return store.ErrNotFound
		case errors.Is(err, pgx.ErrNoRows):
			return errFree
		case err != nil:
			return err
		case version != 1:
			return store.ErrLayout
		case held:
			return store.ErrTaken
		case there && exists != nil:
			return exists
		case !there && exists == nil:
			return store.ErrNotFound
		}
		return errFree // somebody had it a moment ago
	})
}

// remove removes rows at a server that has no room to change them. Where it has to
// be made again, that there is none is what was wanted.
func (s *Store) remove(ctx context.Context, sql string, none error, args ...any) error {
	tries := 0
	return s.try(ctx, func(ctx context.Context) error {
		tries++
		tag, err := s.pool.Exec(ctx, sql, args...)
		if err == nil && tag.RowsAffected() == 0 && tries == 1 {
			return none
		}
		return err
	})
}
