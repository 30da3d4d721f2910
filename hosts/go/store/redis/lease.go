package redis

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// lease is a lease on a call.
type lease struct {
	store     *Store
	id, token string
	order     *store.Order
}

// Save implements [store.Lease].
func (l *lease) Save(ctx context.Context, snapshot []byte, about store.About) error {
	sealed, err := l.store.sealing.Seal(l.id, snapshot, about)
	if err != nil {
		return fmt.Errorf("store: sealing call %s: %w", l.id, err)
	}
	return l.do(ctx, save, millis(l.store.keep), string(sealed.Snapshot), string(sealed.About), sealed.Tag)
}

// Renew implements [store.Lease]. One that a later step has overtaken has nothing
// left to do.
func (l *lease) Renew(ctx context.Context) error {
	err := l.do(ctx, renew)
	if errors.Is(err, store.ErrSuperseded) {
		return nil
	}
	return err
}

// Term implements [store.Lease].
func (l *lease) Term() time.Duration { return l.store.term }

// Done implements [store.Lease]. It needs no memory of the server's.
func (l *lease) Done(ctx context.Context) error { return l.end(ctx, done) }

// Release implements [store.Lease]. It needs no memory of the server's.
func (l *lease) Release(ctx context.Context) error { return l.end(ctx, release) }

// do makes a step that another may follow.
func (l *lease) do(ctx context.Context, script *rueidis.Lua, more ...string) error {
	return l.order.Step(ctx, func(ctx context.Context, number int64, id string) error {
		_, err := l.store.change(ctx, script, l.id, l.token, append([]string{strconv.FormatInt(number, 10), id}, more...)...)
		return err
	})
}

// end makes the last step.
func (l *lease) end(ctx context.Context, script *rueidis.Lua) error {
	return l.order.End(ctx, func(ctx context.Context) error {
		_, err := l.store.change(ctx, script, l.id, l.token)
		return err
	})
}
