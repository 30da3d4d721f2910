package parley

// fifo is a queue that uses its memory again. The zero value is empty.
type fifo[T any] struct {
	list []T
	head int // of list, what is to come out first
}

// mostKept is how many places an empty queue keeps: one that was long once gives
// its memory back.
const mostKept = 64

func (q *fifo[T]) len() int { return len(q.list) - q.head }

func (q *fifo[T]) push(v T) {
	if q.head > 0 && len(q.list) == cap(q.list) {
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list, q.head = q.list[:n], 0
	}
	q.list = append(q.list, v)
}

func (q *fifo[T]) pop() (v T, ok bool) {
	if q.len() == 0 {
		return v, false
	}
	var none T
	v, q.list[q.head] = q.list[q.head], none
	if q.head++; q.head == len(q.list) {
		q.list, q.head = q.list[:0], 0
		if cap(q.list) > mostKept {
			q.list = nil
		}
	}
	return v, true
}
