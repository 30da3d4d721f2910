package redis

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Watch implements [store.Store]. Every script tells a channel of what it changed;
// when that breaks, something may be missed, and the watch begins again.
func (s *Store) Watch(ctx context.Context, q store.Query) iter.Seq2[store.Change, error] {
	return func(yield func(store.Change, error) bool) {
		for {
			goes, err := s.watch(ctx, q, func(c store.Change) bool { return yield(c, nil) })
			if !goes {
				return
			}
			if ctx.Err() != nil {
				yield(store.Change{}, context.Cause(ctx))
				return
			}
			if err != nil {
				yield(store.Change{}, err)
				return
			}
			if !yield(store.Change{Lost: true}, nil) {
				return
			}
		}
	}
}

// maxTold limits the changes that wait for a watcher. More are as good as
// missed.
const maxTold = 4096

// news are the calls that changed, in that order, each once.
type news struct {
	mu      sync.Mutex
	ids     []string
	waiting map[string]bool
	lost    bool
	there   chan struct{} // holds one when there are any
}

func (n *news) add(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.ids) >= maxTold {
		n.lost = true
	} else if !n.waiting[id] {
		n.waiting[id] = true
		n.ids = append(n.ids, id)
	}
	select {
	case n.there <- struct{}{}:
	default:
	}
}

func (n *news) take() (ids []string, lost bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ids, lost = n.ids, n.lost
	n.ids, n.waiting = nil, map[string]bool{}
	return ids, lost
}

// watch watches over one connection, until something may have been missed or
// whoever watches has enough.
func (s *Store) watch(ctx context.Context, q store.Query, yield func(store.Change) bool) (goes bool, err error) {
	if err := s.try(ctx, func(context.Context) error { return nil }); err != nil {
		return true, err
	}
	var tags []string
	if q.Principal != "" {
		if tags, err = s.sealing.Tags(q.Principal); err != nil {
			return true, err
		}
	}
	heard := &news{waiting: map[string]bool{}, there: make(chan struct{}, 1)}
	client, release := s.client.Dedicate()
	defer release()
	broken := client.SetPubSubHooks(rueidis.PubSubHooks{OnMessage: func(m rueidis.PubSubMessage) {
		words := strings.Split(m.Message, " ")
		if len(words) == 3 && store.CheckID(words[0]) == nil && (tags == nil || slices.Contains(tags, words[1])) {
			heard.add(words[0])
		}
	}})
	if err := s.try(ctx, func(ctx context.Context) error {
		return client.Do(ctx, client.B().Subscribe().Channel(s.channel()).Build()).Error()
	}); err != nil {
		return true, err
	}
	told := map[string]time.Time{}
	err = s.list(ctx, store.Query{Principal: q.Principal, Prefix: q.Prefix}, func(call store.Parked) bool {
		told[call.ID] = call.Time
		goes = yield(store.Change{Parked: call})
		return goes
	})
	if err != nil || !goes && len(told) > 0 {
		return err != nil, err
	}
	expiry := time.NewTicker(time.Minute)
	defer expiry.Stop()
	for {
		var ids []string
		select {
		case <-ctx.Done():
			return true, nil
		case <-broken:
			return true, nil
		case <-heard.there:
			var lost bool
			if ids, lost = heard.take(); lost {
				return true, nil
			}
		case <-expiry.C: // of which nobody is told
			for id, at := range told {
				if time.Since(at) > s.keep {
					ids = append(ids, id)
				}
			}
		}
		for len(ids) > 0 {
			n := min(len(ids), maxLooks)
			if goes, err := s.tell(ctx, q, ids[:n], told, yield); err != nil || !goes {
				return goes || err != nil, err
			}
			ids = ids[n:]
		}
	}
}

// tell tells of calls as they are now.
func (s *Store) tell(ctx context.Context, q store.Query, ids []string, told map[string]time.Time, yield func(store.Change) bool) (goes bool, err error) {
	names := make([]name, len(ids))
	for i, id := range ids {
		names[i].id = id
	}
	calls, err := s.look(ctx, names)
	if err != nil {
		return true, err
	}
	for _, id := range ids {
		if !strings.HasPrefix(id, q.Prefix) {
			continue
		}
		change := store.Change{Parked: store.Parked{ID: id}, Gone: true}
		at := slices.IndexFunc(calls, func(call store.Parked) bool { return call.ID == id })
		if at >= 0 && (q.Principal == "" || calls[at].About.Principal == q.Principal) {
			change = store.Change{Parked: calls[at]}
			told[id] = calls[at].Time
		} else {
			delete(told, id)
		}
		if !yield(change) {
			return false, nil
		}
	}
	return true, nil
}
