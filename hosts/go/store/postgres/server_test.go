package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// server is one PostgreSQL for all tests, which run one after the other: a schema
// is a place of its own.
var server *backends.Postgres

func TestMain(m *testing.M) {
	var err error
	if server, err = backends.NewPostgres(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	server.Close()
	os.Exit(code)
}

// restart has the server end where it is and begin again, with other settings.
func restart(t testing.TB, settings ...string) {
	t.Helper()
	server.Kill()
	server.Settings = settings
	must(t, server.Start())
}

var lastSchema atomic.Int64

// newSchema is for one test.
func newSchema() string { return fmt.Sprint("test", lastSchema.Add(1)) }

func urlOf(schema string) string { return server.URL("&schema=" + schema) }

func open(t testing.TB, url string, o postgres.Options) *postgres.Store {
	t.Helper()
	if o.Box == nil {
		o.Unsealed = true
	}
	s, err := postgres.Open(context.Background(), url, o)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// admin is somebody else's connection to the server.
func admin(t testing.TB) *pgx.Conn {
	t.Helper()
	return adminAt(t, "postgres://parley@"+server.Address()+"/postgres")
}

// adminAt is one to the server of a URL.
func adminAt(t testing.TB, at string) *pgx.Conn {
	t.Helper()
	u, err := url.Parse(at)
	must(t, err)
	q := u.Query()
	q.Del("durability") // which are the store's
	q.Del("schema")
	u.RawQuery = q.Encode()
	conn, err := pgx.Connect(context.Background(), u.String())
	must(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func sql(t testing.TB, text string, args ...any) {
	t.Helper()
	conn := admin(t)
	_, err := conn.Exec(context.Background(), text, args...)
	must(t, err)
	must(t, conn.Close(context.Background()))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t testing.TB, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// wantSaid checks that an error says something, and nothing of a password.
func wantSaid(t testing.TB, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%s: got %v, want %q", what, err, want)
	}
}
