// Package codec seals what a server hands out as requestState.
//
// A requestState comes back as attacker-controlled input (MCP 2026-07-28,
// basic/patterns/mrtr, server requirements 4 and 5). Two layers make it safe:
//
//   - A [Codec] turns bytes into a token that cannot be read or changed, under
//     keys of a [KeyRing]. It knows nothing of MCP. [AEAD] is the default one;
//     package agecodec writes tokens of the age format.
//   - A [Guard] adds MCP's rules, the same for every Codec: which request the
//     state belongs to, whose it is, until when it may come back, which
//     questions were asked, how many rounds there were.
//
// The package does no I/O: randomness and time come in through [Env], it starts
// no goroutine and keeps no lock. A Codec and a Guard never change once made
// and may be used from many goroutines, if the Env and the [ReplayStore] may.
package codec

import (
	"io"
	"time"

	"github.com/parley-mcp/parley/codec/refusal"
)

// A Codec turns bytes into a token and back. It must encrypt, not only sign:
// what a [Guard] seals holds a salted hash whose secrecy depends on it.
// codectest.Run checks an implementation.
//
// A request waits for its Codec, and cancelling the request does not end that: one
// that asks a service bounds its own time. What an error says goes to the server's
// log, so it holds neither a token nor anything of a plaintext.
//
// context is authenticated and not stored: a token opens only under the context
// it was sealed with. Neither argument is kept or changed; results are the
// caller's.
type Codec interface {
	Seal(plaintext, context []byte) (token string, err error)
	Open(token string, context []byte) (plaintext []byte, err error)
}

// Contexts keep tokens of one purpose from being opened for another.
const (
	ContextGuard    = "parley-guard/1"    // what a Guard seals
	ContextSDK      = "parley-sdk/1"      // a Codec plugged into an SDK's own sealing
	ContextSnapshot = "parley-snapshot/1" // followed by the flow's id: a parked call at rest
)

// Env is what the core takes from the world.
type Env struct {
	// Rand is a source of random bytes, the platform's cryptographic one
	// (crypto/rand.Reader). Seals fail if it does.
	Rand io.Reader
	// Now is the time of day (time.Now).
	Now func() time.Time
}

// Bounds of a token, in characters. The default applies where an option is zero;
// a longer token than MaxToken gets to no Codec of a [Guard].
const (
	DefaultMaxToken = 16_384
	MaxToken        = 256 << 10
)

// CodecOptions bound a Codec.
type CodecOptions struct {
	// MaxToken is the longest token minted or opened, in characters; 0 is
	// [DefaultMaxToken], and [MaxToken] is the most.
	MaxToken int
}

// capOf is the cap an option stands for.
func capOf(maxToken int) (int, error) {
	switch {
	case maxToken == 0:
		return DefaultMaxToken, nil
	case maxToken < 0 || maxToken > MaxToken:
		return 0, &Error{Code: refusal.Options, Detail: "MaxToken is at most 262144 characters"}
	}
	return maxToken, nil
}
