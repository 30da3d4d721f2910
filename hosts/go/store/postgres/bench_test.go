package postgres_test

import (
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/testkit/backends"
)

// What the steps take at a PostgreSQL on this machine that writes all that it
// confirms to its disk, one with 1,000 calls and one with CALLS, a million if nothing
// is said: go test -bench Figures -benchtime 1x -timeout 0. With TMPDIR in memory
// the figures are the server's, without the disk's.
func BenchmarkFigures(b *testing.B) {
	box := &seal.KeyFileBox{Name: filepath.Join(b.TempDir(), "key"), Create: true}
	filled := func(calls int) storetest.Filled {
		server, err := backends.NewPostgres("fsync=on")
		must(b, err)
		b.Cleanup(func() { server.Close() })
		url := strings.Replace(server.URL(""), "durability=checked", "", 1)
		marks, err := postgres.OpenReplay(b.Context(), url, time.Minute)
		must(b, err)
		b.Cleanup(func() { marks.Close() })
		s := open(b, url, postgres.Options{Lease: time.Hour, Box: box, Timeout: time.Minute})
		return storetest.Filled{Calls: calls, Store: s, Marks: marks, Box: box, Bulk: func(b *testing.B, calls iter.Seq2[string, store.Sealed]) {
			bulk(b, "postgres://parley@"+server.Address()+"/postgres", calls)
		}}
	}
	storetest.Figures(b, filled(1e3), filled(storetest.FigureCalls(b, 1e6)), []int{1, 16, 64}, 20)
}

// bulk writes calls as LAYOUT.md has them, given back, and as many marks.
func bulk(b *testing.B, url string, calls iter.Seq2[string, store.Sealed]) {
	conn := adminAt(b, url)
	do := func(text string) {
		_, err := conn.Exec(b.Context(), text)
		must(b, err)
	}
	do("create temporary table filled (id text, at bigint, tag text, about bytea, snapshot bytea, mark bytea)")
	begun, i := time.Now().Add(-time.Hour).UnixMicro(), 0
	next, stop := iter.Pull2(calls)
	defer stop()
	_, err := conn.CopyFrom(b.Context(), pgx.Identifier{"filled"}, []string{"id", "at", "tag", "about", "snapshot", "mark"}, pgx.CopyFromFunc(func() ([]any, error) {
		id, sealed, there := next()
		if !there {
			return nil, nil
		}
		mark := storetest.FigureMark(i)
		i++
		return []any{id, begun + int64(i)*1000, sealed.Tag, sealed.About, sealed.Snapshot, mark[:]}, nil
	}))
	must(b, err)
	do(`insert into parley.calls (id, version, generation, token, at, over, until, changed, tag, about, snapshot)
		select id, 1, 1, 'bulk', at, false, now() + interval '30 days', pg_current_xact_id(), tag, about, snapshot from filled`)
	do("insert into parley.marks (id, attempt, until) select mark, 'bulk', now() + interval '1 hour' from filled")
	do("drop table filled")
	do("vacuum analyze parley.calls, parley.marks")
}
