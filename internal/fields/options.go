package fields

import (
	"math"
	"time"
)

// maxTimeout keeps every sum of a time and a timeout far from overflow.
const maxTimeout = 10 * 365 * 24 * time.Hour

// Settle makes w put the numbers of options right, in place of reading or
// writing them: zero becomes the default, and Flaw says what is out of range.
func (w *Walk) Settle() { w.mode = settling }

// Flat reports whether there are no objects within the object.
func (w *Walk) Flat() bool { return w.Notation == Snapshot || w.mode == settling }

// Either is the name of a member that a snapshot calls by another.
func (w *Walk) Either(name, snapshot string) string {
	if w.Flat() {
		return snapshot
	}
	return name
}

// Number visits a number of options. Zero stands for byDefault; below zero it
// is as least says: -1 for whatever is, 0 for nothing that is.
func (w *Walk) Number(name string, n *int, least, byDefault int) {
	switch {
	case w.mode == settling:
		switch {
		case *n == 0:
			*n = byDefault
		case *n < 0 && least < 0:
			*n = -1
		case *n < 0, *n > math.MaxInt32: // an int of the module, and of a snapshot
			w.Flaw = first(w.Flaw, name+" is out of range")
		}
	case w.Notation != Snapshot:
		w.Int(name, May, n)
	case w.mode == writing:
		if *n != byDefault {
			w.Int(name, Told, n)
		}
	case !w.Passes(name, false):
		if w.Int(name, May, n); *n < -1 {
			w.Refuse("is out of range")
		}
	}
}

// Timeout visits a duration of options, as Number does; one below zero has the
// default if least says that there is always a bound.
func (w *Walk) Timeout(name string, d *time.Duration, least int, byDefault time.Duration) {
	switch {
	case w.mode == settling:
		switch {
		case *d == 0, *d < 0 && least == 0:
			*d = byDefault
		case *d < 0:
			*d = -time.Millisecond
		default: // rounded up, so that none becomes zero
			*d = time.Duration(millis(min(*d, maxTimeout))) * time.Millisecond
		}
	case w.Notation != Snapshot:
		w.Millis(name, May, d)
	case w.mode == writing:
		if *d != byDefault {
			w.Millis(name, Told, d)
		}
	case !w.Passes(name, false):
		if w.Millis(name, May, d); *d < -time.Millisecond || *d > maxTimeout {
			w.Refuse("is out of range")
		}
	}
}

func first(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
