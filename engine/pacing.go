package engine

// Pacing: the first of several waits in a row takes minPace, each further one
// twice as long, up to maxPace. A client MAY retry a round without questions
// at once (mrtr, Client Requirements 1); it is how a server sheds load, so the
// engine does not.
const (
	minPace = 50   // milliseconds
	maxPace = 5000 // milliseconds
)

// pace is how long a paced round waits. It counts the round.
func (f *Flow) pace() int64 {
	delay := paceDelay(f.waits)
	f.waits++
	return delay
}

func paceDelay(before int) int64 {
	if before >= 7 { // 50 << 7 is past maxPace
		return maxPace
	}
	return min(int64(minPace)<<before, maxPace)
}
