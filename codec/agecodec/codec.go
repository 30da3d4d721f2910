// Package agecodec is a [codec.Codec] whose tokens are files of the age format
// (C2SP, The age file encryption format), written out or in a compact form:
//
//	0x21  suite|kid|salt16|wrapped32|mac32|nonce16|chunk   117 bytes and the plaintext
//	0x22  suite|kid|age file                               196 bytes and the plaintext
//
// The file has one recipient stanza, "-> parley-seal <kid> <salt>", whose body is
// the file key sealed under a key of the server, and one final chunk. Both forms
// hold the same; [File] and [Token] turn one into the other. With a [Recipient]
// and an [Identity], filippo.io/age and what is built on it make and read such
// files. The stanza is this package's own, so that the age command, which knows
// it as little as any other program without an [Identity], cannot open them.
//
// Public keys are refused. They give no authenticity: whoever knows an age
// recipient can encrypt to it, so a state that opens with its identity could be
// anyone's. A file key sealed under a secret can only come from somebody who
// has the secret.
//
// The default suite gives shorter tokens faster. This one is for servers whose
// operators keep states as age files, or open them by Go programs that use
// filippo.io/age.
package agecodec

import (
	"encoding/base64"
	"io"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/internal/token"
	"github.com/parley-mcp/parley/codec/refusal"
)

// MaxPlaintext is the longest plaintext of a token, in bytes: one chunk.
const MaxPlaintext = 64 << 10

// Codec mints with its ring's active key, whatever its suite, and opens the
// tokens of all three suites. It never changes once made and may be used from
// many goroutines if its source of randomness may.
type Codec struct {
	ring     *codec.KeyRing
	aead     *codec.AEAD // for keys of suite 0x11; nil without one
	rand     io.Reader
	maxToken int
}

// New makes a Codec. rand is the platform's cryptographic source of random
// bytes (crypto/rand.Reader), of which every token of the age suites takes 32.
// If it repeats itself, equal inputs give equal tokens, and nothing worse
// happens. rand may be nil where the active key is of suite 0x11.
func New(ring *codec.KeyRing, rand io.Reader, o codec.CodecOptions) (*Codec, error) {
	c := &Codec{ring: ring, rand: rand, maxToken: o.MaxToken}
	if c.maxToken == 0 {
		c.maxToken = codec.DefaultMaxToken
	}
	switch {
	case ring == nil:
		return nil, &codec.Error{Code: refusal.Key, Detail: "a key ring is required"}
	case c.maxToken < 0 || c.maxToken > codec.MaxToken:
		return nil, &codec.Error{Code: refusal.Options, Detail: "MaxToken is at most 262144 characters"}
	case rand == nil && ring.Active().Suite() != codec.SuiteXChaCha:
		return nil, &codec.Error{Code: refusal.Options, Detail: "a source of random bytes is required to mint age tokens"}
	}
	// AEAD wants a ring whose active key is its own, and knows by the other keys
	// that a token of suite 0x11 under one of them is forged.
	var first, rest []*codec.Key
	for _, k := range ring.Keys() {
		if k.Suite() == codec.SuiteXChaCha {
			first = append(first, k)
		} else {
			rest = append(rest, k)
		}
	}
	if len(first) == 0 {
		return c, nil
	}
	ring, err := codec.NewKeyRing(first[0], append(first[1:], rest...)...)
	if err == nil {
		c.aead, err = codec.NewAEAD(ring, o)
	}
	return c, err
}

// Seal fails with [refusal.TooLarge] or, if there was no randomness, with
// [refusal.Rand].
func (c *Codec) Seal(plaintext, context []byte) (string, error) {
	k := c.ring.Active()
	if k.Suite() == codec.SuiteXChaCha {
		return c.aead.Seal(plaintext, context)
	}
	size := compactSize
	if k.Suite() == codec.SuiteAgeFile {
		size = idSize + fileSize
	}
	size += 1 + len(plaintext)
	if len(plaintext) > MaxPlaintext || base64.RawURLEncoding.EncodedLen(size) > c.maxToken { // before any work
		return "", &codec.Error{Code: refusal.TooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	random := make([]byte, 32)
	if _, err := io.ReadFull(c.rand, random); err != nil {
		return "", &codec.Error{Code: refusal.Rand, Minting: true, Err: err}
	}
	s, err := seal(k, random, context, plaintext)
	if err != nil {
		return "", &codec.Error{Code: refusal.Key, Minting: true, Err: err}
	}
	return encode(s.appendRaw(make([]byte, 0, size), k.Suite()), c.maxToken)
}

// Open fails with [refusal.TooLarge], [refusal.Malformed],
// [refusal.UnknownKey] or [refusal.Forged], and then returns no part of the
// plaintext.
func (c *Codec) Open(text string, context []byte) ([]byte, error) {
	if c.aead != nil && suiteOf(text) == codec.SuiteXChaCha {
		return c.aead.Open(text, context)
	}
	raw, why := token.Decode(text, c.maxToken)
	if why != 0 {
		return nil, &codec.Error{Code: why}
	}
	if len(raw) < 1+idSize {
		return nil, &codec.Error{Code: refusal.Malformed}
	}
	k := c.ring.Find(raw[1:][:idSize])
	switch {
	case k == nil:
		return nil, &codec.Error{Code: refusal.UnknownKey}
	case raw[0] != k.Suite(): // a key serves one suite, whatever the token claims
		return nil, &codec.Error{Code: refusal.Forged}
	}
	s := new(sealed)
	if err := s.readRaw(raw); err != nil {
		return nil, err
	}
	return s.open(k, context)
}

// suiteOf is the first byte of a token, 0 if there is none.
func suiteOf(token string) byte {
	var raw [1]byte
	if len(token) >= 2 {
		base64.RawURLEncoding.Decode(raw[:], []byte(token[:2]))
	}
	return raw[0]
}
