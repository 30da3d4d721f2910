package codec

import (
	"crypto/cipher"
	"crypto/subtle"

	"golang.org/x/crypto/chacha20poly1305"
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

// CodecOptions bound a Codec.
type CodecOptions struct {
	// MaxToken is the longest token minted or opened, in characters; 0 is
	// [DefaultMaxToken], and [MaxToken] is the most.
	MaxToken int
}

const (
	headSize  = 1 + len(KeyID{})
	nonceSize = chacha20poly1305.NonceSizeX
	overhead  = headSize + nonceSize + chacha20poly1305.Overhead
)

// NewAEAD makes the Codec. It mints with the ring's active key, which must be of
// suite 0x11; keys of other suites open nothing here.
func NewAEAD(ring *KeyRing, o CodecOptions) (*AEAD, error) {
	maxToken, err := capOf(o.MaxToken)
	if err != nil {
		return nil, err
	}
	if ring == nil || ring.Active().suite != SuiteXChaCha {
		return nil, &Error{Code: ErrKey, Detail: "the active key must be of suite 11; for the age suites use agecodec"}
	}
	a := &AEAD{ring: ring, maxToken: maxToken}
	a.ciphers, err = ring.ciphers()
	return a, err
}

// Seal fails only with [ErrTooLarge].
func (a *AEAD) Seal(plaintext, context []byte) (string, error) {
	if len(plaintext) > a.maxToken { // before any work
		return "", &Error{Code: ErrTooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	return EncodeToken(seal(a.ring.keys[0], a.ciphers[0], plaintext, context), a.maxToken)
}

// Open fails with [ErrTooLarge], [ErrMalformed], [ErrUnknownKey] or [ErrForged],
// and then returns no part of the plaintext.
func (a *AEAD) Open(token string, context []byte) ([]byte, error) {
	raw, err := DecodeToken(token, a.maxToken)
	if err != nil {
		return nil, err
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
			return nil, &Error{Code: ErrKey, Err: err}
		}
		all[i] = c
	}
	return all, nil
}

func seal(k *Key, c cipher.AEAD, plaintext, context []byte) []byte {
	var mac [32]byte
	nonce := k.Synthetic(mac[:0], nil, context, plaintext)[:nonceSize]
	raw := make([]byte, headSize+nonceSize, overhead+len(plaintext))
	raw[0] = k.suite
	copy(raw[1:], k.id[:])
	copy(raw[headSize:], nonce)
	return c.Seal(raw, nonce, plaintext, k.associated(context))
}

func (r *KeyRing) open(ciphers []cipher.AEAD, raw, context []byte) ([]byte, error) {
	if len(raw) < overhead {
		return nil, &Error{Code: ErrMalformed}
	}
	k, c := (*Key)(nil), cipher.AEAD(nil)
	for i := range r.keys {
		if string(r.keys[i].id[:]) == string(raw[1:headSize]) {
			k, c = r.keys[i], ciphers[i]
		}
	}
	switch {
	case k == nil:
		return nil, &Error{Code: ErrUnknownKey}
	case raw[0] != k.suite || c == nil: // a key serves one suite, whatever the token claims
		return nil, &Error{Code: ErrForged}
	}
	nonce := raw[headSize : headSize+nonceSize]
	plaintext, err := c.Open(nil, nonce, raw[headSize+nonceSize:], k.associated(context))
	if err != nil {
		return nil, &Error{Code: ErrForged}
	}
	// Without this a token would not commit to its key and context.
	var mac [32]byte
	if subtle.ConstantTimeCompare(k.Synthetic(mac[:0], nil, context, plaintext)[:nonceSize], nonce) != 1 {
		clear(plaintext)
		return nil, &Error{Code: ErrForged}
	}
	if plaintext == nil {
		plaintext = []byte{}
	}
	return plaintext, nil
}

// associated is what a token authenticates beside its plaintext.
func (k *Key) associated(context []byte) []byte {
	ad := make([]byte, 0, len(label)+headSize+len(context))
	ad = append(ad, label...)
	ad = append(ad, k.suite)
	ad = append(ad, k.id[:]...)
	return append(ad, context...)
}
