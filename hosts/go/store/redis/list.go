package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// List implements [store.Store]. Every part of the keys has an index of its own;
// they are read a few names at a time, and merged.
func (s *Store) List(ctx context.Context, q store.Query) iter.Seq2[store.Parked, error] {
	return func(yield func(store.Parked, error) bool) {
		if err := s.list(ctx, q, func(call store.Parked) bool { return yield(call, nil) }); err != nil {
			yield(store.Parked{}, err)
		}
	}
}

const (
	maxLooks = 64 // calls that are looked at together
	maxNames = 16 // that are read of an index at a time
)

func (s *Store) list(ctx context.Context, q store.Query, yield func(store.Parked) bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	at, id, err := q.Start()
	if err != nil {
		return err
	}
	m := &merge{store: s, newest: q.Newest}
	suffixes := []string{"all"}
	if q.Principal != "" {
		if suffixes, err = s.sealing.Tags(q.Principal); err != nil {
			return err
		}
		for i, tag := range suffixes {
			suffixes[i] = "of:" + tag
		}
	}
	for shard := range shards {
		for _, suffix := range suffixes {
			m.rows = append(m.rows, &row{key: s.base(shard) + suffix, from: at.UnixMicro(), after: id, begun: id != ""})
		}
	}
	m.most = maxNames
	if q.Limit > 0 {
		m.most = min(maxNames, 6+2*q.Limit/shards)
	}
	if err := m.fill(ctx, m.rows); err != nil {
		return err
	}
	for count := 0; ; {
		batch := maxLooks
		if q.Limit > 0 {
			batch = min(batch, q.Limit-count)
		}
		names, err := m.next(ctx, batch, q.Prefix)
		if err != nil || len(names) == 0 {
			return err
		}
		calls, err := s.look(ctx, names)
		if err != nil {
			return err
		}
		for _, call := range calls {
			if count++; !yield(call) || count == q.Limit {
				return nil
			}
		}
	}
}

// name is a call in an index.
type name struct {
	index string
	at    int64
	id    string
}

// row is an index, as far as it was read.
type row struct {
	key   string
	begun bool
	from  int64  // the time to read on from
	after string // of the calls of that time, those to pass over; "" if seen says how many
	seen  int64
	names []name // read, and not merged yet
	over  bool
}

// merge goes through indexes in the order of time.
type merge struct {
	store  *Store
	newest bool
	most   int
	rows   []*row
}

func (m *merge) order(a, b name) int {
	order := cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.id, b.id))
	if m.newest {
		return -order
	}
	return order
}

// next returns the next names, at most so many.
func (m *merge) next(ctx context.Context, most int, prefix string) (names []name, err error) {
	for len(names) < most {
		var empty []*row
		m.rows = slices.DeleteFunc(m.rows, func(r *row) bool { return r.over && len(r.names) == 0 })
		for _, r := range m.rows {
			if len(r.names) == 0 {
				empty = append(empty, r)
			}
		}
		if len(empty) > 0 {
			if err := m.fill(ctx, empty); err != nil {
				return nil, err
			}
			continue
		}
		if len(m.rows) == 0 {
			break
		}
		first := slices.MinFunc(m.rows, func(a, b *row) int { return m.order(a.names[0], b.names[0]) })
		if strings.HasPrefix(first.names[0].id, prefix) {
			names = append(names, first.names[0])
		}
		first.names = first.names[1:]
	}
	return names, nil
}

// fill reads more names of some rows.
func (m *merge) fill(ctx context.Context, rows []*row) error {
	s := m.store
	var answers [][]rueidis.ZScore
	err := s.try(ctx, func(ctx context.Context) error {
		commands := make(rueidis.Commands, 0, len(rows))
		for _, r := range rows {
			from := "-inf"
			if m.newest {
				from = "+inf"
			}
			if r.begun {
				from = strconv.FormatInt(r.from, 10)
			}
			if m.newest {
				commands = append(commands, s.client.B().Zrevrangebyscore().Key(r.key).Max(from).Min("-inf").Withscores().Limit(r.seen, int64(m.most)).Build())
			} else {
				commands = append(commands, s.client.B().Zrangebyscore().Key(r.key).Min(from).Max("+inf").Withscores().Limit(r.seen, int64(m.most)).Build())
			}
		}
		answers = answers[:0]
		for _, answer := range s.client.DoMulti(ctx, commands...) {
			scores, err := answer.AsZScores()
			if err != nil {
				return err
			}
			answers = append(answers, scores)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, r := range rows {
		r.take(m, answers[i])
	}
	return nil
}

// take takes what was read of an index.
func (r *row) take(m *merge, scores []rueidis.ZScore) {
	r.over = len(scores) < m.most
	cursor := name{r.key, r.from, r.after}
	for _, score := range scores {
		one := name{r.key, int64(score.Score), score.Member}
		if r.begun && one.at == r.from {
			r.seen++
		} else {
			r.begun, r.from, r.seen = true, one.at, 1
		}
		if cursor.id != "" && m.order(one, cursor) <= 0 || store.CheckID(one.id) != nil {
			continue // of the page before, or not the store's
		}
		r.names = append(r.names, one)
	}
}

// look tells what a list tells of calls. Those that are gone are left out, and so
// are those that were saved since, which come later.
func (s *Store) look(ctx context.Context, names []name) (calls []store.Parked, err error) {
	var answers [][]string
	err = s.try(ctx, func(ctx context.Context) error {
		steps := make([]rueidis.LuaExec, len(names))
		for i, one := range names {
			keys := s.keys(one.id, "")
			steps[i] = rueidis.LuaExec{Keys: []string{keys[0], keys[1], cmp.Or(one.index, keys[2])}, Args: []string{one.id}}
		}
		answers = answers[:0]
		for i, answer := range look.ExecMulti(ctx, s.client, steps...) {
			words, err := answer.AsStrSlice()
			if _, refused := rueidis.IsRedisErr(err); refused && !passes(err) {
				words, err = []string{"damaged", explain(err).Error()}, nil
			}
			if err != nil {
				return fmt.Errorf("looking at call %s: %w", names[i].id, err)
			}
			answers = append(answers, words)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, words := range answers {
		call, found, err := s.read(names[i], words)
		if err != nil {
			return nil, err
		}
		if found {
			calls = append(calls, call)
		}
	}
	return calls, nil
}

// read reads what was found of a call.
func (s *Store) read(of name, words []string) (call store.Parked, found bool, err error) {
	call = store.Parked{ID: of.id, Time: time.UnixMicro(of.at)}
	if len(words) == 2 && words[0] == "damaged" {
		call.Problem = errors.New(words[1])
		return call, true, nil
	}
	said, err := verdict(words)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return call, false, nil
	case errors.Is(err, store.ErrLayout) && len(words) == 3:
		call.Taken, call.Problem = words[2] == "1", err
		return call, true, nil
	case err != nil || len(said) != 4:
		return call, false, cmp.Or(err, errGarbage)
	}
	at, err := strconv.ParseInt(said[0], 10, 64)
	if err != nil {
		call.Problem = errGarbage
		return call, true, nil
	}
	if of.index != "" && at != of.at {
		return call, false, nil
	}
	call.Time, call.Taken = time.UnixMicro(at), said[1] == "1"
	call.About, call.Problem = s.sealing.OpenAbout(of.id, []byte(said[3]))
	return call, true, nil
}
