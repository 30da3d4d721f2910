package agecodec_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// Both forms hold the same, byte for byte.
func TestForms(t *testing.T) {
	compact, file := newKey(t, codec.SuiteAgeCompact, 0), newKey(t, codec.SuiteAgeFile, 0)
	both := newCodec(t, compact, file)
	for n := range 300 {
		plaintext := make([]byte, mathrand.IntN(2000))
		rand.Read(plaintext)
		k := []*codec.Key{compact, file}[n%2]
		token := mustSeal(t, newCodec(t, k), plaintext)

		asFile, err := agecodec.File(token)
		if err != nil {
			t.Fatal(err)
		}
		for _, suite := range suites {
			again, err := agecodec.Token(suite, asFile)
			if err != nil {
				t.Fatal(err)
			}
			if suite == k.Suite() {
				if again != token {
					t.Fatalf("%d bytes: the token changed on the way to a file and back", len(plaintext))
				}
				continue
			}
			// In the other suite's form it is another suite's token, and refused.
			refuse(t, both, "converted", again, context, refusal.Forged)
			back, err := agecodec.File(again)
			if err != nil || !bytes.Equal(back, asFile) {
				t.Fatalf("%d bytes: the file changed on the way to a token and back: %v", len(plaintext), err)
			}
		}
	}
	if _, err := agecodec.Token(codec.SuiteXChaCha, nil); !errors.Is(err, refusal.Options) {
		t.Errorf("suite 11: got %v, want %v", err, refusal.Options)
	}
	aead, err := codec.NewAEAD(newRing(t, newKey(t, codec.SuiteXChaCha, 0)), codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agecodec.File(mustSeal(t, aead, make([]byte, 300))); !errors.Is(err, refusal.Malformed) {
		t.Errorf("a token of suite 11 as a file: got %v, want %v", err, refusal.Malformed)
	}
}

func TestEveryBit(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		raw := mustDecode(t, mustSeal(t, c, []byte("some state")))
		for i := range raw {
			for bit := range 8 {
				changed := bytes.Clone(raw)
				changed[i] ^= 1 << bit
				if got, err := c.Open(encode(changed), context); err == nil || got != nil {
					t.Errorf("bit %d of byte %d flipped: opened as %q", bit, i, got)
				}
			}
			if got, err := c.Open(encode(raw[:i]), context); err == nil || got != nil {
				t.Errorf("cut to %d bytes: opened as %q", i, got)
			}
			inserted := append(append(bytes.Clone(raw[:i]), raw[i]), raw[i:]...)
			if got, err := c.Open(encode(inserted), context); err == nil || got != nil {
				t.Errorf("byte %d doubled: opened as %q", i, got)
			}
		}
	})
}

func TestOtherContextAndKey(t *testing.T) {
	each(t, func(t *testing.T, k *codec.Key, c *agecodec.Codec) {
		token := mustSeal(t, c, []byte("some state"))
		refuse(t, c, "other context", token, []byte("parley-guard/2"), refusal.Forged)
		refuse(t, c, "no context", token, nil, refusal.Forged)
		other := newKey(t, k.Suite(), 1)
		refuse(t, newCodec(t, other), "other key", token, context, refusal.UnknownKey)

		// The other key's id put in: the file says so too, and does not open.
		file, err := agecodec.File(token)
		if err != nil {
			t.Fatal(err)
		}
		id, otherID := k.ID(), other.ID()
		renamed := bytes.Replace(file, []byte(b64(id[:])), []byte(b64(otherID[:])), 1)
		token, err = agecodec.Token(k.Suite(), renamed)
		if err != nil {
			t.Fatal(err)
		}
		refuse(t, newCodec(t, other), "other id", token, context, refusal.Forged)
		if k.Suite() == codec.SuiteAgeFile {
			both := newCodec(t, k, other)
			refuse(t, both, "other id inside", envelope(k, renamed), context, refusal.Forged)
			refuse(t, both, "other id outside", envelope(other, file), context, refusal.Forged)
		}
	})
}

// madeBy is an age file put together by hand. What it is made of decides what is
// wrong with it; its MAC is right.
type madeBy struct {
	key     *codec.Key
	before  string // stanzas before ours
	after   string // and after it
	fileKey []byte
	payload []byte // with its nonce; nil: "some state" in one final chunk
}

func (m madeBy) file(t testing.TB) []byte {
	t.Helper()
	if m.fileKey == nil {
		m.fileKey = []byte("YELLOW SUBMARINE")
	}
	if m.payload == nil {
		m.payload = stream(t, m.fileKey, 1, []byte("some state"))
	}
	header := "age-encryption.org/v1\n" + m.before + stanza(t, m.key, m.fileKey) + m.after + "---"
	return append([]byte(header+" "+headerMAC(t, m.fileKey, header)+"\n"), m.payload...)
}

// stanza is what our Recipient adds to a header.
func stanza(t testing.TB, k *codec.Key, fileKey []byte) string {
	t.Helper()
	recipient, err := agecodec.NewRecipient(k, context, strings.NewReader(strings.Repeat("salt", 16)))
	if err != nil {
		t.Fatal(err)
	}
	stanzas, err := recipient.Wrap(fileKey)
	if err != nil {
		t.Fatal(err)
	}
	return "-> " + stanzas[0].Type + " " + strings.Join(stanzas[0].Args, " ") + "\n" + b64(stanzas[0].Body) + "\n"
}

func headerMAC(t testing.TB, fileKey []byte, header string) string {
	t.Helper()
	key, err := hkdf.Key(sha256.New, fileKey, nil, "header", 32)
	if err != nil {
		t.Fatal(err)
	}
	h := hmac.New(sha256.New, key)
	h.Write([]byte(header))
	return b64(h.Sum(nil))
}

// stream is a payload of these chunks, the last of which says so in last.
func stream(t testing.TB, fileKey []byte, last byte, chunks ...[]byte) []byte {
	t.Helper()
	payload := bytes.Repeat([]byte{7}, 16)
	key, err := hkdf.Key(sha256.New, fileKey, payload, "payload", 32)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		t.Fatal(err)
	}
	for i, chunk := range chunks {
		nonce := make([]byte, 12)
		nonce[10] = byte(i)
		if i == len(chunks)-1 {
			nonce[11] = last
		}
		payload = aead.Seal(payload, nonce, chunk, nil)
	}
	return payload
}

func b64(raw []byte) string { return base64.RawStdEncoding.EncodeToString(raw) }

// envelope is a token of suite 0x22 with any bytes in place of the file.
func envelope(k *codec.Key, file []byte) string {
	id := k.ID()
	return encode(append(append([]byte{codec.SuiteAgeFile}, id[:]...), file...))
}

// What is right in the eyes of age and not in ours, and what is not in either's.
func TestFilesByHand(t *testing.T) {
	k, other := newKey(t, codec.SuiteAgeFile, 0), newKey(t, codec.SuiteAgeFile, 1)
	c := newCodec(t, k, other)
	fileKey := []byte("YELLOW SUBMARINE")
	open := func(file []byte) error {
		got, err := c.Open(envelope(k, file), context)
		if err == nil && string(got) != "some state" {
			t.Errorf("opened as %d bytes", len(got))
		}
		return err
	}
	plain := madeBy{key: k}.file(t)
	if err := open(plain); err != nil {
		t.Fatalf("nothing wrong with it: %v", err)
	}
	x25519, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	var public bytes.Buffer
	w, err := age.Encrypt(&public, x25519.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("forged state"))
	w.Close()
	chunk := make([]byte, agecodec.MaxPlaintext)
	id := k.ID()

	for _, test := range []struct {
		name  string
		file  []byte
		want  refusal.Code
		inLog string
	}{
		{"public key", public.Bytes(), refusal.Forged, "proves nothing about who made"},
		{"two stanzas of one key", madeBy{key: k, after: stanza(t, k, fileKey)}.file(t), refusal.Forged, "more than one recipient"},
		{"two stanzas of two keys", madeBy{key: k, after: stanza(t, other, fileKey)}.file(t), refusal.Forged, "more than one recipient"},
		{"grease after", madeBy{key: k, after: "-> x-grease 1\n\n"}.file(t), refusal.Forged, "more than one recipient"},
		{"grease before", madeBy{key: k, before: "-> x-grease 1\n\n"}.file(t), refusal.Forged, "not for a parley-seal key"},
		{"longer type", bytes.Replace(plain, []byte("parley-seal"), []byte("parley-seal2"), 1), refusal.Forged, "not for a parley-seal key"},
		{"extra argument", bytes.Replace(plain, []byte(b64(id[:])), []byte(b64(id[:])+" x"), 1), refusal.Malformed, ""},
		{"two spaces", bytes.Replace(plain, []byte(b64(id[:])+" "), []byte(b64(id[:])+"  "), 1), refusal.Malformed, ""},
		{"a second chunk", madeBy{key: k, payload: stream(t, fileKey, 1, chunk, []byte("x"))}.file(t), refusal.TooLarge, "one chunk"},
		{"an empty second chunk", madeBy{key: k, payload: stream(t, fileKey, 1, chunk, nil)}.file(t), refusal.TooLarge, "one chunk"},
		{"a chunk too long", madeBy{key: k, payload: stream(t, fileKey, 1, append(chunk, 0))}.file(t), refusal.TooLarge, "one chunk"},
		{"two short chunks", madeBy{key: k, payload: stream(t, fileKey, 1, []byte("some "), []byte("state"))}.file(t), refusal.Forged, ""},
		{"a chunk that is not final", madeBy{key: k, payload: stream(t, fileKey, 0, []byte("some state"))}.file(t), refusal.Forged, ""},
		{"a full chunk that is not final", madeBy{key: k, payload: stream(t, fileKey, 0, chunk)}.file(t), refusal.Forged, ""},
		{"a chunk that is final twice", madeBy{key: k, payload: stream(t, fileKey, 2, []byte("some state"))}.file(t), refusal.Forged, ""},
		{"no chunk", madeBy{key: k, payload: make([]byte, 16)}.file(t), refusal.Malformed, ""},
		{"no nonce", madeBy{key: k, payload: []byte{}}.file(t), refusal.Malformed, ""},
		{"another version", bytes.Replace(plain, []byte("/v1"), []byte("/v2"), 1), refusal.Malformed, ""},
		{"armor", []byte("-----BEGIN AGE ENCRYPTED FILE-----\n"), refusal.Malformed, ""},
		{"CRLF", bytes.Replace(plain, []byte("\n"), []byte("\r\n"), 1), refusal.Malformed, ""},
		{"nothing", nil, refusal.Malformed, ""},
	} {
		err := open(test.file)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.inLog) {
			t.Errorf("%s: got %v, want %v: …%s…", test.name, err, test.want, test.inLog)
		}
		var e *codec.Error
		if errors.As(err, &e) {
			if code, message, _ := e.Response(); code != -32602 || message != "Invalid or expired requestState" {
				t.Errorf("%s: the client gets %d %s", test.name, code, message)
			}
		}
	}
}

// Base64 without padding has bits that stand for nothing, in four places of a
// header. age refuses them, and so do we.
func TestUnusedBits(t *testing.T) {
	k := newKey(t, codec.SuiteAgeFile, 0)
	c := newCodec(t, k)
	file := madeBy{key: k}.file(t)
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	lines := bytes.SplitAfter(file[:159], []byte("\n"))
	id := k.ID()
	at := 0
	ends := []int{bytes.Index(file, []byte(b64(id[:]))) + 5} // the last character of each field
	for _, line := range lines[1:4] {
		at += len(line)
		ends = append(ends, len(lines[0])+at-2)
	}
	for _, end := range ends {
		value := strings.IndexByte(alphabet, file[end])
		changed := bytes.Clone(file)
		changed[end] = alphabet[value|1]
		if value&1 != 0 {
			t.Fatalf("character %d uses its last bit", end)
		}
		if _, err := stockOpen(t, changed, context, k); err == nil {
			t.Errorf("character %d: age opens it", end)
		}
		refuse(t, c, "unused bit", envelope(k, changed), context, refusal.Malformed)
	}
}
