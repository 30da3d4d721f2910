package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// What the steps of the file store take: go test -bench Figures -benchtime 1x -timeout 0.
func BenchmarkFigures(b *testing.B) {
	dir := b.TempDir()
	s := &store.Files{Dir: filepath.Join(dir, "calls"), Lease: time.Hour, Box: &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}}
	storetest.Figures(b, s, []int{1e3, 1e5}, []int{1, 16}, 2000)
}
