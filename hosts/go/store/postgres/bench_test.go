package postgres_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
	"github.com/parley-mcp/parley/internal/backends"
)

// What the steps take at a PostgreSQL on this machine that writes all that it
// confirms to its disk, one for each number of calls: go test -bench Figures
// -benchtime 1x -timeout 0. With TMPDIR in memory the figures are the server's,
// without the disk's.
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
		return storetest.Filled{Calls: calls, Store: open(b, url, postgres.Options{Lease: time.Hour, Box: box, Timeout: time.Minute}), Marks: marks}
	}
	storetest.Figures(b, filled(1e3), filled(1e5), []int{1, 16}, 10)
}
