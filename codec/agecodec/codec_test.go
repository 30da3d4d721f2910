package agecodec_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"filippo.io/age"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/codec/codectest"
	"github.com/parley-mcp/parley/codec/refusal"
)

var (
	suites  = []byte{codec.SuiteAgeCompact, codec.SuiteAgeFile}
	context = []byte(codec.ContextGuard)
)

// newKey is a key of a secret that is this byte and the ones that follow it.
func newKey(t testing.TB, suite, first byte) *codec.Key {
	t.Helper()
	secret := make([]byte, 32)
	for i := range secret {
		secret[i] = first + byte(i)
	}
	key, err := codec.NewKey(suite, secret)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newRing(t testing.TB, keys ...*codec.Key) *codec.KeyRing {
	t.Helper()
	ring, err := codec.NewKeyRing(keys[0], keys[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func newCodec(t testing.TB, keys ...*codec.Key) *agecodec.Codec {
	t.Helper()
	c, err := agecodec.New(newRing(t, keys...), rand.Reader, codec.CodecOptions{MaxToken: codec.MaxToken})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// each runs a test for each age suite, with a codec of a key of it.
func each(t *testing.T, f func(t *testing.T, k *codec.Key, c *agecodec.Codec)) {
	for _, suite := range suites {
		t.Run(strconv.FormatUint(uint64(suite), 16), func(t *testing.T) {
			k := newKey(t, suite, 0)
			f(t, k, newCodec(t, k))
		})
	}
}

func mustSeal(t testing.TB, c codec.Codec, plaintext []byte) string {
	t.Helper()
	token, err := c.Seal(plaintext, context)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func mustDecode(t testing.TB, token string) []byte {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// refuse checks that a token does not open, and why.
func refuse(t *testing.T, c codec.Codec, what, token string, context []byte, want refusal.Code) {
	t.Helper()
	plaintext, err := c.Open(token, context)
	if plaintext != nil || !errors.Is(err, want) {
		t.Errorf("%s: got %x, %v, want %v", what, plaintext, err, want)
	}
}

// stockOpen opens a file with age.Decrypt and our Identity.
func stockOpen(t testing.TB, file []byte, context []byte, keys ...*codec.Key) ([]byte, error) {
	t.Helper()
	identity, err := agecodec.NewIdentity(newRing(t, keys...), context)
	if err != nil {
		t.Fatal(err)
	}
	r, err := age.Decrypt(bytes.NewReader(file), identity)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// sizes around the blocks of everything involved, to a whole chunk.
var sizes = []int{0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 200, 1000, 12_171, 65_535, 65_536}

// What we mint, age opens too.
func TestSealOpensWithAge(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		for _, n := range sizes {
			plaintext := bytes.Repeat([]byte{0xA5}, n)
			token := mustSeal(t, c, plaintext)
			overhead := map[byte]int{codec.SuiteAgeCompact: 117, codec.SuiteAgeFile: 196}[k.Suite()]
			if got, want := len(mustDecode(t, token)), overhead+n; got != want {
				t.Errorf("%d bytes: sealed in %d, want %d", n, got, want)
			}
			got, err := c.Open(token, context)
			if err != nil || !bytes.Equal(got, plaintext) || got == nil {
				t.Errorf("%d bytes: opened %d, %v", n, len(got), err)
			}
			file, err := agecodec.File(token)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := stockOpen(t, file, context, k); err != nil || !bytes.Equal(got, plaintext) {
				t.Errorf("%d bytes: age opened %d, %v", n, len(got), err)
			}
		}
		if _, err := c.Seal(make([]byte, agecodec.MaxPlaintext+1), context); !errors.Is(err, refusal.TooLarge) {
			t.Errorf("65537 bytes: got %v, want %v", err, refusal.TooLarge)
		}
	})
}

func TestCodec(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, _ *agecodec.Codec) {
		c, err := agecodec.New(newRing(t, k), rand.Reader, codec.CodecOptions{})
		if err != nil {
			t.Fatal(err)
		}
		codectest.Run(t, c, newCodec(t, newKey(t, k.Suite(), 1)), codec.DefaultMaxToken)
	})
}

// A ring may hold keys of all suites, whichever mints.
func TestMixedRing(t *testing.T) {
	keys := []*codec.Key{
		newKey(t, codec.SuiteXChaCha, 0), newKey(t, codec.SuiteAgeCompact, 0), newKey(t, codec.SuiteAgeFile, 0),
		newKey(t, codec.SuiteXChaCha, 1), newKey(t, codec.SuiteAgeCompact, 1), newKey(t, codec.SuiteAgeFile, 1),
	}
	var tokens []string
	for i, k := range keys {
		c := newCodec(t, append([]*codec.Key{k}, append(keys[:i:i], keys[i+1:]...)...)...)
		token := mustSeal(t, c, []byte("some state"))
		if got := mustDecode(t, token)[0]; got != k.Suite() {
			t.Errorf("key %d of suite %x minted suite %x", i, k.Suite(), got)
		}
		tokens = append(tokens, token)
		for j, token := range tokens {
			if got, err := c.Open(token, context); err != nil || string(got) != "some state" {
				t.Errorf("key %d active: the token of key %d: got %q, %v", i, j, got, err)
			}
		}
	}
	plain, err := codec.NewAEAD(newRing(t, keys[0]), codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := plain.Open(tokens[0], context); err != nil || string(got) != "some state" {
		t.Errorf("codec.AEAD: got %q, %v", got, err)
	}
	c := newCodec(t, keys...)
	for _, token := range tokens {
		for suite := range 256 { // no key serves two suites
			raw := mustDecode(t, token)
			if raw[0] != byte(suite) {
				raw[0] = byte(suite)
				refuse(t, c, "suite "+strconv.Itoa(suite), encode(raw), context, refusal.Forged)
			}
		}
	}
	// The same secret in two suites is two keys.
	if keys[0].ID() == keys[1].ID() || keys[1].ID() == keys[2].ID() {
		t.Error("two suites derive one id of a secret")
	}
}

// Every vector of package codec holds for this codec too, and its own do.
func TestVectors(t *testing.T) {
	native := codectest.Native{NewCodec: func(ring *codec.KeyRing, o codec.CodecOptions, env codec.Env) (codec.Codec, error) {
		return agecodec.New(ring, env.Rand, o)
	}}
	codectest.Vectors(t, "../testdata/vectors", native, nil)
}

// A source of randomness that repeats itself gives equal tokens for equal
// inputs, and nothing in common for others.
func TestBrokenRandomness(t *testing.T) {
	k := newKey(t, codec.SuiteAgeCompact, 0)
	seal := func(plaintext, context string) []byte {
		c, err := agecodec.New(newRing(t, k), bytes.NewReader(make([]byte, 32)), codec.CodecOptions{})
		if err != nil {
			t.Fatal(err)
		}
		token, err := c.Seal([]byte(plaintext), []byte(context))
		if err != nil {
			t.Fatal(err)
		}
		return mustDecode(t, token)
	}
	a := seal("state a", "context")
	if !bytes.Equal(a, seal("state a", "context")) {
		t.Error("equal inputs gave other tokens")
	}
	for name, b := range map[string][]byte{
		"other plaintext": seal("state b", "context"),
		"other context":   seal("state a", "contexT"),
		"moved boundary":  seal("tstate a", "contex"),
	} {
		for i := 5; i+4 <= len(a); i++ {
			if bytes.Equal(a[i:i+4], b[i:i+4]) {
				t.Errorf("%s: bytes %d to %d are equal", name, i, i+4)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	compact := newRing(t, newKey(t, codec.SuiteAgeCompact, 0))
	plain := newRing(t, newKey(t, codec.SuiteXChaCha, 0))
	for _, test := range []struct {
		name string
		ring *codec.KeyRing
		rand io.Reader
		max  int
		want error
	}{
		{"no ring", nil, rand.Reader, 0, refusal.Key},
		{"no randomness", compact, nil, 0, refusal.Options},
		{"no randomness needed", plain, nil, 0, nil},
		{"cap over the most", compact, rand.Reader, codec.MaxToken + 1, refusal.Options},
		{"cap over the most, suite 11", plain, rand.Reader, codec.MaxToken + 1, refusal.Options},
		{"negative cap", compact, rand.Reader, -1, refusal.Options},
	} {
		if _, err := agecodec.New(test.ring, test.rand, codec.CodecOptions{MaxToken: test.max}); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}

	for name, source := range map[string]io.Reader{
		"failing": iotest.ErrReader(errors.New("down")),
		"short":   bytes.NewReader(make([]byte, 31)),
	} {
		c, err := agecodec.New(compact, source, codec.CodecOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Seal([]byte("state"), context)
		var e *codec.Error
		if !errors.As(err, &e) || e.Code != refusal.Rand || !e.Minting {
			t.Errorf("%s randomness: got %v, want %v", name, err, refusal.Rand)
		}
	}
}

func TestSizeCap(t *testing.T) {
	for suite, most := range map[byte]int{codec.SuiteAgeCompact: 12_288 - 117, codec.SuiteAgeFile: 12_288 - 196} {
		source := &counter{Reader: rand.Reader}
		c, err := agecodec.New(newRing(t, newKey(t, suite, 0)), source, codec.CodecOptions{})
		if err != nil {
			t.Fatal(err)
		}
		token := mustSeal(t, c, make([]byte, most))
		if len(token) != codec.DefaultMaxToken {
			t.Errorf("%x: %d bytes are %d characters, want %d", suite, most, len(token), codec.DefaultMaxToken)
		}
		if _, err := c.Open(token, context); err != nil {
			t.Errorf("%x: %v", suite, err)
		}
		source.n = 0
		if _, err := c.Seal(make([]byte, most+1), context); !errors.Is(err, refusal.TooLarge) || source.n != 0 {
			t.Errorf("%x: one byte more: got %v after %d random bytes, want %v at once", suite, err, source.n, refusal.TooLarge)
		}
		refuse(t, c, "one character more", token+"A", context, refusal.TooLarge)
	}
}

// counter counts the bytes read.
type counter struct {
	io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// Errors go to logs: they hold nothing of a token or state.
func TestErrorTexts(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		token := mustSeal(t, c, []byte("some state"))
		raw := mustDecode(t, token)
		raw[len(raw)-1] ^= 1
		for _, bad := range []string{"", "A", encode(raw), encode(raw[:40]), encode(append([]byte{k.Suite()}, "nokey and more"...))} {
			_, err := c.Open(bad, context)
			var e *codec.Error
			if !errors.As(err, &e) || e.Minting || strings.Contains(e.Error(), "state") || len(bad) > 1 && strings.Contains(e.Error(), bad[:6]) {
				t.Errorf("%q: got %v", bad, err)
			}
		}
	})
}
