package agecodec

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// seal makes an age file. It cannot fail but where the algorithms are forbidden.
//
// Salt, file key and nonce are derived from everything that goes in:
//
//	seed = HMAC-SHA256(Kn, suite|kid|random|u64le(len context)|context|plaintext)
//	salt16|fileKey16|nonce16 = HKDF-Expand-SHA256(seed, "age", 48)
//
// so that with a broken source of randomness only equal inputs give equal files.
func seal(k *codec.Key, random, context, plaintext []byte) (*sealed, error) {
	seed := k.Synthetic(make([]byte, 0, sha256.Size), random, context, plaintext)
	derived, err := hkdf.Expand(sha256.New, seed, "age", saltSize+fileKeySize+nonceSize)
	if err != nil {
		return nil, err
	}
	s := &sealed{id: k.ID()}
	fileKey := derived[copy(s.salt[:], derived):][:fileKeySize]
	copy(s.nonce[:], derived[saltSize+fileKeySize:])
	if err := s.wrap(k, context, fileKey); err != nil {
		return nil, err
	}
	if s.mac, err = s.headerMAC(fileKey); err != nil {
		return nil, err
	}
	c, err := s.payload(fileKey)
	if err != nil {
		return nil, err
	}
	s.chunk = c.Seal(nil, nonce(finalChunk), plaintext, nil)
	return s, nil
}

// open checks a file and returns its plaintext.
//
// A file commits to its key and context: the wrapped file key is the stanza's, and
// the MAC under the file key covers the stanza. Another key or context would have
// to unwrap it to another file key with the same MAC, a collision of HMAC-SHA256,
// or to the same one, a collision of 256 bits of key stream and tag.
func (s *sealed) open(k *codec.Key, context []byte) ([]byte, error) {
	fileKey, err := s.unwrap(k, context)
	if err != nil {
		return nil, err
	}
	mac, err := s.headerMAC(fileKey)
	if err != nil || subtle.ConstantTimeCompare(mac[:], s.mac[:]) != 1 {
		return nil, &codec.Error{Code: refusal.Forged, Err: err}
	}
	c, err := s.payload(fileKey)
	if err != nil {
		return nil, &codec.Error{Code: refusal.Forged, Err: err}
	}
	plaintext, err := c.Open(make([]byte, 0, len(s.chunk)), nonce(finalChunk), s.chunk, nil)
	if err != nil {
		return nil, &codec.Error{Code: refusal.Forged}
	}
	return plaintext, nil
}

// wrap seals a file key as the stanza's body.
func (s *sealed) wrap(k *codec.Key, context, fileKey []byte) error {
	c, err := s.wrapping(k, context)
	if err == nil {
		c.Seal(s.wrapped[:0], nonce(0), fileKey, nil)
	}
	return err
}

// unwrap opens the stanza's body.
func (s *sealed) unwrap(k *codec.Key, context []byte) (fileKey []byte, err error) {
	c, err := s.wrapping(k, context)
	if err != nil {
		return nil, &codec.Error{Code: refusal.Key, Err: err}
	}
	fileKey, err = c.Open(make([]byte, 0, fileKeySize), nonce(0), s.wrapped[:], nil)
	if err != nil {
		return nil, &codec.Error{Code: refusal.Forged}
	}
	return fileKey, nil
}

// wrapping is the cipher of the file key. Its key takes in the salt, and the
// context the token belongs to.
func (s *sealed) wrapping(k *codec.Key, context []byte) (cipher.AEAD, error) {
	sum := sha256.Sum256(context)
	info := append(append(append(make([]byte, 0, 64), "wrap"...), s.salt[:]...), sum[:]...)
	return chacha20poly1305.New(k.Expand(string(info), chacha20poly1305.KeySize))
}

// headerMAC is the MAC at the end of the header.
//
// Source: C2SP, The age file encryption format, "Header MAC".
func (s *sealed) headerMAC(fileKey []byte) (mac [macSize]byte, err error) {
	key, err := hkdf.Key(sha256.New, fileKey, nil, "header", sha256.Size)
	if err != nil {
		return mac, err
	}
	h := hmac.New(sha256.New, key)
	h.Write(s.appendToMAC(make([]byte, 0, headerSize)))
	h.Sum(mac[:0])
	return mac, nil
}

// payload is the cipher of the chunk.
//
// Source: C2SP, The age file encryption format, "Payload".
func (s *sealed) payload(fileKey []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, fileKey, s.nonce[:], "payload", chacha20poly1305.KeySize)
	if err != nil {
		return nil, err
	}
	return chacha20poly1305.New(key)
}

// finalChunk is the last byte of the nonce of a file's last chunk.
const finalChunk = 1

// nonce is one of ChaCha20-Poly1305. A chunk's is its number, here 0, in eleven
// bytes, and a byte that says whether it is the last; a wrapping key seals one
// file key, under zeros.
//
// Source: C2SP, The age file encryption format, "Payload".
func nonce(last byte) []byte { return []byte{chacha20poly1305.NonceSize - 1: last} }
