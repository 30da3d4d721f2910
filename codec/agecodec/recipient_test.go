package agecodec_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"filippo.io/age"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/codec/refusal"
)

var (
	_ age.Recipient           = (*agecodec.Recipient)(nil)
	_ age.RecipientWithLabels = (*agecodec.Recipient)(nil)
	_ age.Identity            = (*agecodec.Identity)(nil)
)

func newRecipient(t testing.TB, k *codec.Key) *agecodec.Recipient {
	t.Helper()
	r, err := agecodec.NewRecipient(k, context, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stockSeal makes a file with age.Encrypt.
func stockSeal(t testing.TB, plaintext []byte, recipients ...age.Recipient) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := age.Encrypt(&file, recipients...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plaintext); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What age makes with our Recipient, we open.
func TestOpenOfAge(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		for _, n := range sizes {
			plaintext := bytes.Repeat([]byte{0x5A}, n)
			file := stockSeal(t, plaintext, newRecipient(t, k))
			token, err := agecodec.Token(k.Suite(), file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.Open(token, context); err != nil || !bytes.Equal(got, plaintext) {
				t.Errorf("%d bytes: opened %d, %v", n, len(got), err)
			}
			refuse(t, c, "other context", token, []byte(codec.ContextSDK), refusal.Forged)
		}
		file := stockSeal(t, make([]byte, agecodec.MaxPlaintext+1), newRecipient(t, k))
		if _, err := agecodec.Token(k.Suite(), file); !errors.Is(err, refusal.TooLarge) {
			t.Errorf("two chunks: got %v, want %v", err, refusal.TooLarge)
		}
	})
}

// age refuses to encrypt to anyone beside our Recipient, in either order.
func TestRecipientIsAlone(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	ours := newRecipient(t, k)
	x25519, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]age.Recipient{
		"X25519":      x25519.Recipient(),
		"hybrid":      hybrid.Recipient(),
		"another key": newRecipient(t, newKey(t, codec.SuiteAgeFile, 1)),
		"itself":      ours,
	} {
		for _, recipients := range [][]age.Recipient{{ours, other}, {other, ours}} {
			if _, err := age.Encrypt(io.Discard, recipients...); err == nil || !strings.Contains(err.Error(), "can't") {
				t.Errorf("%s: got %v, want a refusal to mix", name, err)
			}
		}
	}
}

// Public keys and passphrases prove nothing, and the refusal says why.
func TestPublicKeysAreRefused(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	x25519, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	passphrase, err := age.NewScryptRecipient("correct horse")
	if err != nil {
		t.Fatal(err)
	}
	passphrase.SetWorkFactor(4)
	const why = "proves nothing about who made a file"
	for name, recipient := range map[string]age.Recipient{
		"X25519": x25519.Recipient(), "hybrid": hybrid.Recipient(), "scrypt": passphrase,
	} {
		file := stockSeal(t, []byte(`{"principal":"admin"}`), recipient)
		for how, err := range map[string]error{
			"Open":        second(newCodec(t, k).Open(envelope(k, file), context)),
			"Token":       second(agecodec.Token(codec.SuiteAgeFile, file)),
			"age.Decrypt": second(stockOpen(t, file, context, k)),
		} {
			if !errors.Is(err, refusal.Forged) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %s: got %v, want %v, and why", name, how, err, refusal.Forged)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// With our Identity, age refuses what a Codec refuses.
func TestIdentity(t *testing.T) {
	k, other := newKey(t, codec.SuiteAgeFile, 0), newKey(t, codec.SuiteAgeCompact, 1)
	fileKey := []byte("YELLOW SUBMARINE")
	plain := madeBy{key: k, fileKey: fileKey}.file(t)
	if got, err := stockOpen(t, plain, context, other, k); err != nil || string(got) != "some state" {
		t.Errorf("got %q, %v", got, err)
	}
	id := k.ID()
	for _, test := range []struct {
		name string
		file []byte
		want error
	}{
		{"two stanzas", madeBy{key: k, after: stanza(t, k, fileKey)}.file(t), refusal.Forged},
		{"grease", madeBy{key: k, before: "-> x-grease\n\n"}.file(t), refusal.Forged},
		{"extra argument", bytes.Replace(plain, []byte(b64(id[:])), []byte(b64(id[:])+" x"), 1), refusal.Malformed},
		{"id of three bytes", bytes.Replace(plain, []byte(b64(id[:])), []byte(b64(id[:3])), 1), refusal.Malformed},
		{"id of five bytes", bytes.Replace(plain, []byte(b64(id[:])), []byte(b64(append(id[:], 0))), 1), refusal.Malformed},
		{"other key", madeBy{key: newKey(t, codec.SuiteAgeFile, 2)}.file(t), refusal.UnknownKey},
	} {
		if _, err := stockOpen(t, test.file, context, k, other); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
	}

	// To age a file for another key is no error of its own: the next identity is tried.
	_, err := stockOpen(t, plain, context, other)
	var noMatch *age.NoIdentityMatchError
	if !errors.As(err, &noMatch) || !errors.Is(err, age.ErrIncorrectIdentity) {
		t.Errorf("other key: got %v, want %T", err, noMatch)
	}
	if _, err := stockOpen(t, plain, []byte(codec.ContextSDK), k); !errors.Is(err, refusal.Forged) {
		t.Errorf("other context: got %v, want %v", err, refusal.Forged)
	}
	identity, err := agecodec.NewIdentity(newRing(t, k), context)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := identity.Unwrap(nil); !errors.Is(err, age.ErrIncorrectIdentity) {
		t.Errorf("no stanza: got %v, want %v", err, age.ErrIncorrectIdentity)
	}
	long := &age.Stanza{Type: agecodec.StanzaType, Args: []string{b64(id[:]), b64(make([]byte, 16))}, Body: make([]byte, 33)}
	if _, err := identity.Unwrap([]*age.Stanza{long}); !errors.Is(err, refusal.Malformed) {
		t.Errorf("a long body: got %v, want %v", err, refusal.Malformed)
	}
	if _, err := agecodec.NewIdentity(nil, context); !errors.Is(err, refusal.Key) {
		t.Errorf("no ring: got %v, want %v", err, refusal.Key)
	}
}

func TestRecipientErrors(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	for name, err := range map[string]error{
		"no key":              second(agecodec.NewRecipient(nil, context, rand.Reader)),
		"a key of suite 0x11": second(agecodec.NewRecipient(newKey(t, codec.SuiteXChaCha, 0), context, rand.Reader)),
	} {
		if !errors.Is(err, refusal.Key) {
			t.Errorf("%s: got %v, want %v", name, err, refusal.Key)
		}
	}
	if _, err := agecodec.NewRecipient(k, context, nil); !errors.Is(err, refusal.Options) {
		t.Errorf("no randomness: got %v, want %v", err, refusal.Options)
	}
	broken, err := agecodec.NewRecipient(k, context, iotest.ErrReader(errors.New("down")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := age.Encrypt(io.Discard, broken); !errors.Is(err, refusal.Rand) {
		t.Errorf("failing randomness: got %v, want %v", err, refusal.Rand)
	}
	if _, err := newRecipient(t, k).Wrap(make([]byte, 32)); !errors.Is(err, refusal.Options) {
		t.Errorf("a file key of 32 bytes: got %v, want %v", err, refusal.Options)
	}
}
