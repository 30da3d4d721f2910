package store

import (
	"context"
	"iter"
)

// watched is what a store that is asked again and again has for [Store.Watch].
type watched struct {
	seen func() (map[string]int64, error)       // the calls that are meant, each with a number that changes with it
	look func(id string) (Parked, int64, error) // one of them as it is, with the number it has then; 0 if it is gone
	wait func(stop <-chan struct{})             // until there may be a change since seen was called, or stop closes
}

// follow tells what there is, and then how it differs from what was told.
func follow(ctx context.Context, w watched) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		told := map[string]int64{}
		for ctx.Err() == nil {
			seen, err := w.seen()
			if err != nil {
				yield(Change{}, err)
				return
			}
			for id, number := range seen {
				if before, ok := told[id]; ok && before == number {
					continue
				}
				call, now, err := w.look(id)
				if err != nil {
					yield(Change{}, err)
					return
				}
				if now == 0 {
					delete(seen, id)
				} else if told[id] = now; !yield(Change{Parked: call}, nil) {
					return
				}
			}
			for id := range told {
				if _, ok := seen[id]; ok {
					continue
				}
				delete(told, id)
				if !yield(Change{Parked: Parked{ID: id}, Gone: true}, nil) {
					return
				}
			}
			w.wait(ctx.Done())
		}
		yield(Change{}, context.Cause(ctx))
	}
}
