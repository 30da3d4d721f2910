package codec

import (
	"io"
	"unicode/utf8"

	"github.com/parley-mcp/parley/codec/refusal"
)

// Seal mints the requestState of an InputRequiredResult. state is what the
// handler set, nil for nothing; questions are its inputRequests in their order.
// It returns nil where neither is there: then there is nothing to guard.
//
// x is what Open returned for the request. On an error the questions must not
// be sent; [Error.Response] is the client's answer.
func (g *Guard) Seal(x *Exchange, state *string, questions []Question) (token *string, err error) {
	if state == nil && len(questions) == 0 {
		return nil, nil
	}
	c, err := g.mint(x, state, questions)
	if err != nil {
		return nil, blame(err, true, refusal.Result)
	}
	size := fixedSize + 4 + 1 + 24*len(c.pins) + len(c.state)
	plaintext := c.append(make([]byte, 0, size))
	sealed, err := g.o.Codec.Seal(plaintext, []byte(ContextGuard))
	clear(plaintext)
	switch {
	case err != nil:
	case sealed == "": // which means no state
		err = &Error{Code: refusal.Result, Detail: "the Codec gave an empty token"}
	case len(sealed) > MaxToken: // it would not be opened
		err = &Error{Code: refusal.TooLarge}
	}
	if err != nil {
		return nil, blame(err, true, refusal.Result)
	}
	return &sealed, nil
}

func (g *Guard) mint(x *Exchange, state *string, questions []Question) (*claims, error) {
	if !supports(x.Binding.Method) {
		return nil, &Error{Code: refusal.Result, Detail: "a method without rounds"}
	}
	c := &claims{rounds: x.rounds, ttl: (g.ttl + 59) / 60 * 60, none: state == nil}
	if len(questions) > 0 {
		c.rounds++
	}
	now, err := g.now()
	switch {
	case err != nil:
		return nil, err
	case c.rounds > g.o.MaxRounds:
		return nil, &Error{Code: refusal.Rounds, Detail: "the flow has had all its rounds"}
	case state != nil && !utf8.ValidString(*state):
		return nil, &Error{Code: refusal.Result, Detail: "a state that is not Unicode text"}
	case len(questions) > maxQuestions:
		return nil, &Error{Code: refusal.Result, Detail: "over 64 questions in a round"}
	}
	c.iat, c.start, c.later = now, now, x.start != 0
	if c.later {
		c.start = x.start
	}
	if _, err := io.ReadFull(g.o.Env.Rand, c.salt[:]); err != nil {
		return nil, &Error{Code: refusal.Rand, Err: err}
	}
	if x.digests == nil {
		x.digests = g.digests(&x.Binding)
	}
	c.tag, c.hint = x.digests.tag(c.salt[:]), x.digests.hint()
	if len(questions) > 0 {
		c.pinned = true
		if c.pins, err = pins(questions); err != nil {
			return nil, err
		}
	}
	if state != nil {
		c.state = []byte(*state)
	}
	return c, nil
}

func pins(questions []Question) ([]pin, error) {
	all := make([]pin, len(questions))
	for i := range questions {
		q := &questions[i]
		digest, err := q.Digest()
		if err != nil {
			return nil, err
		}
		all[i] = pin{keyDigest(q.Key), digest}
		for k := range i {
			if all[k].key == all[i].key {
				return nil, &Error{Code: refusal.Result, Detail: "two questions with one key"}
			}
		}
	}
	return all, nil
}

// blame says whether an error is of minting or of a client's state: the client's
// answer depends on nothing else. A Codec of one's own may return any error, for
// which code stands.
func blame(err error, minting bool, code refusal.Code) error {
	marked := Error{Code: code, Err: err}
	if e, ok := err.(*Error); ok {
		marked = *e
	}
	marked.Minting = minting
	return &marked
}
