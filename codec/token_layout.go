package codec

import (
	"crypto/cipher"
	"crypto/subtle"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec/refusal"
)

// The bytes of a token of suite 0x11, before they are written in base64url:
//
//	 0  1  suite
//	 1  4  key id
//	 5 24  nonce: HMAC-SHA256(Kn, suite|kid|u64le(len context)|context|plaintext)[:24]
//	29     XChaCha20-Poly1305(Ke, nonce, plaintext, ad = label|suite|kid|context), with its 16 bytes of tag
const (
	headSize  = 1 + len(KeyID{})
	nonceSize = chacha20poly1305.NonceSizeX
	overhead  = headSize + nonceSize + chacha20poly1305.Overhead
)

// seal lays out a token.
func seal(k *Key, c cipher.AEAD, plaintext, context []byte) []byte {
	var mac [32]byte
	nonce := k.Synthetic(mac[:0], nil, context, plaintext)[:nonceSize]
	raw := make([]byte, headSize+nonceSize, overhead+len(plaintext))
	raw[0] = k.suite
	copy(raw[1:], k.id[:])
	copy(raw[headSize:], nonce)
	return c.Seal(raw, nonce, plaintext, k.associated(context))
}

// open takes one apart.
func (r *KeyRing) open(ciphers []cipher.AEAD, raw, context []byte) ([]byte, error) {
	if len(raw) < overhead {
		return nil, &Error{Code: refusal.Malformed}
	}
	k, c := (*Key)(nil), cipher.AEAD(nil)
	for i := range r.keys {
		if string(r.keys[i].id[:]) == string(raw[1:headSize]) {
			k, c = r.keys[i], ciphers[i]
		}
	}
	switch {
	case k == nil:
		return nil, &Error{Code: refusal.UnknownKey}
	case raw[0] != k.suite || c == nil: // a key serves one suite, whatever the token claims
		return nil, &Error{Code: refusal.Forged}
	}
	nonce := raw[headSize : headSize+nonceSize]
	plaintext, err := c.Open(nil, nonce, raw[headSize+nonceSize:], k.associated(context))
	if err != nil {
		return nil, &Error{Code: refusal.Forged}
	}
	// Without this a token would not commit to its key and context.
	var mac [32]byte
	if subtle.ConstantTimeCompare(k.Synthetic(mac[:0], nil, context, plaintext)[:nonceSize], nonce) != 1 {
		clear(plaintext)
		return nil, &Error{Code: refusal.Forged}
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
