package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Replay is a [codec.ReplayStore] for all instances of a server: together they let
// a state open once. What cannot be asked in time is refused.
type Replay struct {
	store *Store
}

var _ codec.ReplayStore = (*Replay)(nil)

// OpenReplay connects to the PostgreSQL of a URL, as [Open] does. A state has
// to be asked about within Timeout, 2 s if it is zero. Nothing of it is kept but
// its random name, so there is nothing to seal.
func OpenReplay(ctx context.Context, url string, timeout time.Duration) (*Replay, error) {
	s := newStore(store.Sealing{Unsealed: true}, cmp.Or(timeout, 2*time.Second))
	if err := s.connect(ctx, url); err != nil {
		return nil, err
	}
	return &Replay{s}, nil
}

// Close ends the connections.
func (r *Replay) Close() error { return r.store.Close() }

// mark notes which attempt used a state, unless another one did, or it is too late.
var mark = `insert into SCHEMA.marks as m (id, attempt, until)
select $1, $2, to_timestamp($3::float8 / 1000) + interval '2 minutes' where not (` + tooLate("$3") + `)
on conflict (id) do update set attempt = m.attempt where m.attempt = $2
returning false`

// tooLate is when a state has expired, by the clock as it is now or as it was when
// marks of states that live as long were removed.
func tooLate(millis string) string {
	expires := "to_timestamp(" + millis + "::float8 / 1000)"
	return "clock_timestamp() >= " + expires + " or exists (select from SCHEMA.marks where id = '' and until >= " + expires + " + interval '2 minutes')"
}

// Consume implements [codec.ReplayStore]. The server compares expires with its
// own clock. Asked again because an answer was lost, it knows that it was this
// attempt that used the state.
func (r *Replay) Consume(id [16]byte, expires time.Time) (first bool, err error) {
	s, attempt, late := r.store, rand.Text(), false
	err = s.try(context.Background(), func(ctx context.Context) error {
		err := s.pool.QueryRow(ctx, s.sql(mark), id[:], attempt, expires.UnixMilli()).Scan(&late)
		if first = err == nil; !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return s.pool.QueryRow(ctx, s.sql("select "+tooLate("$1")), expires.UnixMilli()).Scan(&late)
	})
	switch {
	case err != nil:
		return false, err
	case late:
		return false, errors.New("store: the state has expired by the clock of Postgres")
	}
	s.clean(cleanMarks)
	return first, nil
}
