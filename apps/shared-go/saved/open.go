package saved

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
)

// EnvStore names the store where no flag does. A URL with a password belongs
// there: arguments can be seen by others.
const EnvStore = "PARLEY_STORE"

// Where is the URL of the store that a flag or, where it is empty, the environment
// names; empty if neither does.
func Where(flag string, getenv func(string) string) (string, error) {
	if flag == "" {
		flag = getenv(EnvStore)
	} else if u, err := url.Parse(flag); err == nil && u.User != nil {
		if _, secret := u.User.Password(); secret {
			return "", errors.New("--store has a password, which others can see on a command line: put the URL into " + EnvStore + " instead")
		}
	}
	if flag == "" {
		return "", nil
	}
	return flag, check(flag)
}

// IsFile reports whether a store's URL is of files on this machine.
func IsFile(url string) bool { return strings.HasPrefix(url, "file:") }

// check says what is wrong with a store's URL, and nothing of what is in it.
func check(url string) error {
	scheme, rest, _ := strings.Cut(url, ":")
	switch {
	case scheme == "file" && rest != "" && !strings.HasPrefix(rest, "//"),
		scheme == "redis", scheme == "rediss", isPostgres(url):
		return nil
	case scheme == "file":
		return errors.New("--store file:DIR names a directory, after the colon")
	}
	return errors.New("--store is file:DIR, redis://HOST:PORT (rediss:// with TLS) or postgres://USER@HOST:PORT/DATABASE")
}

func isPostgres(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return scheme == "postgres" || scheme == "postgresql"
}

// Open opens the store of a URL, the only place where one is chosen. It lasts as
// long as the process.
func Open(ctx context.Context, url string, sealing store.Sealing) (store.Store, error) {
	if err := check(url); err != nil {
		return nil, err
	}
	if dir, ok := strings.CutPrefix(url, "file:"); ok {
		return &store.Files{Dir: dir, Box: sealing.Box, Unsealed: sealing.Unsealed}, nil
	}
	if isPostgres(url) {
		s, err := postgres.Open(ctx, url, postgres.Options{Box: sealing.Box, Unsealed: sealing.Unsealed})
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	s, err := redis.Open(ctx, url, redis.Options{Box: sealing.Box, Unsealed: sealing.Unsealed})
	if err != nil {
		return nil, err // and no store that is not nil
	}
	return s, nil
}
