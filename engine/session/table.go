package session

// table finds things by numbers, of which each is above those before. One that
// is taken out leaves its place empty, and places are closed up when most of
// them are empty: so what a thing costs does not grow with how many there are.
type table[T any] struct {
	places []place[T]
	live   int // of them, how many are not empty
}

type place[T any] struct {
	number int64
	item   *T // nil where it was taken out
}

// put adds a thing, whose number is above all others.
func (t *table[T]) put(number int64, item *T) {
	t.places = append(t.places, place[T]{number, item})
	t.live++
}

// get is the thing with a number, nil if there is none.
func (t *table[T]) get(number int64) *T {
	if i := t.find(number); i >= 0 {
		return t.places[i].item
	}
	return nil
}

// take takes the thing with a number out.
func (t *table[T]) take(number int64) {
	i := t.find(number)
	if i < 0 || t.places[i].item == nil {
		return
	}
	t.places[i].item = nil
	if t.live--; 2*t.live >= len(t.places) {
		return
	}
	n := 0
	for _, p := range t.places {
		if p.item != nil {
			t.places[n] = p
			n++
		}
	}
	clear(t.places[n:])
	t.places = t.places[:n]
}

// find is the place of a number, -1 if it has none.
func (t *table[T]) find(number int64) int {
	low, high := 0, len(t.places)
	for low < high {
		if middle := (low + high) / 2; t.places[middle].number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(t.places) || t.places[low].number != number {
		return -1
	}
	return low
}

// all is what there is, in the order of the numbers, in a slice of its own.
func (t *table[T]) all() []*T {
	list := make([]*T, 0, t.live)
	for _, p := range t.places {
		if p.item != nil {
			list = append(list, p.item)
		}
	}
	return list
}
