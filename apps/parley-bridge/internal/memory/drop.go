package memory

// loss is a kind of what can be dropped, by what its client loses.
type loss int

const (
	endedRead   loss = iota // it was written to a connection, and the stream has ended
	runningRead             // the same of a stream that runs: it is kept for who comes back
	endedUnread             // an answer that its client has not fetched
	unread                  // news of a request that runs
	words                   // what says that an answer was dropped, and short answers
	kinds
)

// has reports whether there is something of a kind in the queue.
func (q *Queue) has(k loss) bool {
	for _, e := range q.events {
		if q.is(e, k) {
			return true
		}
	}
	return false
}

// is reports whether an event is of a kind. A question that is open is of none, nor is
// what a connection is writing, which would not be freed.
func (q *Queue) is(e *Event, k loss) bool {
	isRead := e.Number <= q.read
	switch {
	case e.open || e.readers > 0:
		return false
	case k == words:
		return q.ended
	case e.answer && e.instead == nil:
		return false
	}
	return k == endedRead && q.ended && isRead || k == runningRead && !q.ended && isRead || k == endedUnread && q.ended || k == unread
}

// shed drops what is of a kind, the oldest first, until so many bytes are free, and
// returns how many are.
func (q *Queue) shed(k loss, bytes int) (freed int) {
	for i := 0; i < len(q.events) && freed < bytes; {
		e := q.events[i]
		before := e.cost()
		switch {
		case !q.is(e, k):
			i++
		case e.answer && k != words:
			q.shrink(e)
			freed += before - e.cost()
			i++
		default:
			q.remove(e)
			freed += before
		}
	}
	return freed
}
