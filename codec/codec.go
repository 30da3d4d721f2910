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
// The package is sans-IO: randomness and time come in by [Env], it starts no
// goroutine and keeps no lock. A Codec and a Guard never change once made and
// may be used from many goroutines, if the Env and the [ReplayStore] may.
package codec

import (
	"io"
	"time"
)

// A Codec turns bytes into a token and back. It must encrypt, not only sign:
// what a [Guard] seals holds a salted hash whose secrecy depends on it.
// codectest.Run checks an implementation.
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
