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
// step whose answer is lost is made again as it is, which changes
// nothing, for as long as [Options.Timeout], even if its context ends. One that
// arrives after a later one changes nothing, either. What is confirmed is on the server's
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

// voiding adds a token to those that are void: a step that arrives late takes nothing.
const voiding = "void = (array_prepend($2, array_remove(c.void, $2)))[1:16]"

const (
	create = `insert into SCHEMA.calls as c (id, version, token, held, over, until, changed)
values ($1, 1, $2, clock_timestamp() + $3, false, clock_timestamp() + $3 + interval '2 minutes', pg_current_xact_id())
on conflict (id) do update set token = $2, number = 0, step = null, held = excluded.held, over = false, until = excluded.until,
	changed = excluded.changed, at = null, tag = null, about = null, snapshot = null
where c.version = 1 and $2 <> all (c.void) and (c.token = $2 and c.at is null or (c.held is null or c.held <= clock_timestamp()) and (c.at is null or c.until <= clock_timestamp()))
returning ''::bytea`

	take = `update SCHEMA.calls as c set token = $2, number = case when token = $2 then number else 0 end, step = case when token = $2 then step end,
	held = clock_timestamp() + $3, changed = pg_current_xact_id()
where id = $1 and version = 1 and at is not null and until > clock_timestamp() and $2 <> all (void) and (token = $2 or ` + free + `)
returning snapshot`

	discard = `update SCHEMA.calls as c set token = $2, ` + finished + `
where id = $1 and version = 1 and (token = $2 and over or $2 <> all (void) and at is not null and until > clock_timestamp() and ` + free + `)
returning ''::bytea`

	// finished is what becomes of a call that is done or discarded.
	finished = `over = true, held = null, until = clock_timestamp() + interval '2 minutes', changed = pg_current_xact_id(), at = null, about = null, snapshot = null, ` + voiding

	discardFull = `delete from SCHEMA.calls where id = $1 and version = 1 and at is not null and ` + free

	why = `select version, not ` + free + `, at is not null and until > clock_timestamp() from SCHEMA.calls where id = $1`
)

// Create implements [store.Store].
func (s *Store) Create(ctx context.Context, id string) (store.Lease, error) {
	l := s.newLease(id)
	_, err := s.begin(ctx, create, id, l.token, fs.ErrExist, s.term)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("store: creating call %s: %w", id, err)
	}
	if err != nil {
		return nil, err
	}
	s.clean(cleanCalls)
	return l, nil
}

// Take implements [store.Store].
func (s *Store) Take(ctx context.Context, id string) (store.Lease, []byte, error) {
	l := s.newLease(id)
	sealed, err := s.begin(ctx, take, id, l.token, nil, s.term)
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

// newLease is one with a token that nobody else has, nor can guess.
func (s *Store) newLease(id string) *lease {
	return &lease{store: s, id: id, token: rand.Text(), order: new(store.Order)}
}

// Delete implements [store.Store].
func (s *Store) Delete(ctx context.Context, id string) error {
	_, err := s.begin(ctx, discard, id, rand.Text(), nil)
	if isFull(err) {
		err = s.remove(ctx, s.sql(discardFull), store.ErrNotFound, id)
	}
	if err == nil {
		s.hint()
	}
	return err
}

// begin makes a step that takes a call, or a new one, or discards one, and returns
// its snapshot: exists is the error where the call is there and nobody has it.
func (s *Store) begin(ctx context.Context, sql string, id, token string, exists error, more ...any) (sealed []byte, err error) {
	err = store.Begin(ctx, func(ctx context.Context) error {
		return s.step(ctx, id, func(ctx context.Context) error {
			return s.pool.QueryRow(ctx, s.sql(sql), append([]any{id, token}, more...)...).Scan(&sealed)
		}, exists)
	}, func(ctx context.Context) error { return s.giveBack(ctx, id, token) })
	return sealed, err
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
	return s.change(ctx, func(ctx context.Context) error {
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

// change makes a step that changes something. Where it may have been made, and there
// was no answer, the error is [store.ErrUnsure].
func (s *Store) change(ctx context.Context, step func(context.Context) error) error {
	maybe := false
	err := s.try(ctx, func(ctx context.Context) error {
		err := step(ctx)
		maybe = maybe || err != nil && !refused(err)
		return err
	})
	if err != nil && maybe && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", store.ErrUnsure, err)
	}
	return err
}

// remove removes rows at a server that has no room to change them. Where it has to
// be made again, that there is none is what was wanted.
func (s *Store) remove(ctx context.Context, sql string, none error, args ...any) error {
	tries := 0
	return s.change(ctx, func(ctx context.Context) error {
		tries++
		tag, err := s.pool.Exec(ctx, sql, args...)
		if err == nil && tag.RowsAffected() == 0 && tries == 1 {
			return none
		}
		return err
	})
}
