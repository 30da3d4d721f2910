package postgres

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// List implements [store.Store]. It reads a page at a time, each from where an
// index says that it begins.
func (s *Store) List(ctx context.Context, q store.Query) iter.Seq2[store.Parked, error] {
	return func(yield func(store.Parked, error) bool) {
		if err := s.list(ctx, q, func(r row) bool { return yield(r.call, nil) }); err != nil {
			yield(store.Parked{}, err)
		}
	}
}

// maxRows is how many calls are read together.
const maxRows = 100

// row is a call as a list or a watch reads it.
type row struct {
	call    store.Parked
	changed string    // by which transaction
	until   time.Time // it is kept so long, by the clock of the server
	there   bool      // it is neither over nor before its first save
	tag     string
}

const columns = "c.id, c.version, coalesce(c.at, 0), not (c.held is null or c.held <= clock_timestamp()), c.about, c.changed::text, c.until, c.at is not null and c.until > clock_timestamp(), coalesce(c.tag, '')"

// pages are what reads the next page, of all calls and of those under tags: oldest
// first, and newest first.
var pages = map[bool][2]string{
	false: {pageOf("", ">", ""), pageOf("of", ">", "")},
	true:  {pageOf("", "<", " desc"), pageOf("of", "<", " desc")},
}

func pageOf(of, after, order string) string {
	page := "select " + columns + " from SCHEMA.calls c where c.at is not null and c.until > clock_timestamp() and starts_with(c.id, $1) and (c.at, c.id) " +
		after + " ($2, $3)"
	if of == "" {
		return page + " order by c.at" + order + ", c.id" + order + " limit $4"
	}
	// Under each tag the index has them in order; there are few.
	return "select p.* from unnest($5::text[]) as tags (tag) cross join lateral (" + page + " and c.tag = tags.tag order by c.at" + order + ", c.id" + order + " limit $4) p order by 3" +
		order + ", 1" + order + " limit $4"
}

func (s *Store) list(ctx context.Context, q store.Query, yield func(row) bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	start, id, err := q.Start()
	if err != nil {
		return err
	}
	at := start.UnixMicro()
	if id == "" {
		at = 0
		if q.Newest {
			at = 1<<63 - 1
		}
	}
	sql, tags := pages[q.Newest][0], []string(nil)
	if q.Principal != "" {
		if tags, err = s.sealing.Tags(q.Principal); err != nil {
			return err
		}
		sql = pages[q.Newest][1]
	}
	for count := 0; ; {
		most := maxRows
		if q.Limit > 0 {
			most = min(most, q.Limit-count)
		}
		args := []any{q.Prefix, at, id, most}
		if tags != nil {
			args = append(args, tags)
		}
		rows, err := s.rows(ctx, sql, args...)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if count++; !yield(r) || count == q.Limit {
				return nil
			}
		}
		if len(rows) < most {
			return nil
		}
		last := rows[len(rows)-1].call
		at, id = last.Time.UnixMicro(), last.ID
	}
}

// rows are what a query finds.
func (s *Store) rows(ctx context.Context, sql string, args ...any) (found []row, err error) {
	err = s.try(ctx, func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, s.sql(sql), args...)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, s.read)
		return err
	})
	return found, err
}

// read reads what was found of a call.
func (s *Store) read(from pgx.CollectableRow) (r row, err error) {
	var version int
	var at int64
	var about []byte
	if err := from.Scan(&r.call.ID, &version, &at, &r.call.Taken, &about, &r.changed, &r.until, &r.there, &r.tag); err != nil {
		return r, err
	}
	r.call.Time = time.UnixMicro(at)
	if version != 1 {
		r.call.Problem = store.ErrLayout
	} else {
		r.call.About, r.call.Problem = s.sealing.OpenAbout(r.call.ID, about)
	}
	return r, nil
}
