package forms_test

import (
	"fmt"
	"hash/fnv"
)

// dice are numbers from a seed, the same with every version of Go.
type dice struct{ state uint64 }

// newDice are the dice for what is named.
func newDice(of ...any) *dice {
	h := fnv.New64a()
	fmt.Fprint(h, *seed)
	fmt.Fprintln(h, of...)
	d := &dice{h.Sum64()}
	d.below(1)
	return d
}

func (d *dice) below(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int(d.state >> 33 % uint64(n))
}

func one[T any](d *dice, values ...T) T { return values[d.below(len(values))] }

// some takes so many of the values, each once.
func some[T any](d *dice, n int, values ...T) []T {
	left := append([]T(nil), values...)
	taken := make([]T, n)
	for i := range taken {
		at := d.below(len(left))
		taken[i] = left[at]
		left = append(left[:at], left[at+1:]...)
	}
	return taken
}
