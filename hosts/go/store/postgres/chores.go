package postgres

import (
	"context"
	"sync"
	"time"
)

const (
	cleanEvery = time.Minute
	cleanMost  = 500 // rows at a time
	hintPause  = 20 * time.Millisecond
)

const (
	cleanCalls = "with gone as (delete from SCHEMA.calls where id in (select id from SCHEMA.calls where until <= clock_timestamp() and " + free +
		" order by until limit $1 for update skip locked) returning 1) select count(*) from gone"

	// Of the marks that were removed one is left, without a state: it says until
	// when states may have been forgotten.
	cleanMarks = "with gone as (delete from SCHEMA.marks where id in (select id from SCHEMA.marks where until <= clock_timestamp() and id <> '' " +
		"order by until limit $1 for update skip locked) returning until), forgotten as (insert into SCHEMA.marks as m (id, attempt, until) " +
		"select '', '', max(until) from gone having count(*) > 0 on conflict (id) do update set until = greatest(m.until, excluded.until)) select count(*) from gone"
)

// clean removes some rows of a table whose time is over, once a minute, and more
// often where there are more of them.
func (s *Store) clean(sql string) {
	now, last := int64(time.Since(s.begun)), s.cleaned.Load()
	if now-last < int64(cleanEvery) || s.closed.Load() || !s.cleaned.CompareAndSwap(last, now) {
		return
	}
	s.chores.Go(func() {
		ctx, cancel := context.WithTimeout(s.ending, s.timeout)
		defer cancel()
		// Whatever keeps it from being done, it is tried again.
		gone := 0
		if err := s.pool.QueryRow(ctx, s.sql(sql), cleanMost).Scan(&gone); err == nil && gone == cleanMost {
			s.cleaned.CompareAndSwap(now, now-int64(cleanEvery))
		}
	})
}

// hints tell those who watch that there is something to see. A notification holds
// up all that is written at the server, so that there is one for all that happened
// during the last; one that is lost costs those who watch two seconds.
type hints struct {
	mu             sync.Mutex
	running, wants bool
}

// hint tells that something has changed.
func (s *Store) hint() {
	h := &s.hints
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wants = true; h.running || s.closed.Load() {
		return
	}
	h.running = true
	s.chores.Go(func() {
		for s.wantsHint() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			s.pool.Exec(ctx, "select pg_notify($1, '')", s.channel())
			cancel()
			select {
			case <-s.ending.Done():
			case <-time.After(hintPause):
			}
		}
	})
}

func (s *Store) wantsHint() bool {
	h := &s.hints
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running = h.wants
	h.wants = false
	return h.running
}

func (s *Store) channel() string { return s.address.schema + "_changes" }
