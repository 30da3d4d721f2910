// Package redis keeps calls in Redis, where many machines share them, and
// remembers which states of a server were used. It is a module of its own, so that
// nobody else downloads its client.
//
//	calls, err := redis.Open(ctx, "redis://127.0.0.1:6379", redis.Options{Box: box})
//
// Redis 7.0 is what it is tested with, alone and in a cluster. Nothing is decided by the clock of a
// machine that uses the store: leases and times are Redis's. LAYOUT.md in this
// directory says what lies under which key, for other languages.
//
// Every step is a script that Redis runs whole, and every lease has a random
// token of its own. A step whose answer is lost is made again as it is,
// which changes nothing, for as long as [Options.Timeout], even if its context ends. One that
// arrives after a later one changes nothing, either. A failover of Redis may lose the
// last steps; with wait in the URL one that too few replicas have
// confirmed is [store.ErrUnsure].
package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis/internal/answer"
)

// Options are how a store is opened.
type Options struct {
	// Box and Unsealed are a [store.Sealing]: without either, everything fails
	// with [store.ErrNoBox].
	Box      store.Box
	Unsealed bool

	// Lease is how long the holder of a call may go without renewing it. Zero
	// means [store.DefaultLease].
	Lease time.Duration

	// Keep is how long a call stays after its last Save. Zero means
	// [store.DefaultKeep].
	Keep time.Duration

	// Timeout is how long one step may take, with all that is tried again. Zero
	// means 10 s. It is much less than a lease.
	Timeout time.Duration
}

// Store is a [store.Store] in Redis.
type Store struct {
	client  rueidis.Client
	sealing store.Sealing
	address address
	term    time.Duration
	keep    time.Duration
	timeout time.Duration

	dials   *atomic.Int64 // connections that were begun
	checked atomic.Int64  // how many had been when the server was last looked at
}

var _ store.Store = (*Store)(nil)

const defaultTimeout = 10 * time.Second

// Open connects to the Redis of a URL:
//
//	redis://user:password@host:6379/0   a server, or one of a cluster
//	rediss://...                        the same over TLS
//
// with these parameters, if any: addr=HOST:PORT, one more of a cluster or of the
// sentinels, which may be repeated; master_set=NAME, the set that sentinels watch;
// prefix=NAME, before the colon that all keys begin with (default parley); wait=N,
// how many replicas are to confirm a step; eviction=checked, for a server that
// does not tell its maxmemory-policy, by who knows that it is noeviction.
//
// A server that may evict keys is refused, at every connection: an evicted key
// is a call that is lost, or a state that opens twice. No error has the URL in it.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	s := &Store{
		sealing: store.Sealing{Box: o.Box, Unsealed: o.Unsealed},
		term:    cmp.Or(o.Lease, store.DefaultLease), keep: cmp.Or(o.Keep, store.DefaultKeep), timeout: cmp.Or(o.Timeout, defaultTimeout),
	}
	if err := s.sealing.Check(); err != nil {
		return nil, err
	}
	if err := s.connect(ctx, url); err != nil {
		return nil, err
	}
	return s, nil
}

// Close ends the connections. Leases go on until they are over.
func (s *Store) Close() error {
	s.client.Close()
	return nil
}

// shards is how many parts the keys are in. Each part is at one place of a
// cluster, so that a script can change a call and the indexes it is in.
const shards = 64

// shardOf is the part that an id is in.
func shardOf(id string) int {
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32() % shards)
}

// base is what the keys of a part begin with.
func (s *Store) base(shard int) string { return fmt.Sprintf("%s:{%02d}:", s.address.prefix, shard) }

func (s *Store) channel() string { return s.address.prefix + ":changes" }

// keys are a call's, its lock's, that of the index of its part, and the one that
// voids a token.
func (s *Store) keys(id, token string) []string {
	base := s.base(shardOf(id))
	return []string{base + "call:" + id, base + "lock:" + id, base + "all", base + "void:" + token}
}

// begin makes a step that takes a call, or a new one, or discards one.
func (s *Store) begin(ctx context.Context, script *rueidis.Lua, id, token string) (words []string, err error) {
	err = store.Begin(ctx, func(ctx context.Context) error {
		words, err = s.change(ctx, script, id, token)
		return err
	}, func(ctx context.Context) error {
		_, err := s.change(ctx, release, id, token)
		return err
	})
	return words, err
}

// change runs a script that changes a call, and returns the words after "ok".
func (s *Store) change(ctx context.Context, script *rueidis.Lua, id, token string, more ...string) (words []string, err error) {
	if err := store.CheckID(id); err != nil {
		return nil, err
	}
	if err := s.sealing.Check(); err != nil {
		return nil, err
	}
	keys := s.keys(id, token)
	args := append([]string{s.base(shardOf(id)), s.channel(), id, token, millis(s.term)}, more...)
	maybe, answered := false, false // in a try before, and in the last one
	err = s.try(ctx, func(ctx context.Context) error {
		var err error
		words, err = script.Exec(ctx, s.client, keys, args).AsStrSlice()
		answered = err == nil
		maybe = maybe || !answered && !refused(err)
		return err
	})
	switch {
	case err != nil:
		maybe = maybe || answered
	default:
		words, err = verdict(words)
	}
	switch {
	case err != nil && maybe && ctx.Err() == nil:
		return nil, fmt.Errorf("%w: %w", store.ErrUnsure, err)
	case err != nil:
		return nil, err
	}
	return words, s.confirmed(ctx, keys[0])
}

// verdict reads what a script says, and returns the words after "ok".
func verdict(words []string) ([]string, error) {
	if len(words) == 0 {
		return nil, errGarbage
	}
	switch words[0] {
	case "ok":
		return words[1:], nil
	case "taken":
		return nil, store.ErrTaken
	case "late":
		return nil, store.ErrSuperseded
	case "none":
		return nil, store.ErrNotFound
	case "exist":
		return nil, fs.ErrExist
	case "layout":
		return nil, store.ErrLayout
	}
	return nil, errGarbage
}

var errGarbage = answer.ErrGarbage

// Create implements [store.Store].
func (s *Store) Create(ctx context.Context, id string) (store.Lease, error) {
	l := s.newLease(id)
	_, err := s.begin(ctx, create, id, l.token)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("store: creating call %s: %w", id, err)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Take implements [store.Store].
func (s *Store) Take(ctx context.Context, id string) (store.Lease, []byte, error) {
	l := s.newLease(id)
	words, err := s.begin(ctx, take, id, l.token)
	if err != nil {
		return nil, nil, err
	}
	if len(words) != 1 {
		return nil, nil, errGarbage
	}
	snapshot, err := s.sealing.OpenSnapshot(id, []byte(words[0]))
	if err != nil {
		err = fmt.Errorf("store: opening call %s: %w", id, err)
		return nil, nil, errors.Join(err, l.Release(context.WithoutCancel(ctx)))
	}
	return l, snapshot, nil
}

// Delete implements [store.Store].
func (s *Store) Delete(ctx context.Context, id string) error {
	_, err := s.begin(ctx, discard, id, rand.Text())
	return err
}

// newLease is one with a token that nobody else has, nor can guess.
func (s *Store) newLease(id string) *lease {
	return &lease{store: s, id: id, token: rand.Text(), order: new(store.Order)}
}

func millis(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }
