package codec

import (
	"slices"
	"time"

	"github.com/parley-mcp/parley/codec/refusal"
)

// Bounds of a Guard.
const (
	defaultTTL = 24 * time.Hour
	MaxTTL     = 30 * 24 * time.Hour

	// notBefore, 2026-08-01T00:00:00Z in Unix seconds, is a time that has passed:
	// a clock before it is a fake one, as WebAssembly runtimes have by default,
	// and nothing is minted or opened under it.
	notBefore = 1_785_542_400

	maxSkew       = 60 // s a token may be from the future: the clocks of two instances
	defaultRounds = 10 // as the official SDKs' clients
	maxRounds     = 255
)

// GuardOptions make a [Guard]. Codec, Env and Audience are required.
type GuardOptions struct {
	Codec Codec
	Env   Env

	// Audience names the service, the same on all its instances, so that a state
	// of one service does not open in another with the same keys. It may be empty
	// only with ProcessLocal.
	Audience string
	// ProcessLocal says that the keys were made by this process and no other has
	// them.
	ProcessLocal bool

	// TTL is how long a round's state may take to come back: a person's time to
	// think. 0 is 24 hours; [MaxTTL] is the most. A state lives for the TTL
	// it was minted with, or for that of the Guard which opens it if that is
	// lower.
	//
	// A longer TTL has a price: a state that was stolen can be used for longer,
	// every state can be sent again for longer, and a Replay store remembers each
	// state that was used for as long.
	TTL time.Duration
	// MaxFlowAge bounds a whole flow, from its first state. 0 is no bound.
	MaxFlowAge time.Duration
	// MaxRounds is how many rounds with questions a flow may have; 0 is 10.
	MaxRounds int

	// RequireState drops answers that come without a state. Any client can
	// strip a state, so perhaps nobody asked for such answers.
	RequireState bool

	// Replay makes states of the targets in SingleUse open once: tool or prompt
	// names or resource uris. A client that sends a request again because the
	// answer was lost is then refused.
	Replay    ReplayStore
	SingleUse []string
}

// Guard seals and opens states under MCP's rules. It never changes and may be
// used from many goroutines, if its Codec, Env and ReplayStore may.
//
// A server calls [Guard.Inbound] with every request and [Guard.Outbound] with
// its result, both raw JSON; [Guard.Open] and [Guard.Seal] do the same on
// decoded values.
type Guard struct {
	o          GuardOptions
	ttl        int64 // s
	maxFlowAge int64 // s; 0 is no bound
}

// NewGuard checks o and makes a Guard.
func NewGuard(o GuardOptions) (*Guard, error) {
	if o.TTL == 0 {
		o.TTL = defaultTTL
	}
	if o.MaxRounds == 0 {
		o.MaxRounds = defaultRounds
	}
	unusable := ""
	switch {
	case o.Codec == nil:
		unusable = "a Codec is required"
	case o.Env.Rand == nil || o.Env.Now == nil:
		unusable = "Env.Rand and Env.Now are required"
	case o.Audience == "" && !o.ProcessLocal:
		unusable = "an Audience is required unless the keys are ProcessLocal"
	case o.TTL < 0 || o.TTL > MaxTTL:
		unusable = "TTL is at most 30 days"
	case o.MaxFlowAge < 0:
		unusable = "MaxFlowAge is not negative"
	case o.MaxRounds < 0 || o.MaxRounds > maxRounds:
		unusable = "MaxRounds is at most 255"
	case len(o.SingleUse) > 0 && o.Replay == nil:
		unusable = "SingleUse needs a Replay store"
	}
	if unusable != "" {
		return nil, &Error{Code: refusal.Options, Detail: unusable}
	}
	o.SingleUse = slices.Clone(o.SingleUse)
	return &Guard{o: o, ttl: seconds(o.TTL), maxFlowAge: seconds(o.MaxFlowAge)}, nil
}

// seconds rounds up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// ReplayStore remembers which states were used.
type ReplayStore interface {
	// Consume notes an id until expires and reports whether this was the first
	// time. A store that is full or fails returns an error, and the state is
	// refused.
	Consume(id [16]byte, expires time.Time) (first bool, err error)
}

// now is the time in Unix seconds, if the clock can be believed.
func (g *Guard) now() (int64, error) {
	now := g.o.Env.Now().Unix()
	if now < notBefore || now >= 1<<32 {
		return 0, &Error{Code: refusal.Clock, Detail: "the host's clock is before 2026-08 or after 2106"}
	}
	return now, nil
}

// Open opens the requestState of a request. token is nil on the first leg, and
// then only the binding is kept. answers are the keys of inputResponses, in the
// order received; the Exchange tells which of them may be used.
//
// A token longer than [MaxToken] is refused before the Codec sees it. state is
// nil where the handler set none. On an error nothing of the request
// may be used; [Error.Response] is the client's answer.
func (g *Guard) Open(b Binding, token *string, answers []string) (state *string, x *Exchange, err error) {
	x = &Exchange{Binding: b}
	if token == nil {
		if !g.o.RequireState {
			x.Answers = make([]Answer, len(answers))
			for i, key := range answers {
				x.Answers[i].Key = key
			}
		}
		return nil, x, nil
	}
	if !supports(b.Method) {
		return nil, nil, &Error{Code: refusal.Malformed, Detail: "a method without rounds"}
	}
	if len(*token) > MaxToken { // whatever the Codec would do with it
		return nil, nil, &Error{Code: refusal.TooLarge}
	}
	plaintext, err := g.o.Codec.Open(*token, []byte(ContextGuard))
	if err != nil {
		return nil, nil, blame(err, false, refusal.Forged)
	}
	c, err := readClaims(plaintext)
	if err != nil {
		return nil, nil, err
	}
	if err := g.accept(c); err != nil {
		return nil, nil, err
	}
	d := g.digests(&b) // last, because it reads all of the arguments
	if err := d.check(c); err != nil {
		return nil, nil, err
	}
	if err := g.consume(c, &b, plaintext); err != nil {
		return nil, nil, err
	}
	x.digests, x.rounds, x.start = d, c.rounds, c.start
	x.answered(c, answers)
	if !c.none {
		s := string(c.state)
		state = &s
	}
	return state, x, nil
}

// accept holds claims to the clock and the bounds.
func (g *Guard) accept(c *claims) error {
	now, err := g.now()
	switch {
	case err != nil:
		return err
	case c.iat > now+maxSkew:
		return &Error{Code: refusal.NotYetValid}
	case now >= c.iat+min(c.ttl, g.ttl):
		return &Error{Code: refusal.Expired}
	case c.rounds > g.o.MaxRounds:
		return &Error{Code: refusal.Rounds}
	case g.maxFlowAge > 0 && now >= c.start+g.maxFlowAge:
		return &Error{Code: refusal.FlowAge}
	}
	return nil
}

// consume marks a state as used, after everything else was checked.
func (g *Guard) consume(c *claims, b *Binding, plaintext []byte) error {
	if !slices.Contains(g.o.SingleUse, b.Target) {
		return nil
	}
	first, err := g.o.Replay.Consume(replayID(plaintext), time.Unix(c.iat+c.ttl+maxSkew, 0))
	switch {
	case err != nil:
		return &Error{Code: refusal.ReplayStore, Err: err}
	case !first:
		return &Error{Code: refusal.Replayed}
	}
	return nil
}
