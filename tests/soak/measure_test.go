package soak_test

import (
	"runtime"
	"runtime/metrics"
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

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }
