package main_test

import "testing"

// primitives are what the codec is built on.
type primitives interface {
	SHA256(message []byte) []byte
	HMAC(key, message []byte) []byte
	Extract(salt, ikm []byte) []byte
	Expand(prk, info []byte, n int) ([]byte, outcome)
	Seal(cipher string, key, nonce, data, plaintext []byte) ([]byte, outcome)
	Open(cipher string, key, nonce, data, box []byte) ([]byte, outcome)
}

type outcome string

const (
	done    outcome = "done"
	refused outcome = "refused with an error"
	crashed outcome = "panicked or trapped"
)

// The ciphers are named as the module's exports are.
const (
	xchacha = "xchacha20_poly1305"
	chacha  = "chacha20_poly1305"
)

// everywhere runs a test natively and on the built module.
func everywhere(t *testing.T, test func(t *testing.T, p primitives)) {
	t.Run("native", func(t *testing.T) { test(t, native{}) })
	t.Run("wazero", func(t *testing.T) { test(t, load(t)) })
}
