//go:build linux

package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/parley-mcp/parley/hosts/go/seal"
	"github.com/parley-mcp/parley/hosts/go/store"
	"github.com/parley-mcp/parley/hosts/go/store/storetest"
)

// What the steps of the file store take, with 1,000 calls and with CALLS: go test -bench Figures -benchtime 1x -timeout 0.
// With TMPDIR in memory the figures are the store's, without a disk's.
func BenchmarkFigures(b *testing.B) {
	dir := b.TempDir()
	box := &seal.KeyFileBox{Name: filepath.Join(dir, "key"), Create: true}
	filled := func(calls int) storetest.Filled {
		return storetest.Filled{
			Calls: calls, Store: &store.Files{Dir: filepath.Join(dir, fmt.Sprint(calls)), Lease: time.Hour, Box: box}, Marks: &seal.MemoryReplay{Capacity: 1 << 20},
			Worked: func() time.Duration {
				var t unix.Timespec
				unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
				return time.Duration(t.Nano())
			},
		}
	}
	storetest.Figures(b, filled(1e3), filled(storetest.FigureCalls(b, 1e5)), []int{1, 16}, 20)
}
