package storetest

import (
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/hosts/go/store"
)

// Filled is a store that is measured with so many calls in it, and as many marks.
type Filled struct {
	Calls int
	Store store.Store
	Marks codec.ReplayStore

	// Bulk puts calls there as they lie in the store, with a mark each, where one
	// by one would take too long. They are sealed by Box.
	Bulk func(b *testing.B, calls iter.Seq2[string, store.Sealed])
	Box  store.Box

	// Worked is how much processor time this thread has had, of a store whose
	// steps are made by the thread that asks for them: what they took of it is
	// printed, too, which is the same whatever else the machine does.
	Worked func() time.Duration
}

// FigureCalls is how many calls the larger store has: CALLS in the environment, or
// what is given.
func FigureCalls(b *testing.B, otherwise int) int {
	text := os.Getenv("CALLS")
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal("CALLS is a number of calls")
	}
	return n
}

// FigureMark is the id of the used state beside a call of that number, another one
// for each and scattered as those of states are.
func FigureMark(i int) [16]byte {
	var id [16]byte
	binary.LittleEndian.PutUint64(id[:], (uint64(i)+1)*0x9E3779B97F4A7C15)
	binary.LittleEndian.PutUint64(id[8:], (uint64(i)+1)*0xD1B54A32D192ED03)
	return id
}

// Figures fills two stores with calls of 1.5 KB, a few and many, and prints how long
// their steps take, half of them and 99 of 100, for each number of writers at once.
// The stores take turns, a batch each, so that whatever else the machine does is
// met by both. What counts is the last column: how the 99 of 100 of the second
// compare with those of the first, half of the pairs of batches.
func Figures(b *testing.B, few, many Filled, writers []int, batches int) {
	const batch = 500 // calls; the 99 of 100 of a batch leave out five
	sizes := [2]*measured{{Filled: few}, {Filled: many}}
	for _, m := range sizes {
		m.fill(b)
	}
	for _, w := range writers {
		for i := range batches + 1 {
			for _, m := range sizes {
				took := m.run(b, w, batch)
				if i > 0 { // the first finds nothing warm
					m.batches = append(m.batches, took)
				}
			}
		}
		printFigures(fmt.Sprintf("%d writers, %d batches", w, batches), sizes, func(s spent) time.Duration { return s.time })
		if few.Worked != nil {
			printFigures("the same by processor time", sizes, func(s spent) time.Duration { return s.work })
		}
		for _, m := range sizes {
			m.batches = nil
		}
	}
}

func printFigures(title string, sizes [2]*measured, of func(spent) time.Duration) {
	fmt.Printf("%s: median and 99 of 100 in ms\n%-8s %22s %22s   median   99 of 100, and of pairs\n",
		title, "", fmt.Sprint(sizes[0].Calls, " calls"), fmt.Sprint(sizes[1].Calls, " calls"))
	for _, what := range []string{"create", "save", "release", "take", "done", "page", "mark"} {
		half, most := [2]float64{}, [2]float64{}
		for n, m := range sizes {
			var all []spent
			for _, took := range m.batches {
				all = append(all, took[what]...)
			}
			half[n], most[n] = share100(all, 50, of), share100(all, 99, of)
		}
		var pairs []float64
		for i := range sizes[0].batches {
			pairs = append(pairs, share100(sizes[1].batches[i][what], 99, of)/share100(sizes[0].batches[i][what], 99, of))
		}
		slices.Sort(pairs)
		fmt.Printf("%-8s %10.3f %11.3f %10.3f %11.3f %10.2f %10.2f %10.2f\n", what, half[0], most[0], half[1], most[1],
			half[1]/half[0], most[1]/most[0], pairs[len(pairs)/2])
	}
}

// spent is what a step took.
type spent struct{ time, work time.Duration }

// measured is a store and what its steps took, in each batch.
type measured struct {
	Filled
	batches []map[string][]spent
	marks   int // that were made
}

var (
	figureCall  = []byte(strings.Repeat("x", 1500))
	figureAbout = store.About{Principal: "ann", Label: "the desk", Method: "tools/call", Name: "update_work_item", Questions: 1}
)

func (m *measured) fill(b *testing.B) {
	m.marks = m.Calls
	if m.Bulk != nil {
		m.Bulk(b, func(yield func(string, store.Sealed) bool) {
			for i := range m.Calls {
				id := fmt.Sprint("call", i)
				sealed, err := store.Sealing{Box: m.Box}.Seal(id, figureCall, figureAbout)
				if err != nil {
					b.Fatal(err)
				}
				if !yield(id, sealed) {
					return
				}
			}
		})
		return
	}
	check := func(err error) {
		if err != nil {
			b.Error(err)
		}
	}
	share(32, m.Calls, func(i int) {
		lease, err := m.Store.Create(b.Context(), fmt.Sprint("call", i))
		if check(err); err == nil {
			check(lease.Save(b.Context(), figureCall, figureAbout))
			check(lease.Release(b.Context()))
		}
		_, err = m.mark(i)
		check(err)
	})
}

func (m *measured) mark(i int) (bool, error) {
	return m.Marks.Consume(FigureMark(i), time.Now().Add(time.Hour))
}

func (m *measured) run(b *testing.B, writers, calls int) map[string][]spent {
	took := map[string][]spent{}
	worked := m.Worked
	if worked == nil {
		worked = func() time.Duration { return 0 }
	}
	var mu sync.Mutex
	first := m.marks
	m.marks += calls
	share(writers, calls, func(i int) {
		id, failed := fmt.Sprint("measured", i), false
		step := func(what string, do func() error) {
			if failed {
				return
			}
			if m.Worked != nil {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			begun, before := time.Now(), worked()
			err := do()
			lasted := spent{time.Since(begun), worked() - before}
			if failed = err != nil; failed {
				b.Errorf("%s of %s, %d calls, %d writers, after %v: %v", what, id, m.Calls, writers, lasted.time, err)
			}
			mu.Lock()
			defer mu.Unlock()
			took[what] = append(took[what], lasted)
		}
		var lease store.Lease
		step("create", func() (err error) { lease, err = m.Store.Create(b.Context(), id); return err })
		step("save", func() error { return lease.Save(b.Context(), figureCall, figureAbout) })
		step("release", func() error { return lease.Release(b.Context()) })
		step("take", func() (err error) { lease, _, err = m.Store.Take(b.Context(), id); return err })
		step("done", func() error { return lease.Done(b.Context()) })
		step("mark", func() error {
			isFirst, err := m.mark(first + i)
			if err == nil && !isFirst {
				err = fmt.Errorf("it was used before")
			}
			return err
		})
		if i%4 == 0 {
			step("page", func() (err error) {
				for _, err = range m.Store.List(b.Context(), store.Query{Limit: 20}) {
				}
				return err
			})
		}
	})
	return took
}

// share100 is how long so many of 100 took at most, in milliseconds.
func share100(steps []spent, part int, of func(spent) time.Duration) float64 {
	var took []time.Duration
	for _, step := range steps {
		took = append(took, of(step))
	}
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return float64(took[min(len(took)*part/100, len(took)-1)]) / float64(time.Millisecond)
}

// share has workers do something so many times.
func share(workers, times int, do func(i int)) {
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < times; i += workers {
				do(i)
			}
		})
	}
	all.Wait()
}
