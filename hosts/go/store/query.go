package store

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Query says which calls are meant. The zero value is all of them, those with
// the oldest snapshot first.
type Query struct {
	Principal string // whose calls; empty means everybody's
	Prefix    string // of the id

	Newest bool   // those with the newest snapshot first
	After  string // the [Parked.Cursor] of the last call of the page before
	Limit  int    // how many at most; zero means all
}

// Start is the time and id of the call that a list goes on behind; the id is
// empty where it begins at its beginning. It fails if After is no cursor.
func (q Query) Start() (at time.Time, id string, err error) {
	if q.After == "" {
		return time.Time{}, "", nil
	}
	number, id, _ := strings.Cut(q.After, ".")
	micros, err := strconv.ParseInt(number, 10, 64)
	if err != nil || micros < 0 || CheckID(id) != nil {
		return time.Time{}, "", errors.New("store: After is not the cursor of a call")
	}
	return time.UnixMicro(micros), id, nil
}

// Parked is a call in a store. Only taking it shows whether its snapshot can be
// used.
type Parked struct {
	ID    string
	Time  time.Time // of its last snapshot, in whole microseconds
	Taken bool      // somebody has it
	About About     // as it was last saved

	// Problem is why About cannot be read, if it cannot: it was sealed with a key
	// that is not there, say. The call is listed all the same, so that it can be
	// discarded.
	Problem error
}

// Cursor is where a page ends that this call is the last of: the next one's
// [Query.After].
func (p Parked) Cursor() string { return strconv.FormatInt(p.Time.UnixMicro(), 10) + "." + p.ID }

// Change is one that [Store.Watch] tells.
type Change struct {
	Parked      // as it is now; of one that is gone only the ID
	Gone   bool // it was done or discarded, or has expired

	// Lost says that changes may have been missed. It is about no call: what
	// follows is all that is there now, and what does not come again is gone.
	Lost bool
}
