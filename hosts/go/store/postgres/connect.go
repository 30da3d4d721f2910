package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// address is what a URL says.
type address struct {
	schema  string
	checked bool // by a person: the server loses nothing that it has confirmed
	config  *pgxpool.Config
}

// passed are the parameters of a URL that are the client's.
var passed = []string{
	"sslmode", "sslrootcert", "sslcert", "sslkey", "sslsni", "passfile", "connect_timeout", "target_session_attrs", "application_name", "pool_max_conns",
}

// readURL reads a URL. Its errors hold nothing of it, because it may hold a
// password.
func readURL(text string) (a address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Host == "" {
		return a, errors.New("store: the URL of a PostgreSQL is postgres://USER@HOST:PORT/DATABASE")
	}
	a.schema = "parley"
	q := u.Query()
	for name, values := range q {
		switch value := values[0]; {
		case name == "schema":
			if a.schema = value; !isSchema(value) {
				return a, errors.New("store: schema is 1 to 48 of a-z 0-9 _, and begins with a letter")
			}
			q.Del(name)
		case name == "durability":
			if a.checked = true; value != "checked" {
				return a, errors.New("store: durability=checked is all that can be said about it")
			}
			q.Del(name)
		case !slices.Contains(passed, name):
			return a, errors.New("store: the URL has a parameter that is none of schema, durability, " + strings.Join(passed, ", "))
		}
	}
	if q.Get("sslmode") == "" && os.Getenv("PGSSLMODE") == "" && !isLocal(u.Host) {
		q.Set("sslmode", "verify-full") // what the client would try first, anybody on the way can refuse
	}
	u.RawQuery = q.Encode()
	if a.config, err = pgxpool.ParseConfig(u.String()); err != nil {
		return a, errors.New("store: the URL has a value that its parameter cannot have, or names a file that cannot be read")
	}
	return a, nil
}

func isSchema(text string) bool {
	ok := len(text) >= 1 && len(text) <= 48 && text[0] >= 'a' && text[0] <= 'z' && !strings.HasPrefix(text, "pg_")
	for i := 0; ok && i < len(text); i++ {
		c := text[i]
		ok = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
	}
	return ok
}

// isLocal reports whether all hosts are this machine.
func isLocal(hosts string) bool {
	for host := range strings.SplitSeq(hosts, ",") {
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		ip := net.ParseIP(strings.Trim(host, "[]"))
		if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// connect connects to the server of a URL, and looks at it.
func (s *Store) connect(ctx context.Context, url string) (err error) {
	if s.address, err = readURL(url); err != nil {
		return err
	}
	c := s.address.config
	c.ConnConfig.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, conn net.Conn) (net.Conn, error) {
		return &guard{Conn: conn}, nil
	}
	if c.ConnConfig.ConnectTimeout == 0 || c.ConnConfig.ConnectTimeout > s.timeout {
		c.ConnConfig.ConnectTimeout = s.timeout
	}
	c.ConnConfig.RuntimeParams["application_name"] = "parley"
	c.MaxConns = max(c.MaxConns, 8)
	first := c.Copy().ConnConfig
	err = s.try(ctx, func(ctx context.Context) error {
		conn, err := pgx.ConnectConfig(ctx, first)
		if said := new(pgconn.PgError); err != nil && !errors.As(err, &said) {
			return fmt.Errorf("%w: %w", errNobody, err)
		}
		if err != nil {
			return err
		}
		defer conn.Close(context.WithoutCancel(ctx))
		return s.migrate(ctx, conn)
	})
	if err != nil {
		return err
	}
	c.AfterConnect = s.check
	if s.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), c); err != nil {
		return explain(err)
	}
	if err := s.try(ctx, s.pool.Ping); err != nil {
		s.pool.Close()
		return err
	}
	return nil
}

// try makes a step.
func (s *Store) try(ctx context.Context, step func(context.Context) error) error {
	return store.Tries{Within: s.timeout, Passes: func(err error) bool { return !s.closed.Load() && passes(err) }, Explain: explain}.Make(ctx, step)
}

var (
	errNobody = errors.New("store: connecting to Postgres")
	errForget = errors.New("store: this PostgreSQL may lose what it has confirmed, and with it calls and the marks of used states: set fsync and full_page_writes on, or, where you know better, say durability=checked in the URL")
	errOld    = errors.New("store: this PostgreSQL is older than 13")
	errFree   = errors.New("store: the call has changed hands again and again")
)

// passes reports whether an error may be of the moment: the connection's, or a
// server's that starts, ends, or has just become a standby.
func passes(err error) bool {
	if said := new(pgconn.PgError); errors.As(err, &said) {
		switch said.Code {
		case "25006", "40001", "40P01", "53300", "55P03", "57014", "57P01", "57P02", "57P03":
			return true
		}
		return strings.HasPrefix(said.Code, "08")
	}
	for _, final := range []error{fs.ErrExist, store.ErrLayout, store.ErrTaken, store.ErrNotFound, errForget, errOld, errGarbage, errNobody} {
		if errors.Is(err, final) {
			return false
		}
	}
	return true
}

// refused reports whether an error says that a step was not made: the server's, or
// that of a connection that was never there.
func refused(err error) bool {
	said, connecting := new(pgconn.PgError), new(pgconn.ConnectError)
	if errors.As(err, &said) {
		return !strings.HasPrefix(said.Code, "08") && !strings.HasPrefix(said.Code, "57P")
	}
	return errors.As(err, &connecting) || !passes(err)
}

// explain says what an error of the server means to whoever runs it.
func explain(err error) error {
	said := new(pgconn.PgError)
	switch {
	case !errors.As(err, &said):
		if strings.HasPrefix(err.Error(), "store: ") {
			return err
		}
	case said.Code == "25006":
		return fmt.Errorf("store: Postgres is read-only, or a standby: %w", err)
	case isFull(err):
		return fmt.Errorf("store: Postgres is full: %w", err)
	case said.Code == "42501" || strings.HasPrefix(said.Code, "28"):
		return fmt.Errorf("store: Postgres refuses the user: %w", err)
	case said.Code == "42P01" || said.Code == "42703" || said.Code == "3F000":
		return fmt.Errorf("%w (%w)", store.ErrLayout, err)
	}
	return fmt.Errorf("store: Postgres: %w", err)
}

// isFull reports whether the server has no room.
func isFull(err error) bool {
	said := new(pgconn.PgError)
	return errors.As(err, &said) && (said.Code == "53100" || said.Code == "53200")
}

// check looks at a server at each new connection: it may be another one than
// before. It sets what the steps rely on: that no plan that was made
// for few calls, or for none that it knows of, reads all of them instead of an index, and that what is confirmed is written.
func (s *Store) check(ctx context.Context, conn *pgx.Conn) error {
	var fsync, pages string
	var version int
	err := conn.QueryRow(ctx, `select current_setting('fsync'), current_setting('full_page_writes'), current_setting('server_version_num')::int
from (select set_config('enable_seqscan', 'off', false), set_config('statement_timeout', $1, false), set_config('enable_bitmapscan', 'off', false), set_config('enable_sort', 'off', false), set_config('jit', 'off', false),
	set_config('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end, false) offset 0) as set`,
		strconv.FormatInt(max(s.timeout.Milliseconds(), 1), 10)).Scan(&fsync, &pages, &version)
	switch {
	case err != nil:
		return err
	case version < 130000:
		return errOld
	case !s.address.checked && (fsync != "on" || pages != "on"):
		return errForget
	}
	is, err := s.layout(ctx, conn)
	if err == nil && is != layout {
		err = store.ErrLayout
	}
	return err
}
