package engine

import "time"

// Pacing: the first of several waits in a row takes minPace, each further one
// twice as long, up to Options.MaxPace. A client MAY retry a round without
// questions at once (mrtr, Client Requirements 1); it is how a server sheds
// load, so the engine does not. Most servers that put a call off are ready soon:
// the first softWaits of such rounds take no longer than softPace each.
const (
	minPace   = 50  // milliseconds
	softPace  = 250 // milliseconds
	softWaits = 10

	defaultMaxPace = 5 * time.Second
	longestPace    = time.Hour // of what a host may choose
)

// paceWait is how long a round without questions waits. It counts the round.
func (f *Flow) paceWait() int64 {
	ceiling := f.maxPace()
	delay := doubled(minPace, f.waits, min(softPace, ceiling))
	if f.waits >= softWaits {
		delay = doubled(softPace, f.waits-softWaits+1, ceiling)
	}
	f.waits++
	return delay
}

// paceRepeat is how long a round waits that only repeats urls. It counts the
// round.
func (f *Flow) paceRepeat() int64 {
	delay := doubled(minPace, f.waits, f.maxPace())
	f.waits++
	return delay
}

// paceResend is how long a leg waits that was lost and is sent again.
func (f *Flow) paceResend() int64 {
	return doubled(minPace, f.resends, defaultMaxPace.Milliseconds())
}

func (f *Flow) maxPace() int64 { return f.opts.MaxPace.Milliseconds() }

// doubled is first, twice as long for each of times, up to ceiling.
func doubled(first int64, times int, ceiling int64) int64 {
	return min(first<<min(times, 20), ceiling) // 50 << 20 is past longestPace
}
