package seal_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
	"github.com/parley-mcp/parley/hosts/go/seal"
)

// Envelope is a codec whose data key a key service keeps wrapped: it is unwrapped
// once, and seals here with AES-GCM.
type Envelope struct{ aead cipher.AEAD }

// NewEnvelope has a service unwrap the data key.
func NewEnvelope(unwrap func(wrapped []byte) ([]byte, error), wrapped []byte) (*Envelope, error) {
	key, err := unwrap(wrapped)
	if err != nil {
		return nil, err
	}
	defer clear(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &Envelope{aead}, err
}

func (e *Envelope) Seal(plaintext, context []byte) (string, error) {
	nonce := make([]byte, e.aead.NonceSize(), e.aead.NonceSize()+len(plaintext)+e.aead.Overhead())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(e.aead.Seal(nonce, nonce, plaintext, context))
	if len(token) > codec.DefaultMaxToken {
		return "", refusal.TooLarge
	}
	return token, nil
}

func (e *Envelope) Open(token string, context []byte) ([]byte, error) {
	if len(token) > codec.DefaultMaxToken {
		return nil, refusal.TooLarge
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	size := e.aead.NonceSize()
	if err != nil || len(sealed) < size || strings.ContainsAny(token, "\r\n") { // which base64 skips
		return nil, errors.New("envelope: malformed")
	}
	return e.aead.Open([]byte{}, sealed[:size], sealed[size:], context)
}

// standIn takes the place of a key service: it unwraps what begins with its name.
func standIn(wrapped []byte) ([]byte, error) {
	key, ok := bytes.CutPrefix(wrapped, []byte("stand-in:"))
	if !ok {
		return nil, errors.New("stand-in: not wrapped by this service")
	}
	return bytes.Clone(key), nil
}

func wrapped(secret byte) []byte {
	return append([]byte("stand-in:"), bytes.Repeat([]byte{secret}, 32)...)
}

// A codec of your own has its keys elsewhere, here in a key service. Instances
// that give the Guard the same audience continue each other's calls.
func ExampleNewGuard_codec() {
	envelope, err := NewEnvelope(standIn, wrapped(1))
	if err != nil {
		log.Fatal(err)
	}
	guard, err := seal.NewGuard("", codec.GuardOptions{Codec: envelope, Audience: "hotel", TTL: 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	_, x, err := guard.Inbound("tools/call", []byte(`{"name":"book"}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"asked","inputRequests":{}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(result, []byte("asked")))
	// Output: false
}

func TestEnvelope(t *testing.T) {
	one, err := NewEnvelope(standIn, wrapped(1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewEnvelope(standIn, wrapped(2))
	if err != nil {
		t.Fatal(err)
	}
	codectest.Run(t, one, other, codec.DefaultMaxToken)
	if _, err := seal.NewGuard("server.key", codec.GuardOptions{Codec: one, Audience: "hotel", TTL: time.Hour}); !errors.Is(err, refusal.Options) {
		t.Errorf("a key file beside a Codec: got %v, want refusal.Options", err)
	}
	silent := codec.GuardOptions{Codec: empty{one}, Audience: "hotel", TTL: time.Hour}
	guard, err := seal.NewGuard("", silent)
	if err != nil {
		t.Fatal(err)
	}
	_, x, _ := guard.Inbound("tools/call", []byte(`{"name":"book"}`), nil)
	if result, err := guard.Outbound(x, []byte(`{"resultType":"input_required","requestState":"s","inputRequests":{}}`)); !errors.Is(err, refusal.Result) {
		t.Errorf("an empty token: got %s, %v, want refusal.Result", result, err)
	}
}

// empty seals nothing, and says that it did.
type empty struct{ codec.Codec }

func (empty) Seal(_, _ []byte) (string, error) { return "", nil }
