package codec

import (
	"crypto/cipher"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec/internal/token"
	"github.com/parley-mcp/parley/codec/refusal"
)

// AEAD is the default Codec, suite 0x11: XChaCha20-Poly1305 with a nonce derived
// from key, context and plaintext.
//
//	nonce = HMAC-SHA256(Kn, suite|kid|u64le(len context)|context|plaintext)[:24]
//	raw   = suite|kid|nonce|XChaCha20-Poly1305(Ke, nonce, plaintext, ad = L|suite|kid|context)
//	token = base64url(raw)
//
// It needs no randomness: equal inputs give equal tokens and different inputs
// different nonces. A token is 60 characters and four for every three bytes of
// plaintext.
type AEAD struct {
	ring     *KeyRing
	ciphers  []cipher.AEAD // beside ring's keys; nil where a key is of another suite
	maxToken int
}

// NewAEAD makes the Codec. It mints with the ring's active key, which must be of
// suite 0x11; keys of other suites open nothing here.
func NewAEAD(ring *KeyRing, o CodecOptions) (*AEAD, error) {
	maxToken, err := capOf(o.MaxToken)
	if err != nil {
		return nil, err
	}
	if ring == nil || ring.Active().suite != SuiteXChaCha {
		return nil, &Error{Code: refusal.Key, Detail: "the active key must be of suite 11; for the age suites use agecodec"}
	}
	a := &AEAD{ring: ring, maxToken: maxToken}
	a.ciphers, err = ring.ciphers()
	return a, err
}

// Seal fails only with [refusal.TooLarge].
func (a *AEAD) Seal(plaintext, context []byte) (string, error) {
	if len(plaintext) > a.maxToken { // before any work
		return "", &Error{Code: refusal.TooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	text, fits := token.Encode(seal(a.ring.keys[0], a.ciphers[0], plaintext, context), a.maxToken)
	if !fits {
		return "", &Error{Code: refusal.TooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	return text, nil
}

// Open fails with [refusal.TooLarge], [refusal.Malformed], [refusal.UnknownKey] or [refusal.Forged],
// and then returns no part of the plaintext.
func (a *AEAD) Open(text string, context []byte) ([]byte, error) {
	raw, why := token.Decode(text, a.maxToken)
	if why != 0 {
		return nil, &Error{Code: why}
	}
	return a.ring.open(a.ciphers, raw, context)
}

// ciphers makes the AEAD of each key of suite 0x11.
func (r *KeyRing) ciphers() ([]cipher.AEAD, error) {
	all := make([]cipher.AEAD, len(r.keys))
	for i, k := range r.keys {
		if k.suite != SuiteXChaCha {
			continue
		}
		c, err := chacha20poly1305.NewX(k.Expand("enc", chacha20poly1305.KeySize))
		if err != nil {
			return nil, &Error{Code: refusal.Key, Err: err}
		}
		all[i] = c
	}
	return all, nil
}
