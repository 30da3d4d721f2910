package store

import (
	"context"
	"errors"
	"sync"
)

// ErrQuota says that a call is not kept, because its principal has as many calls as
// a [Quota] lets them have.
var ErrQuota = errors.New("store: whose call this is has as many calls as they may: one of these must be finished or discarded first")

// Quota is a [Store] that lets each principal have so many calls, over any other:
//
//	calls := &store.Quota{Store: files, Calls: 100}
//
// It refuses the first Save of a call, with [ErrQuota]: a host that saves before it
// sends has sent nothing, and asked nobody. A call that was saved once is saved from
// then on, however many there are, so that no answer is lost. Nobody's calls are
// not counted, nor is what becomes somebody's by a later Save.
//
// What others have kept counts, with a quota or without; but each Quota counts for
// itself, one new call of a principal after the other. With n of them on one
// store, a principal may get n-1 calls more than it says. A first Save lists the
// principal's calls, at most as many as there may be.
type Quota struct {
	Store

	// Calls is how many calls a principal may have. Zero means that there is no
	// limit.
	Calls int

	mu    sync.Mutex
	turns map[string]*quotaTurn
}

// quotaTurn is whose turn it is to save a new call of a principal.
type quotaTurn struct {
	free   chan struct{} // holds one value while it is nobody's
	wanted int           // by how many, with who has it
}

// Create implements [Store].
func (q *Quota) Create(ctx context.Context, id string) (Lease, error) {
	lease, err := q.Store.Create(ctx, id)
	if err != nil || q.Calls <= 0 {
		return lease, err
	}
	return &quotaLease{Lease: lease, quota: q, id: id}, nil
}

// quotaLease is a lease on a new call.
type quotaLease struct {
	Lease
	quota *Quota
	id    string

	mu     sync.Mutex
	kept   bool
	unsure bool // a Save has failed, and may have been done
	whose  string
}

// Save implements [Lease].
func (l *quotaLease) Save(ctx context.Context, snapshot []byte, about About) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !about.IsZero() {
		l.whose = about.Principal
	}
	if l.kept || l.whose == "" {
		return l.save(ctx, snapshot, about)
	}
	end, err := l.quota.begin(ctx, l.whose)
	if err != nil {
		return err
	}
	defer end()
	if err := l.check(ctx); err != nil {
		return err
	}
	return l.save(ctx, snapshot, about)
}

func (l *quotaLease) save(ctx context.Context, snapshot []byte, about About) error {
	err := l.Lease.Save(ctx, snapshot, about)
	l.kept = l.kept || err == nil
	l.unsure = !l.kept
	return err
}

// check fails with [ErrQuota] if the call is a new one, and one too many.
func (l *quotaLease) check(ctx context.Context) error {
	if l.unsure {
		for call, err := range l.quota.List(ctx, Query{Principal: l.whose, Prefix: l.id}) {
			if err != nil {
				return err
			}
			if call.ID == l.id {
				return nil
			}
		}
	}
	seen := map[string]bool{}
	for call, err := range l.quota.List(ctx, Query{Principal: l.whose}) {
		if err != nil {
			return err
		}
		seen[call.ID] = true // a list may have one twice
		if len(seen) >= l.quota.Calls {
			return ErrQuota
		}
	}
	return nil
}

// begin waits until no other new call of a principal is being saved.
func (q *Quota) begin(ctx context.Context, principal string) (end func(), err error) {
	q.mu.Lock()
	turn := q.turns[principal]
	if turn == nil {
		if q.turns == nil {
			q.turns = map[string]*quotaTurn{}
		}
		turn = &quotaTurn{free: make(chan struct{}, 1)}
		turn.free <- struct{}{}
		q.turns[principal] = turn
	}
	turn.wanted++
	q.mu.Unlock()
	leave := func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if turn.wanted--; turn.wanted == 0 {
			delete(q.turns, principal)
		}
	}
	select {
	case <-turn.free:
		return func() { turn.free <- struct{}{}; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, context.Cause(ctx)
	}
}
