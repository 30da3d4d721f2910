package parley_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/hosttest"
)

// BenchmarkParked restores a call that waits for its answer and takes its snapshot
// again; BenchmarkCore/native/legs=2 is what it is measured by.
func BenchmarkParked(b *testing.B) {
	core, err := hosttest.WaitingCore(parley.Native{})
	must(b, err)
	call, err := hosttest.WaitingCall(core)
	must(b, err)
	snapshot, err := core.Snapshot(call)
	must(b, err)
	b.Run("restore", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			call, err := core.Restore(snapshot, engine.Expect{})
			must(b, err)
			core.Free(call)
		}
	})
	b.Run("restore+snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			call, err := core.Restore(snapshot, engine.Expect{})
			must(b, err)
			_, err = core.Snapshot(call)
			must(b, err)
			core.Free(call)
		}
		b.ReportMetric(float64(len(snapshot)), "bytes")
	})
}
