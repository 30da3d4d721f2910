package engine_test

import (
	"testing"
	"time"

	"github.com/parley-mcp/parley/engine"
)

// A clock before 1970 counts as 1970, one beyond 2^53 as the last time that is
// told apart.
func TestClockIsClamped(t *testing.T) {
	for now, want := range map[int64]int64{-5: 1000, 0: 1000, 7: 1007, 1 << 62: 1<<53 - 1 + 1000} {
		f, err := engine.New("tools/call", nil, engine.Options{LegTimeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		actions, err := f.Step(now, engine.Begin{})
		if err != nil {
			t.Fatal(err)
		}
		if wait, ok := actions[len(actions)-1].(engine.Wait); !ok || wait.Until != want {
			t.Errorf("at %d: got %+v, want a Wait until %d", now, actions[len(actions)-1], want)
		}
	}
}
