// Package room decides who may have one more of what there is a bounded number
// of, so that nobody who takes a lot locks others out.
package room

import (
	"errors"

	"github.com/parley-mcp/parley/hosts/go/serve"
)

// Holding is one of what there is, as far as it matters here.
type Holding struct {
	Owner string // whose it is: a user of the bridge, "" where it knows none
	Idle  bool   // it can be ended without harm
	Since int    // when it became idle: the lower, the longer ago
}

// For says whether owner may have one more beside all: then err is nil. Where
// there are as many as may be, the one that has been idle longest makes room: one
// of owner's own, or, if it is only all together that are too many, of somebody's
// who has more. The caller ends it.
func For[K comparable, V any](share serve.Share, owner string, all map[K]V, of func(V) Holding) (old V, ends bool, err error) {
	count := map[string]int{}
	for _, one := range all {
		count[of(one).Owner]++
	}
	err = share.Claim(count[owner], len(all))
	if err == nil {
		return old, false, nil
	}
	var since int
	for _, one := range all {
		h := of(one)
		theirs := h.Owner == owner || err == serve.ErrFull && count[h.Owner] > count[owner]
		if h.Idle && theirs && (!ends || h.Since < since) {
			old, ends, since = one, true, h.Since
		}
	}
	if ends {
		err = nil
	}
	return old, ends, err
}

// Text says what there is too much of, and what can be done about it.
func Text(err error, what string) string {
	if errors.Is(err, serve.ErrShare) {
		return "parley-bridge: you have as many " + what + " as one user may: end one, or try again later"
	}
	return "parley-bridge: there are as many " + what + " as there may be: try again later"
}
