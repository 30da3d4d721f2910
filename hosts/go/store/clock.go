package store

import (
	"fmt"
	"time"
)

// clock is the time of day, which somebody may set, and the time since the machine
// was started, which nobody can: how long ago a lease was renewed is told by the
// second. The zero value is this machine's.
type clock struct {
	day func() time.Time // nil for time.Now
}

func (c clock) now() time.Time {
	if c.day != nil {
		return c.day()
	}
	return time.Now()
}

// reading is what both clocks said when a lease began. Later times of the lease are
// written as the time of day that it would be had nobody set the clock since.
type reading struct {
	Clock string        `json:"clock,omitempty"` // which machine's, since when; empty where only the time of day can be told
	Up    time.Duration `json:"up,omitempty"`    // in nanoseconds
	Day   int64         `json:"day,omitempty"`   // in nanoseconds since 1970
}

// read reads both clocks. It fails where that can be done at another time.
func (c clock) read() (reading, error) {
	name, err := uptimeName()
	if err != nil {
		return reading{}, fmt.Errorf("reading the clock: %w", err)
	}
	return reading{name, uptime(), c.now().UnixNano()}, nil
}

// renewed is the time that this process's lease gets if it is renewed now.
func (c clock) renewed(l reading) time.Time {
	if l.Clock == "" {
		return c.now()
	}
	return time.Unix(0, l.Day).Add(uptime() - l.Up)
}

// sinceOwn is how long ago this process's lease was renewed that has a time.
func (c clock) sinceOwn(l reading, renewed time.Time) time.Duration {
	return c.renewed(l).Sub(renewed).Abs()
}

// since is the same of anybody's. Of another machine's, and of one from before this
// machine was started, only the time of day tells: one far ahead was written before
// the clock was set back. It fails where it can be told at another time.
func (c clock) since(l reading, renewed time.Time) (time.Duration, error) {
	if l.Clock == "" {
		return c.now().Sub(renewed).Abs(), nil
	}
	name, err := uptimeName()
	if name != l.Clock {
		l.Clock = ""
	}
	return c.sinceOwn(l, renewed), err
}
