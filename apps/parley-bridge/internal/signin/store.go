package signin

import (
	"context"
	"net/url"
	"strings"

	"github.com/parley-mcp/parley/hosts/go/oauth"
)

// userStore is the part of a store that is one user's. On a bridge without users
// the accounts are those of who runs it, and the same as in other programs.
type userStore struct {
	oauth.Store
	prefix string
}

func (d *Desk) storeOf(user string) oauth.Store {
	if user == "" {
		return d.o.Store
	}
	return &userStore{d.o.Store, "bridge user " + url.QueryEscape(user) + " "}
}

// Load implements [oauth.Store].
func (s *userStore) Load(ctx context.Context, key string) ([]byte, error) {
	return s.Store.Load(ctx, s.prefix+key)
}

// Save implements [oauth.Store].
func (s *userStore) Save(ctx context.Context, key string, value []byte) error {
	return s.Store.Save(ctx, s.prefix+key, value)
}

// Lock implements [oauth.Store].
func (s *userStore) Lock(ctx context.Context, key string) (func(), error) {
	return s.Store.Lock(ctx, s.prefix+key)
}

// Keys implements [oauth.Store].
func (s *userStore) Keys(ctx context.Context) (keys []string, err error) {
	all, err := s.Store.Keys(ctx)
	for _, key := range all {
		if own, ok := strings.CutPrefix(key, s.prefix); ok {
			keys = append(keys, own)
		}
	}
	return keys, err
}
