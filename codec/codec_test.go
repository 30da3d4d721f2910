package codec_test

import (
	"testing"

	"github.com/parley-mcp/parley/codec"
)

// The known-answer test of the token form.
func TestKnownAnswer(t *testing.T) {
	secret := make([]byte, 32)
	for i := range secret {
		secret[i] = byte(i)
	}
	key, err := codec.NewKey(codec.SuiteXChaCha, secret)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := key.ID(), (codec.KeyID{0xcb, 0x72, 0x8b, 0xba}); got != want {
		t.Errorf("key id: got %x, want %x", got, want)
	}
	ring, err := codec.NewKeyRing(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "Ectyi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04"
	got, err := c.Seal([]byte("hello"), []byte(codec.ContextGuard))
	if err != nil || got != want {
		t.Errorf("Seal: got %q, %v, want %q", got, err, want)
	}
	plaintext, err := c.Open(want, []byte(codec.ContextGuard))
	if err != nil || string(plaintext) != "hello" {
		t.Errorf("Open: got %q, %v, want hello", plaintext, err)
	}
}

func BenchmarkAEAD(b *testing.B) {
	key, _ := codec.NewKey(codec.SuiteXChaCha, make([]byte, 32))
	ring, _ := codec.NewKeyRing(key)
	c, _ := codec.NewAEAD(ring, codec.CodecOptions{})
	plaintext, context := make([]byte, 200), []byte(codec.ContextGuard)
	token, _ := c.Seal(plaintext, context)
	b.Run("seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Seal(plaintext, context)
		}
	})
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.Open(token, context)
		}
	})
}
