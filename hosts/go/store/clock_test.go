package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// A lock of another machine, of one before this machine was started, and of a
// version that knew the time of day alone is told by the time of day: one far ahead
// was written before the clock was set back. One of this machine is not, whatever
// the time of day is.
func TestStoreLockOfAnotherMachine(t *testing.T) {
	for name, tt := range map[string]struct {
		clock any // in the place of the lock's; nil leaves it
		by    time.Duration
		free  bool
	}{
		"here, set ahead":            {nil, 24 * time.Hour, false},
		"here, set back":             {nil, -24 * time.Hour, false},
		"elsewhere":                  {"another", 0, false},
		"elsewhere, an hour ago":     {"another", time.Hour, true},
		"elsewhere, in an hour":      {"another", -time.Hour, true},
		"no clock known, hour ago":   {"", time.Hour, true},
		"no clock known, in an hour": {"", -time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			s, day := newStore(t), &daytime{}
			s.Lease = time.Minute
			must(t, put(t, s, "a", []byte("1")))
			lease := take(t, s, "a", "1")
			locks, err := filepath.Glob(filepath.Join(s.Dir, "a.call", "*.lock"))
			if must(t, err); len(locks) != 1 {
				t.Fatalf("the locks: %v", locks)
			}
			text, err := os.ReadFile(locks[0])
			must(t, err)
			said := map[string]any{}
			must(t, json.Unmarshal(text, &said))
			if said["clock"] == nil {
				t.Skip("only the time of day can be told here")
			}
			if tt.clock != nil {
				is, err := os.Stat(locks[0])
				must(t, err)
				said["clock"] = tt.clock
				text, err = json.Marshal(said)
				must(t, err)
				must(t, os.WriteFile(locks[0], text, 0o600))
				must(t, os.Chtimes(locks[0], is.ModTime(), is.ModTime()))
			}
			day.step(t, tt.by)
			other := &store.Files{Dir: s.Dir, Unsealed: true}
			store.SetDay(other, day.now)
			_, _, err = other.Take(t.Context(), "a")
			if tt.free {
				must(t, err)
				return
			}
			wantErr(t, "take", err, store.ErrTaken)
			must(t, lease.Save(t.Context(), []byte("2"), store.About{}))
		})
	}
}
