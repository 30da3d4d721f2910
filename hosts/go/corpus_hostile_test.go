package parley_test

import (
	"flag"
	"testing"
	"testing/synctest"

	parley "github.com/parley-mcp/parley/hosts/go"
	"github.com/parley-mcp/parley/internal/testkit/drivertest"
	"github.com/parley-mcp/parley/internal/testkit/drivertest/hostile"
)

var (
	seed     = flag.Uint64("seed", 0, "the one walk that TestHostile plays and logs")
	first    = flag.Uint64("first", 1, "the seed of the first of several walks")
	sessions = flag.Int("sessions", 3000, "how many walks TestHostile plays")
)

// TestHostile plays sessions that go as badly as they can on this package's
// driver, with both engines.
func TestHostile(t *testing.T) {
	engines(t, func(t *testing.T, e parley.Engine) {
		rt, wazero := e.(*parley.Runtime)
		name := "native"
		if wazero {
			name = "wazero"
		}
		hostile.Run(t, hostile.Driver{
			Names:  []string{"go", name},
			Dir:    "../testdata/hostile",
			Update: *update && !wazero,
			Play: func(t *testing.T, walk func(drivertest.Stage)) {
				onStage(t, e, walk)
				if wazero && rt.Live() != 0 {
					t.Fatalf("%d flows are still live", rt.Live())
				}
			},
		}, hostile.Which{Seed: *seed, First: *first, Sessions: *sessions})
	})
}

// onStage lends a stage in a bubble.
func onStage(t *testing.T, e parley.Engine, play func(drivertest.Stage)) {
	synctest.Test(t, func(t *testing.T) {
		p := &stage{engine: &trapping{Engine: e}, called: make(chan struct{}, 1)}
		p.calls[0], p.calls[1] = &played{stage: p}, &played{stage: p, prefix: "other "}
		play(p)
	})
}
