package seal_test

import (
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

var _ codec.ReplayStore = (*seal.MemoryReplay)(nil)

func TestMemoryReplay(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	now := start
	r := &seal.MemoryReplay{Capacity: 3, Now: func() time.Time { return now }}
	id := func(n byte) [16]byte { return [16]byte{n} }
	consume := func(n byte, after time.Duration, want bool, wantErr error) {
		t.Helper()
		first, err := r.Consume(id(n), start.Add(after))
		if first != want || !errors.Is(err, wantErr) {
			t.Errorf("state %d at %v: got %v, %v, want %v, %v", n, now.Sub(start), first, err, want, wantErr)
		}
	}
	consume(1, 30*time.Second, true, nil)
	consume(2, 10*time.Second, true, nil)
	consume(3, 20*time.Second, true, nil)
	consume(2, 10*time.Second, false, nil)
	consume(4, time.Minute, false, seal.ErrReplayFull)
	consume(1, 30*time.Second, false, nil) // a full store still knows what it has

	now = start.Add(10*time.Second - 1)
	consume(2, 10*time.Second, false, nil)
	now = start.Add(10 * time.Second)
	if first, err := r.Consume(id(2), start.Add(10*time.Second)); first || err == nil {
		t.Errorf("a state that has expired: got %v, %v", first, err)
	}
	consume(4, time.Minute, true, nil) // state 2 made room, the next to expire
	consume(5, time.Minute, false, seal.ErrReplayFull)
	now = start.Add(30 * time.Second)
	consume(5, time.Minute, true, nil)
	if got := r.Len(); got != 2 {
		t.Errorf("%d states are remembered, want 2", got)
	}
	consume(4, time.Minute, false, nil)
}

// TestMemoryReplayClock has a clock that is ahead for a moment: what was used
// before stays used, and what lives longer than that still opens once.
func TestMemoryReplayClock(t *testing.T) {
	start := time.Unix(1_800_000_000, 0)
	now := start
	r := &seal.MemoryReplay{Now: func() time.Time { return now }}
	consume := func(n byte, after time.Duration, want, fails bool) {
		t.Helper()
		first, err := r.Consume([16]byte{n}, start.Add(after))
		if first != want || (err != nil) != fails {
			t.Errorf("state %d at %v: got %v, %v, want %v, failed %v", n, now.Sub(start), first, err, want, fails)
		}
	}
	consume(1, time.Minute, true, false)
	consume(2, 2*time.Minute, true, false)
	now = start.Add(100 * time.Hour)
	consume(3, 200*time.Hour, true, false) // and all before is forgotten
	if got := r.Len(); got != 1 {
		t.Errorf("%d states are remembered, want 1", got)
	}
	now = start
	consume(1, time.Minute, false, true)
	consume(2, 2*time.Minute, false, true)
	consume(4, 2*time.Minute+1, true, false) // later than all that is forgotten
	consume(4, 2*time.Minute+1, false, false)
	consume(3, 200*time.Hour, false, false)
}

// TestMemoryReplayConcurrent hands each of many states to several goroutines.
func TestMemoryReplayConcurrent(t *testing.T) {
	const states, takers = 2000, 4
	r := &seal.MemoryReplay{Capacity: states}
	expires := time.Now().Add(time.Hour)
	var firsts atomic.Int32
	var all sync.WaitGroup
	for range takers {
		all.Go(func() {
			for n := range uint64(states) {
				var id [16]byte
				binary.BigEndian.PutUint64(id[:], n)
				first, err := r.Consume(id, expires)
				if err != nil {
					t.Error(err)
				}
				if first {
					firsts.Add(1)
				}
			}
		})
	}
	all.Wait()
	if got := firsts.Load(); got != states {
		t.Errorf("%d states were used, want each of %d once", got, states)
	}
}

func BenchmarkMemoryReplay(b *testing.B) {
	now := time.Now()
	r := &seal.MemoryReplay{Now: func() time.Time { return now }}
	b.ReportAllocs()
	for n := uint64(0); b.Loop(); n++ {
		var id [16]byte
		binary.BigEndian.PutUint64(id[:], n)
		now = now.Add(time.Millisecond) // so that 60,000 are remembered once it has settled
		if first, err := r.Consume(id, now.Add(time.Minute)); !first || err != nil {
			b.Fatal(first, err)
		}
	}
}
