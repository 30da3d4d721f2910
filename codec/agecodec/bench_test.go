package agecodec_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"testing"

	"filippo.io/age"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

// stateSize is the bytes of plaintext the benchmarks seal.
const stateSize = 200

// The age suites, with age.Encrypt to our Recipient beside.
func BenchmarkSeal(b *testing.B) {
	plaintext := make([]byte, stateSize)
	for i, name := range []string{"age", "agefile"} {
		b.Run(name+"/native", func(b *testing.B) {
			c := newCodec(b, newKey(b, suites[i], 0))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Seal(plaintext, context); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stockage/native", func(b *testing.B) {
		recipient := newRecipient(b, newKey(b, codec.SuiteAgeFile, 0))
		b.ReportAllocs()
		for b.Loop() {
			stockSeal(b, plaintext, recipient)
		}
	})
}

// The same for opening, with age.Decrypt and our Identity.
func BenchmarkOpen(b *testing.B) {
	plaintext := make([]byte, stateSize)
	for i, name := range []string{"age", "agefile"} {
		b.Run(name+"/native", func(b *testing.B) {
			c := newCodec(b, newKey(b, suites[i], 0))
			token := mustSeal(b, c, plaintext)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Open(token, context); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stockage/native", func(b *testing.B) {
		k := newKey(b, codec.SuiteAgeFile, 0)
		identity, err := agecodec.NewIdentity(newRing(b, k), context)
		if err != nil {
			b.Fatal(err)
		}
		file := stockSeal(b, plaintext, newRecipient(b, k))
		b.ReportAllocs()
		for b.Loop() {
			r, err := age.Decrypt(bytes.NewReader(file), identity)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadAll(r); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A token costs no more allocations than this, whatever its size; each is small
// but for those of the state itself.
func TestAllocations(t *testing.T) {
	const maxSeal, maxOpen = 84, 63
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		for _, n := range []int{0, stateSize, 10_000} {
			plaintext := make([]byte, n)
			rand.Read(plaintext)
			token := mustSeal(t, c, plaintext)
			if got := testing.AllocsPerRun(100, func() { c.Seal(plaintext, context) }); got > maxSeal {
				t.Errorf("Seal of %d bytes: %v allocations, want at most %d", n, got, maxSeal)
			}
			if got := testing.AllocsPerRun(100, func() { c.Open(token, context) }); got > maxOpen {
				t.Errorf("Open of %d bytes: %v allocations, want at most %d", n, got, maxOpen)
			}
		}
	})
}
