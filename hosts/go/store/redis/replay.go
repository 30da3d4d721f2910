package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Replay is a [codec.ReplayStore] for all instances of a server: together they let
// a state open once. What cannot be asked in time is refused.
type Replay struct {
	store *Store
}

var _ codec.ReplayStore = (*Replay)(nil)

// OpenReplay connects to the Redis of a URL, as [Open] does. A state has
// to be asked about within Timeout, 2 s if it is zero. Nothing of it is kept but
// its random name, so there is nothing to seal.
func OpenReplay(ctx context.Context, url string, timeout time.Duration) (*Replay, error) {
	s := &Store{sealing: store.Sealing{Unsealed: true}, timeout: cmp.Or(timeout, 2*time.Second)}
	if err := s.connect(ctx, url); err != nil {
		return nil, err
	}
	return &Replay{s}, nil
}

// Close ends the connections.
func (r *Replay) Close() error { return r.store.Close() }

// Consume implements [codec.ReplayStore]. The server compares expires with its
// own clock. Asked again because an answer was lost, it knows that it was this
// attempt that used the state.
func (r *Replay) Consume(id [16]byte, expires time.Time) (first bool, err error) {
	s := r.store
	key := s.address.prefix + ":mark:" + hex.EncodeToString(id[:])
	attempt := rand.Text()
	var words []string
	err = s.try(context.Background(), func(ctx context.Context) error {
		words, err = mark.Exec(ctx, s.client, []string{key}, []string{attempt, strconv.FormatInt(expires.UnixMilli(), 10)}).AsStrSlice()
		return err
	})
	switch {
	case err != nil:
		return false, err
	case len(words) == 1 && words[0] == "first":
		if err := s.confirmed(context.Background(), key); err != nil {
			return false, err
		}
		return true, nil
	case len(words) == 1 && words[0] == "used":
		return false, nil
	case len(words) == 1 && words[0] == "expired":
		return false, errors.New("store: the state has expired by the clock of Redis")
	}
	return false, errGarbage
}
