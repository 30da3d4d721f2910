package parley_test

import (
	"testing"

	"github.com/parley-mcp/parley/engine"
	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/hosttest"
)

// BenchmarkParked restores a call that waits for its answer and takes its snapshot
// again; BenchmarkFlow/native/legs=2 is what it is measured by.
func BenchmarkParked(b *testing.B) {
	flow, err := hosttest.WaitingFlow(parley.Native{})
	must(b, err)
	snapshot, err := flow.Snapshot()
	must(b, err)
	b.Run("restore", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := parley.Native{}.RestoreFlow(snapshot, engine.Expect{})
			must(b, err)
		}
	})
	b.Run("restore+snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			flow, err := parley.Native{}.RestoreFlow(snapshot, engine.Expect{})
			must(b, err)
			_, err = flow.Snapshot()
			must(b, err)
		}
		b.ReportMetric(float64(len(snapshot)), "bytes")
	})
}
