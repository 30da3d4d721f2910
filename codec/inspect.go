package codec

import (
	"time"

	"github.com/parley-mcp/parley/codec/internal/token"
	"github.com/parley-mcp/parley/codec/refusal"
)

// Claims is what a [Guard]'s token says about itself.
type Claims struct {
	Rounds    int       // rounds with questions so far
	Minted    time.Time // in whole seconds, as all times here
	Expires   time.Time // unless a Guard with a lower TTL opens it
	FlowStart time.Time // when the flow's first state was minted
	// Questions is how many questions the state pins; -1 if it pins none because
	// none were asked, and answers to others may come with it.
	Questions int
	// HasState is whether the handler set a state, and State is that state. It
	// is the server's secret: do not log it.
	HasState bool
	State    []byte
}

// Inspect reads what a Guard sealed: what [Codec].Open returns under
// [ContextGuard]. It is for operators and checks nothing but the form; only a
// Guard can tell whether the state may be used. State aliases plaintext.
func Inspect(plaintext []byte) (*Claims, error) {
	c, err := readClaims(plaintext)
	if err != nil {
		return nil, err
	}
	claims := &Claims{
		Rounds:    c.rounds,
		Minted:    time.Unix(c.iat, 0).UTC(),
		Expires:   time.Unix(c.iat+c.ttl, 0).UTC(),
		FlowStart: time.Unix(c.start, 0).UTC(),
		Questions: -1,
		HasState:  !c.none,
	}
	if c.pinned {
		claims.Questions = len(c.pins)
	}
	if claims.HasState {
		claims.State = c.state
	}
	return claims, nil
}

// Head is what a token says without a key: the suite and the key it claims to
// be sealed with. None of it is authenticated.
func Head(text string) (suite byte, id KeyID, err error) {
	raw, why := token.Decode(text, MaxToken)
	if why != 0 {
		return 0, id, &Error{Code: why}
	}
	if len(raw) < headSize {
		return 0, id, &Error{Code: refusal.Malformed}
	}
	return raw[0], KeyID(raw[1:headSize]), nil
}
