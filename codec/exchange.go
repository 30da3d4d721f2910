package codec

import (
	"crypto/sha256"

	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/internal/codecwire"
)

// Exchange is one request and its result, between [Guard.Open] and [Guard.Seal].
// It never goes on the wire.
type Exchange struct {
	Binding Binding
	// Answers are the answers that may be used, in the order received. Others
	// must be removed from inputResponses: nobody asked for them.
	Answers []Answer

	digests *digests // once they were needed
	rounds  int      // rounds with questions so far
	start   int64    // the flow's, Unix s; 0 before its first state
}

// Answer is an entry of inputResponses.
type Answer struct {
	Key string
	// Pinned says that the state which came with the answer holds the question it
	// answers, and Question is that question's digest (see [Question.Digest]).
	Pinned   bool
	Question [16]byte
	// Proven says that the answer came with a state, so that the round it
	// answers was this flow's.
	Proven bool
}

// Verdict is what is known about an answer when the handler wants to use it.
type Verdict int

const (
	Missing  Verdict = iota // there is no such answer, or nobody asked for it
	Same                    // it answers this very question
	Changed                 // the question was a different one: ask again
	Unpinned                // it came with a state that pins no questions
	Unproven                // it came without a state, which any client can strip
)

// Verdict tells whether the answer under key answers this question. A handler
// that asks from the request alone may use [Same] only, or accept [Unproven]
// where a wrong answer harms nobody but the client.
func (x *Exchange) Verdict(key, method string, params []byte) Verdict {
	for i := range x.Answers {
		a := &x.Answers[i]
		switch {
		case a.Key != key:
			continue
		case !a.Proven:
			return Unproven
		case !a.Pinned:
			return Unpinned
		}
		if q, err := (Question{key, method, params}).Digest(); err == nil && q == a.Question {
			return Same
		}
		return Changed
	}
	return Missing
}

// Uses reports whether the answer under key may be used at all.
func (x *Exchange) Uses(key string) bool {
	for i := range x.Answers {
		if x.Answers[i].Key == key {
			return true
		}
	}
	return false
}

// answered keeps the answers to the questions of a state.
func (x *Exchange) answered(c *claims, keys []string) {
	x.Answers = make([]Answer, 0, len(keys))
	for _, key := range keys {
		a := Answer{Key: key, Proven: true}
		if c.pinned {
			at := indexPin(c.pins, key)
			if at < 0 {
				continue
			}
			a.Pinned, a.Question = true, c.pins[at].question
		}
		x.Answers = append(x.Answers, a)
	}
}

func indexPin(pins []pin, key string) int {
	digest := keyDigest(key)
	for i := range pins {
		if pins[i].key == digest {
			return i
		}
	}
	return -1
}

// replayID names a state for a [ReplayStore].
func replayID(plaintext []byte) (id [16]byte) {
	sum := sha256.Sum256(append([]byte("parley-guard/1 id"), plaintext...))
	copy(id[:], sum[:])
	return id
}

// AppendBinary appends the exchange for [Exchange.UnmarshalBinary], so that one
// instance of the codec can open a request and another can seal its result.
func (x *Exchange) AppendBinary(dst []byte) ([]byte, error) {
	dst = codecwire.AppendField(dst, x.Binding.Method)
	dst = codecwire.AppendField(dst, x.Binding.Target)
	if x.digests != nil || x.Binding.Arguments == nil {
		dst = codecwire.AppendAbsent(dst)
	} else {
		dst = codecwire.AppendField(dst, x.Binding.Arguments)
	}
	dst = codecwire.AppendOptional(dst, x.Binding.Principal)
	if x.digests == nil {
		dst = codecwire.AppendAbsent(dst)
	} else {
		dst = codecwire.AppendUint32(dst, 3*sha256.Size)
		dst = append(append(append(dst, x.digests.target[:]...), x.digests.arguments[:]...), x.digests.principal[:]...)
	}
	dst = codecwire.AppendUint32(dst, uint32(x.rounds))
	dst = codecwire.AppendUint32(dst, uint32(x.start))
	dst = codecwire.AppendUint32(dst, uint32(len(x.Answers)))
	for i := range x.Answers {
		a := &x.Answers[i]
		dst = codecwire.AppendField(dst, a.Key)
		switch {
		case a.Pinned:
			dst = codecwire.AppendField(dst, a.Question[:])
		case a.Proven:
			dst = codecwire.AppendField(dst, "")
		default:
			dst = codecwire.AppendAbsent(dst)
		}
	}
	return dst, nil
}

// UnmarshalBinary reads what [Exchange.AppendBinary] wrote. It trusts the text:
// an exchange never leaves the server.
func (x *Exchange) UnmarshalBinary(data []byte) error {
	r := codecwire.Reader{Data: data}
	*x = Exchange{Binding: Binding{Method: string(r.Field()), Target: string(r.Field()), Arguments: r.Field(), Principal: r.Optional()}}
	if sums := r.Field(); len(sums) == 3*sha256.Size {
		x.digests = new(digests)
		copy(x.digests.target[:], sums)
		copy(x.digests.arguments[:], sums[sha256.Size:])
		copy(x.digests.principal[:], sums[2*sha256.Size:])
	}
	x.rounds, x.start = int(r.Uint32()), int64(r.Uint32())
	for n := r.Uint32(); n > 0 && !r.Bad; n-- {
		a := Answer{Key: string(r.Field())}
		question := r.Field()
		a.Proven, a.Pinned = question != nil, len(question) == len(a.Question)
		copy(a.Question[:], question)
		x.Answers = append(x.Answers, a)
	}
	if !r.End() {
		return &Error{Code: refusal.Result, Minting: true, Detail: "no exchange of this version"}
	}
	return nil
}
