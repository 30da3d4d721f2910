package soak_test

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// heap is what is reachable, in bytes.
func heap() int {
	runtime.GC()
	runtime.GC() // what only finalizers and pools held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// peak watches the heap and the stacks until it is told to stop, and returns
// the most bytes there were in both.
func peak() (stop func() int) {
	end, most := make(chan struct{}), make(chan int)
	go func() {
		samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		ticker := time.NewTicker(5 * time.Millisecond)
		defer ticker.Stop()
		highest := uint64(0)
		for {
			metrics.Read(samples)
			highest = max(highest, samples[0].Value.Uint64()+samples[1].Value.Uint64())
			select {
			case <-ticker.C:
			case <-end:
				most <- int(highest)
				return
			}
		}
	}()
	return func() int { close(end); return <-most }
}

// backTo waits until there are no more goroutines than there were.
func backTo(t *testing.T, goroutines int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= goroutines {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines were left behind:\n%s", runtime.NumGoroutine()-goroutines, stacks[:runtime.Stack(stacks, true)])
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }
