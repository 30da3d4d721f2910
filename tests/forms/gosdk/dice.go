package main

// dice are numbers from a seed, the same with every version of Go.
type dice struct{ state uint64 }

func (d *dice) below(n int) int {
	d.state = d.state*6364136223846793005 + 1442695040888963407
	return int(d.state >> 33 % uint64(n))
}

func one[T any](d *dice, values ...T) T { return values[d.below(len(values))] }

// some takes so many of the values, each once.
func some[T any](d *dice, n int, values ...T) []T {
	left := append([]T(nil), values...)
	var taken []T
	for range n {
		i := d.below(len(left))
		taken = append(taken, left[i])
		left = append(left[:i], left[i+1:]...)
	}
	return taken
}
