package parley

import (
	"context"
	"errors"
	"time"

	"github.com/parley-mcp/parley/engine/session"
	"github.com/parley-mcp/parley/hosts/go/cache"
)

// resultCache is where a session has the host keep results.
type resultCache struct {
	own    cache.Memory
	shared cache.Store // nil if there is none
	writes serial      // of shared, and what is looked up there after them
}

// storeTime bounds how long a store may take to write.
const storeTime = 5 * time.Second

// cacheOptions says to the engine what is kept.
func cacheOptions(core *session.Options, opts cache.Options) error {
	if opts.Store != nil && opts.Server == "" {
		return errors.New("parley: a cache.Store needs the name of the server, which tells its results from another's")
	}
	core.Cache = !opts.Off
	if opts.Store != nil {
		core.CachedAs = opts.Server
	}
	return nil
}

func (k *resultCache) keep(a session.Keep) {
	until := time.UnixMilli(a.Until)
	if a.Private || k.shared == nil {
		k.own.Set(context.Background(), a.Key, a.Entry, until) // cannot fail
		return
	}
	k.write(func(ctx context.Context) { k.shared.Set(ctx, a.Key, a.Entry, until) })
}

func (k *resultCache) forget(prefix string) {
	k.write(func(ctx context.Context) { k.shared.Forget(ctx, prefix) })
}

// write queues a change of the shared store. Of its failures nothing is said: at
// most the server is asked once more.
func (k *resultCache) write(change func(context.Context)) {
	k.writes.add(func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeTime)
		defer cancel()
		change(ctx)
	}, maxHooks)
}

// recall looks up what was kept, after what was written before.
func (k *resultCache) recall(ctx context.Context, a session.Recall, found func(entry []byte)) {
	look := func(from cache.Store) {
		var entry []byte
		defer func() { found(entry) }()
		if ctx.Err() == nil {
			observe(func() {
				if got, err := from.Get(ctx, a.Key); err == nil {
					entry = got
				}
			})
		}
	}
	if a.Private || k.shared == nil {
		look(&k.own)
		return
	}
	k.writes.add(func() { look(k.shared) }, 0)
}

// authorizer is a transport that knows whose authorization its requests carry:
// how often that has changed so far.
type authorizer interface {
	authorized(ctx context.Context) (changes int, err error)
}

// recall performs a lookup, which waits for nothing that is sent.
func (s *Session) recall(x *exchange) {
	if !s.starts(x) {
		return
	}
	a := x.action.(session.Recall)
	go func() {
		changes := 0
		if t, ok := s.transport.(authorizer); ok && a.Private {
			err := errors.New("parley: the transport panicked")
			observe(func() { changes, err = t.authorized(x.ctx) })
			if err != nil { // the request fails at it too, and says why
				s.report(x.machine, session.Ended{Exchange: x.number}, nil, false)
				return
			}
		}
		s.results.recall(x.ctx, a, func(entry []byte) {
			if entry == nil {
				s.report(x.machine, session.Ended{Exchange: x.number, Authorization: changes}, nil, false)
			} else {
				s.report(x.machine, session.Message{Exchange: x.number, Body: entry, Authorization: changes, Last: true}, nil, false)
			}
		})
	}()
}
