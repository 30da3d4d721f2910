package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Memory is a [Store] in this process's memory: calls outlive whoever drove them,
// not the process. The zero value is ready.
type Memory struct {
	// Lease is how long the holder of a call may go without renewing it. Zero
	// means [DefaultLease].
	Lease time.Duration

	// Keep is how long a call stays after its last Save. Zero means
	// [DefaultKeep].
	Keep time.Duration

	clock   clock
	mu      sync.Mutex
	calls   map[string]*memoryCall
	last    int64         // time of the last Save, in microseconds: no two are of one time
	changed chan struct{} // closed when something does; nil until somebody waits
}

// memoryCall is a call and who has it.
type memoryCall struct {
	at       int64     // of the last Save, in microseconds; 0 before the first
	saved    time.Time // the same by the monotonic clock, which nobody sets
	snapshot []byte
	about    About
	holder   *memoryLease // nil if nobody ever had it, or it was given back
}

// memoryLease is a lease on a call of [Memory].
type memoryLease struct {
	store *Memory
	id    string
	term  time.Duration
	until time.Time // by the monotonic clock
}

// Create implements [Store].
func (m *Memory) Create(ctx context.Context, id string) (Lease, error) {
	if err := checkID(ctx, id); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[id]
	switch {
	case c != nil && c.isTaken():
		return nil, ErrTaken
	case c != nil && c.at != 0 && !m.over(c):
		return nil, fmt.Errorf("store: creating call %s: %w", id, fs.ErrExist)
	}
	if m.calls == nil {
		m.calls = map[string]*memoryCall{}
	}
	m.calls[id] = &memoryCall{}
	return m.hold(id), nil
}

// Take implements [Store].
func (m *Memory) Take(ctx context.Context, id string) (Lease, []byte, error) {
	if err := checkID(ctx, id); err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.calls[id]
	switch {
	case c != nil && c.isTaken():
		return nil, nil, ErrTaken
	case c == nil || c.at == 0 || m.over(c):
		return nil, nil, ErrNotFound
	}
	return m.hold(id), bytes.Clone(c.snapshot), nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, id string) error {
	lease, _, err := m.Take(ctx, id)
	if err != nil {
		return err
	}
	return lease.Done(context.WithoutCancel(ctx))
}

// hold gives a call to whoever asks now.
func (m *Memory) hold(id string) *memoryLease {
	l := &memoryLease{store: m, id: id, term: cmp.Or(m.Lease, DefaultLease)}
	m.calls[id].holder = l
	l.renew()
	return l
}

func (c *memoryCall) isTaken() bool { return c.holder != nil && time.Now().Before(c.holder.until) }

// over reports whether a call has stood for as long as it is kept.
func (m *Memory) over(c *memoryCall) bool {
	return !c.isTaken() && c.at != 0 && time.Since(c.saved) >= cmp.Or(m.Keep, DefaultKeep)
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, q Query) iter.Seq2[Parked, error] {
	return func(yield func(Parked, error) bool) {
		at, id, err := q.Start()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			yield(Parked{}, err)
			return
		}
		m.mu.Lock()
		maps.DeleteFunc(m.calls, func(_ string, c *memoryCall) bool { return m.over(c) })
		ids := slices.Collect(maps.Keys(m.seen(q)))
		calls := make([]Parked, len(ids))
		for i, id := range ids {
			calls[i] = m.calls[id].parked(id)
		}
		m.mu.Unlock()
		order := func(a, b Parked) int { return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID)) }
		if q.Newest {
			order = func(a, b Parked) int { return cmp.Or(b.Time.Compare(a.Time), strings.Compare(b.ID, a.ID)) }
		}
		slices.SortFunc(calls, order)
		count := 0
		for _, call := range calls {
			switch {
			case id != "" && order(call, Parked{ID: id, Time: at}) <= 0:
				continue
			case ctx.Err() != nil:
				yield(Parked{}, context.Cause(ctx))
				return
			case !yield(call, nil):
				return
			}
			if count++; count == q.Limit {
				return
			}
		}
	}
}

// seen are the calls that a query means, each with a number that changes with it.
func (m *Memory) seen(q Query) map[string]int64 {
	seen := map[string]int64{}
	for id, c := range m.calls {
		if c.at != 0 && strings.HasPrefix(id, q.Prefix) && (q.Principal == "" || c.about.Principal == q.Principal) {
			seen[id] = c.number()
		}
	}
	return seen
}

// number changes with a call; it is 0 before the first Save.
func (c *memoryCall) number() int64 {
	if c.at != 0 && c.isTaken() {
		return -c.at
	}
	return c.at
}

func (c *memoryCall) parked(id string) Parked {
	about := c.about
	about.Titles = slices.Clone(about.Titles)
	return Parked{ID: id, Time: time.UnixMicro(c.at), Taken: c.isTaken(), About: about}
}

// Watch implements [Store].
func (m *Memory) Watch(ctx context.Context, q Query) iter.Seq2[Change, error] {
	var changed <-chan struct{}
	return follow(ctx, watched{
		seen: func() (map[string]int64, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.changed == nil {
				m.changed = make(chan struct{})
			}
			changed = m.changed
			maps.DeleteFunc(m.calls, func(_ string, c *memoryCall) bool { return m.over(c) })
			return m.seen(q), nil
		},
		look: func(id string) (Parked, int64, error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			c := m.calls[id]
			if c == nil {
				return Parked{}, 0, nil
			}
			return c.parked(id), c.number(), nil
		},
		wait: func(stop <-chan struct{}) {
			select {
			case <-changed:
			case <-stop:
			case <-time.After(time.Minute): // to notice what has expired
			}
		},
	})
}

// tell tells those who wait that something has changed.
func (m *Memory) tell() {
	if m.changed != nil {
		close(m.changed)
		m.changed = nil
	}
}

// Save implements [Lease].
func (l *memoryLease) Save(ctx context.Context, snapshot []byte, about About) error {
	text, err := about.text() // for its length
	if err == nil && !about.IsZero() {
		about, err = readAbout(text) // a copy
	}
	if err != nil {
		return err
	}
	return l.do(ctx, func(c *memoryCall) {
		l.renew()
		l.store.last = max(l.store.last+1, l.store.clock.now().UnixMicro())
		c.at, c.saved, c.snapshot = l.store.last, time.Now(), bytes.Clone(snapshot)
		if !about.IsZero() {
			c.about = about
		}
		l.store.tell()
	})
}

// Renew implements [Lease].
func (l *memoryLease) Renew(ctx context.Context) error {
	return l.do(ctx, func(*memoryCall) { l.renew() })
}

// Term implements [Lease].
func (l *memoryLease) Term() time.Duration { return l.term }

// Done implements [Lease].
func (l *memoryLease) Done(ctx context.Context) error {
	return l.do(ctx, func(*memoryCall) {
		delete(l.store.calls, l.id)
		l.store.tell()
	})
}

// Release implements [Lease].
func (l *memoryLease) Release(ctx context.Context) error {
	return l.do(ctx, func(c *memoryCall) {
		if c.holder = nil; c.at == 0 {
			delete(l.store.calls, l.id)
		}
		l.store.tell()
	})
}

// do does something to a call that nobody else has by now.
func (l *memoryLease) do(ctx context.Context, work func(*memoryCall)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	l.store.mu.Lock()
	defer l.store.mu.Unlock()
	c := l.store.calls[l.id]
	if c == nil || c.holder != l {
		return ErrTaken
	}
	work(c)
	return nil
}

func (l *memoryLease) renew() { l.until = time.Now().Add(l.term) }

// checkID reports what keeps a call from being looked for.
func checkID(ctx context.Context, id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
