package serve

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Share is how much of something there may be at once, so that nobody who takes
// a lot locks others out.
type Share struct {
	All  int // there may be
	Each int // one client may have; zero is half of All, at least one
}

func (s Share) withDefault(all int) Share {
	s.All = cmp.Or(s.All, all)
	s.Each = cmp.Or(s.Each, max(s.All/2, 1))
	return s
}

// Claim says whether a client that has a number of the whole may have one more:
// nil, [ErrShare] or [ErrFull].
func (s Share) Claim(mine, whole int) error {
	s = s.withDefault(0)
	switch {
	case mine >= s.Each && s.Each < s.All:
		return ErrShare
	case whole >= s.All:
		return ErrFull
	}
	return nil
}

var (
	// ErrShare is that a client has as much as one may.
	ErrShare = errors.New("you have as many as one client may have at a time: wait until one has ended, then try again")
	// ErrFull is that all together have as much as there may be.
	ErrFull = errors.New("the server has as many as it may have at a time: try again later")

	errStopping = errors.New("the server is stopping: try again, and another one answers")
)

// Refuse answers a request that is one too many: with 429 for [ErrShare], 503 for
// anything else, and Retry-After.
func Refuse(w http.ResponseWriter, err error) {
	status := SetRefusal(w.Header(), err)
	http.Error(w, err.Error(), status)
}

// SetRefusal sets the header fields of such an answer and returns its status, for
// one with a body of its own.
func SetRefusal(h http.Header, err error) (status int) {
	h.Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
	if errors.Is(err, ErrShare) {
		return http.StatusTooManyRequests
	}
	return http.StatusServiceUnavailable
}

// retryAfter is short, because requests end all the time.
const retryAfter = 2 * time.Second
