// Command primitives is the cryptography beneath the codec as a WebAssembly
// module without imports: the same Go packages, compiled by the same toolchain.
// It exists to be tested with vectors that the codec itself, which fixes labels
// and nonces, cannot be given. Nothing else uses it.
//
// A request is its parts one after the other, with the sizes of all but the last
// as parameters. An answer is its size, or -1 where the Go package gave an error.
// A nonce of the wrong size traps, as it panics in Go.
package main

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/wasm/internal/boundary"
)

func main() {}

// parleySHA256 hashes a message.
//
//go:wasmexport parley_sha256
func parleySHA256(size uint32) int32 {
	sum := sha256.Sum256(boundary.Request(size))
	return succeed(sum[:])
}

// parleyHMACSHA256 authenticates: key, message. Like the codec it clones a keyed
// hash, so that this path is tested too.
//
//go:wasmexport parley_hmac_sha256
func parleyHMACSHA256(keySize, size uint32) int32 {
	request := boundary.Request(size)
	keyed := hmac.New(sha256.New, request[:keySize])
	keyed.Reset()
	h, err := keyed.(hash.Cloner).Clone()
	if err != nil {
		return refused
	}
	h.Write(request[keySize:])
	return succeed(h.(hash.Hash).Sum(nil))
}

// parleyHKDFExtract is HKDF-Extract-SHA256: salt, input keying material.
//
//go:wasmexport parley_hkdf_sha256_extract
func parleyHKDFExtract(saltSize, size uint32) int32 {
	request := boundary.Request(size)
	prk, err := hkdf.Extract(sha256.New, request[saltSize:], request[:saltSize])
	if err != nil {
		return refused
	}
	return succeed(prk)
}

// parleyHKDFExpand is HKDF-Expand-SHA256 to length bytes: prk, info.
//
//go:wasmexport parley_hkdf_sha256_expand
func parleyHKDFExpand(prkSize, length, size uint32) int32 {
	request := boundary.Request(size)
	okm, err := hkdf.Expand(sha256.New, request[:prkSize], string(request[prkSize:]), int(length))
	if err != nil {
		return refused
	}
	return succeed(okm)
}

// parleyXChaChaSeal seals: key, nonce, additional data, plaintext.
//
//go:wasmexport parley_xchacha20_poly1305_seal
func parleyXChaChaSeal(keySize, nonceSize, dataSize, size uint32) int32 {
	key, nonce, data, plaintext := parts(size, keySize, nonceSize, dataSize)
	return seal(chacha20poly1305.NewX, key, nonce, data, plaintext)
}

// parleyXChaChaOpen opens: key, nonce, additional data, ciphertext and tag.
//
//go:wasmexport parley_xchacha20_poly1305_open
func parleyXChaChaOpen(keySize, nonceSize, dataSize, size uint32) int32 {
	key, nonce, data, box := parts(size, keySize, nonceSize, dataSize)
	return open(chacha20poly1305.NewX, key, nonce, data, box)
}

// parleyChaChaSeal seals: key, nonce, additional data, plaintext.
//
//go:wasmexport parley_chacha20_poly1305_seal
func parleyChaChaSeal(keySize, nonceSize, dataSize, size uint32) int32 {
	key, nonce, data, plaintext := parts(size, keySize, nonceSize, dataSize)
	return seal(chacha20poly1305.New, key, nonce, data, plaintext)
}

// parleyChaChaOpen opens: key, nonce, additional data, ciphertext and tag.
//
//go:wasmexport parley_chacha20_poly1305_open
func parleyChaChaOpen(keySize, nonceSize, dataSize, size uint32) int32 {
	key, nonce, data, box := parts(size, keySize, nonceSize, dataSize)
	return open(chacha20poly1305.New, key, nonce, data, box)
}

func seal(newAEAD func([]byte) (cipher.AEAD, error), key, nonce, data, plaintext []byte) int32 {
	aead, err := newAEAD(key)
	if err != nil {
		return refused
	}
	return succeed(aead.Seal(nil, nonce, plaintext, data))
}

func open(newAEAD func([]byte) (cipher.AEAD, error), key, nonce, data, box []byte) int32 {
	aead, err := newAEAD(key)
	if err != nil {
		return refused
	}
	plaintext, err := aead.Open(nil, nonce, box, data)
	if err != nil {
		return refused
	}
	return succeed(plaintext)
}

// refused is the answer in place of a size.
const refused = -1

func succeed(answer []byte) int32 { return int32(boundary.Answer(answer)) }

// parts takes a request apart: three of the given sizes and the rest.
func parts(size, a, b, c uint32) (_, _, _, rest []byte) {
	request := boundary.Request(size)
	return request[:a], request[a:][:b], request[a+b:][:c], request[a+b+c:]
}
