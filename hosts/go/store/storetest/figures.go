package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-mcp/parley/hosts/go/store"
)

// Figures fills a store with calls of 1.5 KB, and prints how long its steps take
// at each number of calls, half of them and 99 of 100, for each number of writers
// at once.
func Figures(b *testing.B, s store.Store, calls, writers []int, rounds int) {
	snapshot := []byte(strings.Repeat("x", 1500))
	about := store.About{Principal: "ann", Label: "the desk", Method: "tools/call", Name: "update_work_item", Questions: 1}
	check := func(err error) {
		if err != nil {
			b.Error(err)
		}
	}
	filled := 0
	for _, n := range calls {
		share(32, n-filled, func(i int) {
			lease, err := s.Create(b.Context(), fmt.Sprint("call", filled+i))
			if check(err); err == nil {
				check(lease.Save(b.Context(), snapshot, about))
				check(lease.Release(b.Context()))
			}
		})
		filled = n
		for _, w := range writers {
			took := map[string][]time.Duration{}
			var mu sync.Mutex
			share(w, rounds, func(i int) {
				id, failed := fmt.Sprint("measured", i), false
				step := func(what string, do func() error) {
					if failed {
						return
					}
					begun := time.Now()
					err := do()
					lasted := time.Since(begun)
					if failed = err != nil; failed {
						b.Errorf("%s of %s, %d calls, %d writers, after %v: %v", what, id, n, w, lasted, err)
					}
					mu.Lock()
					defer mu.Unlock()
					took[what] = append(took[what], lasted)
				}
				var lease store.Lease
				step("create", func() (err error) { lease, err = s.Create(b.Context(), id); return err })
				step("save", func() error { return lease.Save(b.Context(), snapshot, about) })
				step("release", func() error { return lease.Release(b.Context()) })
				step("take", func() (err error) { lease, _, err = s.Take(b.Context(), id); return err })
				step("done", func() error { return lease.Done(b.Context()) })
				if i%10 == 0 {
					step("page", func() (err error) {
						for _, err = range s.List(b.Context(), store.Query{Limit: 20}) {
						}
						return err
					})
				}
			})
			for _, what := range []string{"create", "save", "release", "take", "done", "page"} {
				all := took[what]
				slices.Sort(all)
				fmt.Printf("%7d calls, %2d writers: %-6s %8.3f ms, 99 of 100 %8.3f ms\n", n, w, what, millis(all[len(all)/2]), millis(all[len(all)*99/100]))
			}
		}
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

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
