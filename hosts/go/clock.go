package parley

import (
	"time"
)

// clock tells the time in Unix milliseconds by the monotonic clock, so that
// setting the wall clock ends no leg.
type clock struct{ started time.Time }

func (c clock) now() int64 {
	return c.started.UnixMilli() + time.Since(c.started).Milliseconds()
}

func (c clock) until(millis int64) time.Duration {
	return time.Until(c.started.Add(time.Duration(millis-c.started.UnixMilli()) * time.Millisecond))
}
