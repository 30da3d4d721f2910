package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// turnTime is about how long a turn takes: many short ones are disturbed together.
const turnTime = 50 * time.Millisecond

// client is what a row measures.
type client struct {
	name    string
	of      string // the client that its ratio is of
	calls   int    // in a turn; 0 for as many as fill it
	turn    func(calls int) (spent, error)
	foreign bool  // a process of its own: what it allocates is not seen
	missing error // why it cannot be measured
}

// spent is what a turn took.
type spent struct {
	time time.Duration
	cpu  time.Duration // of all processors; 0 where it is not known
}

// once is a client that makes one call at a time.
func once(name, of string, call func() error) client {
	return client{name: name, of: of, turn: func(calls int) (spent, error) {
		begun, cpu := time.Now(), processorTime()
		for range calls {
			if err := call(); err != nil {
				return spent{}, err
			}
		}
		return spent{time.Since(begun), processorTime() - cpu}, nil
	}}
}

// processorTime is how long this process has had a processor.
func processorTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// turnTaker fills the tables of a report.
type turnTaker struct {
	turns  int
	time   time.Duration // of a turn
	many   int           // calls that are made at once, or wait
	peers  bool          // take those that are no official SDK of Go or TypeScript, too
	report *Report
}

// take lets all clients have their first turn, which warms them up, and then one
// turn after another.
func (t *turnTaker) take(table string, clients []client) error {
	rows := make([]*Row, len(clients))
	for i := range clients {
		c := &clients[i]
		rows[i] = &Row{Table: table, Client: c.name, Of: c.of}
		if c.missing != nil {
			rows[i].Missing = c.missing.Error()
		} else if err := t.warmUp(c); err != nil {
			return fmt.Errorf("%s, %s: %w", table, c.name, err)
		}
	}
	for range t.turns {
		for i, c := range clients {
			if c.missing != nil {
				continue
			}
			if err := c.take(rows[i]); err != nil {
				return fmt.Errorf("%s, %s: %w", table, c.name, err)
			}
		}
	}
	t.report.add(rows)
	return nil
}

// warmUp finds out how many calls fill a turn. Other languages compile what they
// have run for a while.
func (t *turnTaker) warmUp(c *client) error {
	patience := t.time
	if c.foreign {
		patience *= 32
	}
	calls, all := max(c.calls, 1), time.Duration(0)
	for {
		took, err := c.turn(calls)
		if err != nil || c.calls > 0 {
			return err
		}
		each := max(took.time/time.Duration(calls), 1)
		if all += took.time; all >= patience {
			c.calls = max(1, int(t.time/each))
			return nil
		}
		calls = min(calls*4, max(1, int(t.time/each)))
	}
}

// take measures a turn.
func (c client) take(r *Row) error {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	took, err := c.turn(c.calls)
	if err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	each := func(n uint64) int { return int((n + uint64(c.calls)/2) / uint64(c.calls)) }
	allocs, bytes := each(after.Mallocs-before.Mallocs), each(after.TotalAlloc-before.TotalAlloc)
	if c.foreign {
		allocs, bytes = 0, 0
	}
	if len(r.Turns) == 0 || allocs < r.Allocs {
		r.Allocs, r.Bytes = allocs, bytes
	}
	micros := func(d time.Duration) float64 { return math.Round(float64(d)/float64(c.calls)) / 1000 }
	r.Turns, r.CPU = append(r.Turns, micros(took.time)), append(r.CPU, micros(took.cpu))
	return nil
}

// quartiles are the values below which a quarter, a half and three quarters are.
func quartiles(values []float64) [3]float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := func(part int) float64 { return sorted[(len(sorted)-1)*part/4] }
	return [3]float64{at(1), at(2), at(3)}
}
