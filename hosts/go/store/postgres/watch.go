package postgres

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Watch implements [store.Store]. It reads what was changed by transactions that
// were not over when it read before, whenever there is a notification and every
// two seconds. Where the server was started anew, or whoever watches has taken so long that what
// is over may be forgotten, it begins again.
func (s *Store) Watch(ctx context.Context, q store.Query) iter.Seq2[store.Change, error] {
	return func(yield func(store.Change, error) bool) {
		for {
			w := &watch{store: s, query: q, told: map[string]told{}, yield: yield, goes: true}
			err := w.run(ctx)
			switch {
			case !w.goes:
				return
			case ctx.Err() != nil:
				yield(store.Change{}, context.Cause(ctx))
				return
			case err != nil:
				yield(store.Change{}, err)
				return
			case !yield(store.Change{Lost: true}, nil):
				return
			}
		}
	}
}

const (
	watchEvery = 2 * time.Second
	watchMost  = time.Minute // without a look; what is over stays for two
)

// watch is one from its beginning until something may have been missed.
type watch struct {
	store *Store
	query store.Query
	tags  []string // of the principal, if one is meant
	told  map[string]told
	yield func(store.Change, error) bool
	goes  bool // whoever watches wants more

	since string    // the first transaction that may not have been over at the last look
	begun time.Time // of the server
}

// told is what was told of a call that is there.
type told struct {
	changed string
	until   time.Time
}

// run returns when something may have been missed, or with an error.
func (w *watch) run(ctx context.Context) (err error) {
	s := w.store
	if w.query.Principal != "" {
		if w.tags, err = s.sealing.Tags(w.query.Principal); err != nil {
			return err
		}
	}
	if err := s.sealing.Check(); err != nil {
		return err
	}
	ear, leave, err := s.listen(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if w.since, w.begun, err = s.horizon(ctx); err != nil {
		return err
	}
	err = s.list(ctx, store.Query{Principal: w.query.Principal, Prefix: w.query.Prefix}, func(r row) bool {
		w.tell(r)
		return w.goes
	})
	if err != nil || !w.goes {
		return err
	}
	tick, sweep := time.NewTicker(watchEvery), time.NewTicker(time.Minute)
	defer tick.Stop()
	defer sweep.Stop()
	for looked := time.Now(); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-ear.broken:
			return nil
		case <-sweep.C:
			if err := w.sweep(ctx); err != nil || !w.goes {
				return err
			}
		case <-ear.heard:
		case <-tick.C:
		}
		if time.Since(looked) > watchMost {
			return nil
		}
		looked = time.Now()
		if again, err := w.look(ctx); err != nil || again || !w.goes {
			return err
		}
	}
}

// horizon is the first transaction that may not be over, and when the server was
// started: another one counts anew.
func (s *Store) horizon(ctx context.Context) (since string, begun time.Time, err error) {
	err = s.try(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, "select pg_snapshot_xmin(pg_current_snapshot())::text, pg_postmaster_start_time()").Scan(&since, &begun)
	})
	return since, begun, err
}

const (
	news  = "select " + columns + " from SCHEMA.calls c where (c.changed, c.id) > ($1::text::xid8, $2) and ($4::text[] is null or c.tag = any($4) or c.id = any($5)) order by c.changed, c.id limit $3"
	those = "select " + columns + " from SCHEMA.calls c where c.id = any($1)"
)

// look tells what has changed since the last look. It reports whether to begin
// again instead.
func (w *watch) look(ctx context.Context) (again bool, err error) {
	since, begun, err := w.store.horizon(ctx)
	if err != nil || !begun.Equal(w.begun) {
		return true, err
	}
	var known []string // one of them may be another's now
	if w.tags != nil {
		known = slices.Collect(maps.Keys(w.told))
	}
	for changed, id := w.since, ""; ; {
		rows, err := w.store.rows(ctx, news, changed, id, maxRows, w.tags, known)
		if err != nil {
			return false, err
		}
		for _, r := range rows {
			if w.tell(r); !w.goes {
				return false, nil
			}
		}
		if len(rows) < maxRows {
			w.since = since
			return false, nil
		}
		last := rows[len(rows)-1]
		changed, id = last.changed, last.call.ID
	}
}

// sweep tells of calls that have expired, which changes nothing at the server.
func (w *watch) sweep(ctx context.Context) error {
	var ids []string
	for id, is := range w.told {
		if time.Until(is.until) < time.Minute {
			ids = append(ids, id)
		}
	}
	for page := range slices.Chunk(ids, maxRows) {
		rows, err := w.store.rows(ctx, those, page)
		if err != nil {
			return err
		}
		for _, id := range page {
			at := slices.IndexFunc(rows, func(r row) bool { return r.call.ID == id })
			if at < 0 {
				w.tell(row{call: store.Parked{ID: id}})
			} else {
				w.tell(rows[at])
			}
			if !w.goes {
				return nil
			}
		}
	}
	return nil
}

// tell tells of a call as it is now, unless that is known.
func (w *watch) tell(r row) {
	id := r.call.ID
	before, known := w.told[id]
	if r.there && strings.HasPrefix(id, w.query.Prefix) && (w.tags == nil || slices.Contains(w.tags, r.tag)) {
		if known && before.changed == r.changed {
			return
		}
		w.told[id] = told{r.changed, r.until}
		w.goes = w.yield(store.Change{Parked: r.call}, nil)
	} else if known {
		delete(w.told, id)
		w.goes = w.yield(store.Change{Parked: store.Parked{ID: id}, Gone: true}, nil)
	}
}
