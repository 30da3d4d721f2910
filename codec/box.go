package codec

import (
	"crypto/cipher"

	"github.com/parley-mcp/parley/codec/refusal"
)

// MaxBox is the longest plaintext of a Box, in bytes: the longest snapshot of a
// parked call.
const MaxBox = 8 << 20

// Box seals bytes at rest, such as the snapshots of parked calls: the raw bytes
// of suite 0x11, without base64, claims or time. Nobody can read or change what
// is stored, but an older copy can be put back.
type Box struct {
	ring    *KeyRing
	ciphers []cipher.AEAD
}

// NewBox makes a Box. Its keys must not be those of tokens. The active key
// must be of suite 0x11.
func NewBox(ring *KeyRing) (*Box, error) {
	if ring == nil || ring.Active().suite != SuiteXChaCha {
		return nil, &Error{Code: refusal.Key, Detail: "the active key must be of suite 11"}
	}
	ciphers, err := ring.ciphers()
	if err != nil {
		return nil, err
	}
	return &Box{ring, ciphers}, nil
}

// SealBytes seals plaintext under a context, which must be given again to open
// it: "parley-snapshot/1" and the flow's id for a snapshot. The result is 45
// bytes longer.
func (b *Box) SealBytes(plaintext, context []byte) ([]byte, error) {
	if len(plaintext) > MaxBox {
		return nil, &Error{Code: refusal.TooLarge, Minting: true, Detail: "at most 8 MiB are sealed"}
	}
	return seal(b.ring.keys[0], b.ciphers[0], plaintext, context), nil
}

// OpenBytes opens what SealBytes made under the same context. It fails like
// [AEAD.Open].
func (b *Box) OpenBytes(box, context []byte) ([]byte, error) {
	if len(box) > MaxBox+overhead {
		return nil, &Error{Code: refusal.TooLarge}
	}
	return b.ring.open(b.ciphers, box, context)
}
