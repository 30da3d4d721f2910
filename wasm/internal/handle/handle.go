// Package handle gives what a guest holds for its host a number.
package handle

// A Table holds values by handle. A handle is a place in the table and, above
// that, how often the place was given out, so that the handle of a value that
// was freed does not soon name another. Handles are positive as an i32.
type Table[T any] struct {
	slots []slot[T]
	free  []uint32 // places without a value
	live  uint32
}

type slot[T any] struct {
	value *T
	uses  uint32
}

const (
	placeBits = 20 // a million values in one instance
	usesMask  = 1<<(31-placeBits) - 1
)

// Hold keeps a value and returns its handle, which is never 0.
func (t *Table[T]) Hold(value *T) uint32 {
	var place uint32
	if n := len(t.free); n > 0 {
		place, t.free = t.free[n-1], t.free[:n-1]
	} else {
		place = uint32(len(t.slots))
		t.slots = append(t.slots, slot[T]{})
	}
	s := &t.slots[place]
	s.value = value
	s.uses = (s.uses + 1) & usesMask
	t.live++
	return s.uses<<placeBits | place + 1
}

// Get is the value of a handle, nil if there is none.
func (t *Table[T]) Get(handle uint32) *T {
	place := handle&(1<<placeBits-1) - 1
	if place >= uint32(len(t.slots)) || t.slots[place].uses<<placeBits != handle&^(1<<placeBits-1) {
		return nil
	}
	return t.slots[place].value
}

// Free lets go of a value; unknown handles are ignored.
func (t *Table[T]) Free(handle uint32) {
	if t.Get(handle) == nil {
		return
	}
	place := handle&(1<<placeBits-1) - 1
	t.slots[place].value = nil
	t.free = append(t.free, place)
	t.live--
}

// Live is how many values are held.
func (t *Table[T]) Live() uint32 { return t.live }

// Each calls a function with every value that is held.
func (t *Table[T]) Each(f func(*T)) {
	for i := range t.slots {
		if t.slots[i].value != nil {
			f(t.slots[i].value)
		}
	}
}
