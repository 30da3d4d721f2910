package codec

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"github.com/parley-mcp/parley/codec/refusal"
)

// Suites a key can belong to. A key belongs to one suite and serves no other.
const (
	SuiteXChaCha    byte = 0x11 // XChaCha20-Poly1305 with a synthetic nonce: [AEAD]
	SuiteAgeCompact byte = 0x21 // package agecodec
	SuiteAgeFile    byte = 0x22 // package agecodec
)

// A secret is uniformly random, of at least MinSecret bytes.
const (
	MinSecret = 32
	maxSecret = 64
)

// label separates everything derived here from every other use of a secret.
const label = "parley-seal/1"

// A KeyID names a key in the tokens it minted. It is derived from the secret
// and says nothing of it.
type KeyID [4]byte

// Key is one secret of one suite. It holds what was derived from the secret,
// and never changes.
type Key struct {
	suite byte
	id    KeyID
	prk   []byte
	nonce hash.Cloner // HMAC-SHA256 keyed for synthetic nonces; cloned for each use
}

// NewKey derives a key from a secret of [MinSecret] to 64 random bytes.
// A secret is never text or the hash of text. It is not kept; wipe it.
func NewKey(suite byte, secret []byte) (*Key, error) {
	switch suite {
	case SuiteXChaCha, SuiteAgeCompact, SuiteAgeFile:
	default:
		return nil, &Error{Code: refusal.Key, Detail: "unknown suite"}
	}
	if len(secret) < MinSecret || len(secret) > maxSecret {
		return nil, &Error{Code: refusal.Key, Detail: "a secret has 32 to 64 bytes"}
	}
	prk, err := hkdf.Extract(sha256.New, secret, append([]byte(label), suite))
	if err != nil {
		return nil, &Error{Code: refusal.Key, Err: err}
	}
	k := &Key{suite: suite, prk: prk}
	copy(k.id[:], k.Expand("kid", len(k.id)))
	mac := hmac.New(sha256.New, k.Expand("nonce", sha256.Size))
	mac.Reset() // which keeps the keyed state, so that a clone need not hash the key again
	k.nonce = mac.(hash.Cloner)
	return k, nil
}

// Suite is the suite the key is of.
func (k *Key) Suite() byte { return k.suite }

// ID is what the key's tokens carry.
func (k *Key) ID() KeyID { return k.id }

// Expand derives n bytes for a purpose: HKDF-Expand-SHA256(prk, info, n). It is
// for codecs of further suites; "kid", "nonce" and "enc" are taken.
func (k *Key) Expand(info string, n int) []byte {
	out, _ := hkdf.Expand(sha256.New, k.prk, info, n) // fails only over 8,160 bytes
	return out
}

// Synthetic appends the HMAC-SHA256, under the key's nonce key, of
// suite|kid|extra|u64le(len context)|context|plaintext: what nonces and other
// values that must not repeat are cut from. extra is empty or random.
func (k *Key) Synthetic(dst, extra, context, plaintext []byte) []byte {
	h, _ := k.nonce.Clone() // fails only for a hash that cannot be cloned
	mac := h.(hash.Hash)
	var head [13]byte
	head[0] = k.suite
	copy(head[1:5], k.id[:])
	n := uint64(len(context))
	for i := range 8 {
		head[5+i] = byte(n >> (8 * i))
	}
	mac.Write(head[:5])
	mac.Write(extra)
	mac.Write(head[5:])
	mac.Write(context)
	mac.Write(plaintext)
	return mac.Sum(dst)
}
