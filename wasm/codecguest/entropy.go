package main

import "io"

// Sizes of the random bytes a call brings: what a codec may take for a token,
// and before that a guard's salt.
const (
	entropySize = 32
	saltSize    = 8
)

// source gives the random bytes of the call that is running. Nothing is random
// in here: when they are used up it fails.
var source entropy

type entropy struct{ rest []byte }

func (e *entropy) fill(random []byte) { e.rest = random }

func (e *entropy) Read(p []byte) (int, error) {
	n := copy(p, e.rest)
	clear(e.rest[:n])
	e.rest = e.rest[n:]
	if n < len(p) {
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}
