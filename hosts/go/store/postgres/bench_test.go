package postgres_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store/postgres"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// What the steps take at a PostgreSQL on this machine: go test -bench Figures
// -benchtime 1x -timeout 0.
func BenchmarkFigures(b *testing.B) {
	box := &seal.KeyFileBox{Name: filepath.Join(b.TempDir(), "key"), Create: true}
	s := open(b, urlOf(newSchema()), postgres.Options{Lease: time.Hour, Box: box})
	storetest.Figures(b, s, []int{1e3, 1e5}, []int{1, 16}, 5000)
}
