package engine_test

import (
	"errors"
	"math"
	"testing"

	"github.com/parley-mcp/parley/engine"
	"github.com/parley-mcp/parley/engine/fault"
)

// What New takes, a snapshot can hold: a flow that could not be restored would
// lose the answers it has.
func TestLargestNumbers(t *testing.T) {
	tests := map[string]func(o *engine.Options, n int){
		"maxRounds":      func(o *engine.Options, n int) { o.MaxRounds = n },
		"maxWaits":       func(o *engine.Options, n int) { o.MaxWaits = n },
		"askConcurrency": func(o *engine.Options, n int) { o.AskConcurrency = n },
		"limitResult":    func(o *engine.Options, n int) { o.Limits.Result = n },
		"limitKey":       func(o *engine.Options, n int) { o.Limits.Key = n },
		"limitParams":    func(o *engine.Options, n int) { o.Limits.Params = n },
		"limitSnapshot":  func(o *engine.Options, n int) { o.Limits.Snapshot = n },
	}
	for name, set := range tests {
		t.Run(name, func(t *testing.T) {
			var o engine.Options
			set(&o, math.MaxInt32)
			f, err := engine.New("tools/call", nil, o)
			if err != nil {
				t.Fatal(err)
			}
			snapshot, err := f.Snapshot()
			if err == nil {
				_, err = engine.Restore(snapshot, engine.Expect{})
			}
			if err != nil {
				t.Errorf("the largest: %v", err)
			}
			set(&o, math.MaxInt32+1)
			if _, err := engine.New("tools/call", nil, o); !errors.Is(err, fault.Options) {
				t.Errorf("one more: got %v, want %v", err, fault.Options)
			}
		})
	}
}
