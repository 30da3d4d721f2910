package main_test

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"golang.org/x/crypto/chacha20poly1305"
)

// native calls the Go packages themselves.
type native struct{}

func (native) SHA256(message []byte) []byte {
	sum := sha256.Sum256(message)
	return sum[:]
}

// HMAC clones a keyed hash, as the codec does.
func (native) HMAC(key, message []byte) []byte {
	keyed := hmac.New(sha256.New, key)
	keyed.Reset()
	h, err := keyed.(hash.Cloner).Clone()
	if err != nil {
		return nil
	}
	h.Write(message)
	return h.(hash.Hash).Sum(nil)
}

func (native) Extract(salt, ikm []byte) []byte {
	prk, err := hkdf.Extract(sha256.New, ikm, salt)
	if err != nil {
		return nil
	}
	return prk
}

func (native) Expand(prk, info []byte, n int) ([]byte, outcome) {
	okm, err := hkdf.Expand(sha256.New, prk, string(info), n)
	return okm, outcomeOf(err)
}

func (native) Seal(name string, key, nonce, data, plaintext []byte) ([]byte, outcome) {
	return withCipher(name, key, func(c cipher.AEAD) ([]byte, error) {
		return c.Seal(nil, nonce, plaintext, data), nil
	})
}

func (native) Open(name string, key, nonce, data, box []byte) ([]byte, outcome) {
	return withCipher(name, key, func(c cipher.AEAD) ([]byte, error) {
		return c.Open(nil, nonce, box, data)
	})
}

func withCipher(name string, key []byte, use func(cipher.AEAD) ([]byte, error)) (out []byte, o outcome) {
	defer func() {
		if recover() != nil {
			o = crashed
		}
	}()
	newAEAD := map[string]func([]byte) (cipher.AEAD, error){xchacha: chacha20poly1305.NewX, chacha: chacha20poly1305.New}[name]
	c, err := newAEAD(key)
	if err != nil {
		return nil, refused
	}
	out, err = use(c)
	return out, outcomeOf(err)
}

func outcomeOf(err error) outcome {
	if err != nil {
		return refused
	}
	return done
}
