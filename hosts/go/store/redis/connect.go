package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/redis/rueidis"

	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/redis/internal/answer"
)

// address is what a URL says beside where the server is.
type address struct {
	prefix  string
	wait    int64 // replicas that confirm a step
	checked bool  // by a person: the server evicts nothing
}

// readURL reads a URL. Its errors hold nothing of it, because it may hold a
// password.
func readURL(text string) (a address, o rueidis.ClientOption, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Host == "" {
		return a, o, errors.New("store: the URL of a Redis is redis://HOST:PORT, or rediss://HOST:PORT with TLS")
	}
	a.prefix = "parley"
	q := u.Query()
	for name, values := range q {
		value := values[0]
		if len(values) > 1 && name != "addr" {
			return a, o, errors.New("store: the URL has a parameter twice that may be there once")
		}
		switch name {
		case "prefix":
			if a.prefix = value; !isPrefix(value) {
				return a, o, errors.New("store: prefix is 1 to 64 of A-Z a-z 0-9 _ - . :")
			}
		case "wait":
			if a.wait, err = strconv.ParseInt(value, 10, 8); err != nil || a.wait < 0 {
				return a, o, errors.New("store: wait is a number of replicas")
			}
		case "eviction":
			if a.checked = true; value != "checked" {
				return a, o, errors.New("store: eviction=checked is all that can be said about it")
			}
		case "addr":
			if slices.ContainsFunc(values, func(value string) bool { return !isNode(value) }) {
				return a, o, errors.New("store: addr is HOST:PORT")
			}
			continue
		case "master_set":
			if value == "" {
				return a, o, errors.New("store: master_set is the name of what sentinels watch")
			}
			continue
		default:
			return a, o, errors.New("store: the URL has a parameter that is none of addr, master_set, prefix, wait and eviction")
		}
		q.Del(name)
	}
	u.RawQuery = q.Encode()
	if o, err = rueidis.ParseURL(u.String()); err != nil {
		return a, o, errors.New("store: the URL's path is the number of a database, or nothing")
	}
	return a, o, nil
}

// isNode reports whether text is HOST:PORT. The client takes one without a port
// for the URL's own server.
func isNode(text string) bool {
	host, port, err := net.SplitHostPort(text)
	n, notNumber := strconv.ParseUint(port, 10, 16)
	return err == nil && host != "" && notNumber == nil && n > 0
}

func isPrefix(text string) bool {
	ok := len(text) >= 1 && len(text) <= 64
	for i := 0; ok && i < len(text); i++ {
		c := text[i]
		ok = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':'
	}
	return ok
}

// connect connects to the server of a URL, and looks at it.
func (s *Store) connect(ctx context.Context, url string) error {
	a, o, err := readURL(url)
	if err != nil {
		return err
	}
	s.address, s.dials = a, new(atomic.Int64)
	dials := s.dials
	o.DialCtxFn = func(ctx context.Context, to string, d *net.Dialer, config *tls.Config) (net.Conn, error) {
		defer dials.Add(1)
		dial := d.DialContext
		if config != nil {
			dial = (&tls.Dialer{NetDialer: d, Config: config}).DialContext
		}
		conn, err := dial(ctx, "tcp", to)
		if err != nil {
			return nil, err
		}
		return &answer.Guard{Conn: conn}, nil
	}
	o.Dialer.Timeout, o.ConnWriteTimeout = s.timeout, s.timeout
	o.DisableRetry = true // what may be made again is known here
	o.DisableCache = true
	o.ReadBufferEachConn, o.WriteBufferEachConn = 64<<10, 64<<10
	o.ClientName = "parley"
	if s.client, err = rueidis.NewClient(o); err != nil {
		return fmt.Errorf("store: connecting to Redis: %w", err)
	}
	if err := s.try(ctx, func(context.Context) error { return nil }); err != nil {
		s.client.Close()
		return err
	}
	return nil
}

// try makes a step, at servers that were looked at.
func (s *Store) try(ctx context.Context, step func(context.Context) error) error {
	return store.Tries{Within: s.timeout, Passes: passes, Explain: explain}.Make(ctx, func(ctx context.Context) error {
		err := s.check(ctx)
		if err == nil {
			err = step(ctx)
		}
		if err == nil {
			err = s.check(ctx) // where a connection began meanwhile
		}
		return err
	})
}

// passes reports whether an error may be of the moment: the connection's, or a
// server's that starts, or has just become a replica.
func passes(err error) bool {
	if said, ok := rueidis.IsRedisErr(err); ok {
		word, _, _ := strings.Cut(said.Error(), " ")
		switch word {
		case "LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY":
			return true
		}
		return false
	}
	return !errors.Is(err, store.ErrLayout) && !errors.Is(err, errEvicts) && !errors.Is(err, errUntold) && !errors.Is(err, errGarbage) &&
		!errors.Is(err, rueidis.ErrClosing) && !rueidis.IsParseErr(err)
}

// refused reports whether an error says that a step was not made: the server's, or
// that of a connection that was never there.
func refused(err error) bool {
	_, said := rueidis.IsRedisErr(err)
	var op *net.OpError
	return said || errors.As(err, &op) && op.Op == "dial"
}

// explain says what an error of the server means to whoever runs it.
func explain(err error) error {
	said, ok := rueidis.IsRedisErr(err)
	switch {
	case ok && strings.HasPrefix(said.Error(), "OOM"):
		return fmt.Errorf("store: Redis is full: %w", err)
	case ok && strings.HasPrefix(said.Error(), "WRONGTYPE"):
		return fmt.Errorf("store: a key is not the store's: %w", err)
	case rueidis.IsParseErr(err):
		return fmt.Errorf("%w (%w)", errGarbage, err)
	case errors.Is(err, store.ErrLayout), errors.Is(err, errEvicts), errors.Is(err, errUntold), errors.Is(err, errGarbage):
		return err
	}
	return fmt.Errorf("store: Redis: %w", err)
}

var (
	errEvicts = errors.New("store: this Redis may evict keys, and with them calls and the marks of used states: set maxmemory-policy to noeviction")
	errUntold = errors.New("store: this Redis does not tell its maxmemory-policy, which must be noeviction: where you know that it is, say so with eviction=checked in the URL")
)

// check looks at the servers whenever there is a new connection: at another one
// than before, it may be.
func (s *Store) check(ctx context.Context) error {
	dials := s.dials.Load()
	if s.checked.Load() == dials {
		return nil
	}
	if !s.address.checked {
		for _, node := range s.client.Nodes() {
			info, err := node.Do(ctx, node.B().Info().Section("memory").Build()).ToString()
			if err != nil {
				if _, refused := rueidis.IsRedisErr(err); refused && !passes(err) {
					return fmt.Errorf("%w (%w)", errUntold, err)
				}
				return err
			}
			if err := evicts(info); err != nil {
				return err
			}
		}
	}
	if err := s.checkLayout(ctx); err != nil {
		return err
	}
	s.checked.Store(dials)
	return nil
}

// evicts reads the policy in what a server says of its memory.
func evicts(info string) error {
	for line := range strings.Lines(info) {
		if policy, ok := strings.CutPrefix(strings.TrimSpace(line), "maxmemory_policy:"); ok {
			if policy != "noeviction" {
				return errEvicts
			}
			return nil
		}
	}
	return errUntold
}

// layout is the version of what lies under the keys.
const layout = "1"

func (s *Store) checkLayout(ctx context.Context) error {
	key := s.address.prefix + ":layout"
	for range 2 {
		is, err := s.client.Do(ctx, s.client.B().Get().Key(key).Build()).ToString()
		switch {
		case err == nil && is == layout:
			return nil
		case err == nil:
			return store.ErrLayout
		case !rueidis.IsRedisNil(err):
			return err
		}
		err = s.client.Do(ctx, s.client.B().Set().Key(key).Value(layout).Nx().Build()).Error()
		if err != nil && !rueidis.IsRedisNil(err) {
			return err
		}
	}
	return errGarbage
}

// confirmed waits until as many replicas as are wanted have what was written
// under a key.
func (s *Store) confirmed(ctx context.Context, key string) error {
	if s.address.wait == 0 {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var have int64
	err := s.client.Dedicated(func(c rueidis.DedicatedClient) error {
		// WAIT is about what was written before this connection's last command.
		if err := c.Do(within, c.B().Exists().Key(key).Build()).Error(); err != nil {
			return err
		}
		var err error
		have, err = c.Do(within, c.B().Wait().Numreplicas(s.address.wait).Timeout(max(s.timeout.Milliseconds()/2, 1)).Build()).AsInt64()
		return err
	})
	if err != nil || have < s.address.wait {
		return fmt.Errorf("%w: %d of %d replicas have confirmed it", store.ErrUnsure, have, s.address.wait)
	}
	return nil
}
