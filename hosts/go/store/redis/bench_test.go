package redis_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store/redis"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// What the steps take at a Redis on this machine, one for each number of calls:
// go test -bench Figures -benchtime 1x -timeout 0.
func BenchmarkFigures(b *testing.B) {
	box := &seal.KeyFileBox{Name: filepath.Join(b.TempDir(), "key"), Create: true}
	filled := func(calls int) storetest.Filled {
		url := start(b).URL("")
		marks, err := redis.OpenReplay(b.Context(), url, time.Minute)
		must(b, err)
		b.Cleanup(func() { marks.Close() })
		return storetest.Filled{Calls: calls, Store: open(b, url, redis.Options{Lease: time.Hour, Box: box, Timeout: time.Minute}), Marks: marks}
	}
	storetest.Figures(b, filled(1e3), filled(1e5), []int{1, 16, 64}, 20)
}
