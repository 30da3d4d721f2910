package agecodec_test

import (
	"bytes"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/agecodec"
)

// Whatever comes: no panic, one spelling, and nothing that age would refuse.
func FuzzOpen(f *testing.F) {
	keys := []*codec.Key{
		newKey(f, codec.SuiteAgeCompact, 0), newKey(f, codec.SuiteAgeFile, 0), newKey(f, codec.SuiteXChaCha, 0),
	}
	for i, k := range keys {
		raw := mustDecode(f, mustSeal(f, newCodec(f, append([]*codec.Key{k}, append(keys[:i:i], keys[i+1:]...)...)...), []byte("some state")))
		f.Add(raw)
		f.Add(raw[:len(raw)-1])
		raw[len(raw)-1] ^= 1
		f.Add(raw)
	}
	k := keys[1]
	for _, file := range [][]byte{
		madeBy{key: k}.file(f),
		madeBy{key: k, before: "-> x-grease 1\n\n"}.file(f),
		madeBy{key: k, after: stanza(f, k, []byte("YELLOW SUBMARINE"))}.file(f),
		madeBy{key: k, payload: stream(f, []byte("YELLOW SUBMARINE"), 0, nil)}.file(f),
	} {
		f.Add(mustDecode(f, envelope(k, file)))
	}
	c := newCodec(f, keys...)
	f.Fuzz(func(t *testing.T, raw []byte) {
		token := encode(raw)
		if file, err := agecodec.File(token); err == nil {
			if again, err := agecodec.Token(raw[0], file); err != nil || again != token {
				t.Errorf("read as a file and written again, it is another token: %v", err)
			}
			header, err := age.ExtractHeader(bytes.NewReader(file))
			if err != nil || !bytes.HasPrefix(file, header) {
				t.Errorf("age cannot read what we can: %v", err)
			}
		}
		plaintext, err := c.Open(token, context)
		if err != nil {
			if plaintext != nil {
				t.Errorf("refused, and yet opened as %q", plaintext)
			}
			return
		}
		if raw[0] == codec.SuiteXChaCha {
			return
		}
		file, err := agecodec.File(token)
		if err != nil {
			t.Fatalf("opened, but no file: %v", err)
		}
		if judged, err := stockOpen(t, file, context, keys...); err != nil || !bytes.Equal(judged, plaintext) {
			t.Errorf("opened as %q; age: %q, %v", plaintext, judged, err)
		}
	})
}

// Whatever is sealed, its two forms hold the same, and age opens them.
func FuzzCompactFile(f *testing.F) {
	f.Add([]byte("some state"), []byte(codec.ContextGuard), []byte("32 bytes that are not random...."), false)
	f.Add([]byte{}, []byte{}, make([]byte, 32), true)
	f.Add(bytes.Repeat([]byte{0}, 5000), []byte("-> parley-seal"), []byte("---"), true)
	keys := map[bool]*codec.Key{false: newKey(f, codec.SuiteAgeCompact, 0), true: newKey(f, codec.SuiteAgeFile, 0)}
	f.Fuzz(func(t *testing.T, plaintext, context, random []byte, file bool) {
		if len(plaintext) > agecodec.MaxPlaintext {
			return
		}
		k := keys[file]
		source := strings.NewReader(string(append(random, make([]byte, 32)...)))
		c, err := agecodec.New(newRing(t, k), source, codec.CodecOptions{MaxToken: codec.MaxToken})
		if err != nil {
			t.Fatal(err)
		}
		token, err := c.Seal(plaintext, context)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Open(token, context); err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("got %q, %v, want %q", got, err, plaintext)
		}
		text, err := agecodec.File(token)
		if err != nil {
			t.Fatal(err)
		}
		for _, suite := range suites {
			converted, err := agecodec.Token(suite, text)
			if err != nil || (converted == token) != (suite == k.Suite()) {
				t.Errorf("suite %x: %v, or not the token it came from", suite, err)
			}
			if again, err := agecodec.File(converted); err != nil || !bytes.Equal(again, text) {
				t.Errorf("suite %x: the file changed on the way to a token and back: %v", suite, err)
			}
		}
		if got, err := stockOpen(t, text, context, k); err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("age: got %q, %v, want %q", got, err, plaintext)
		}
		if got, err := c.Open(token, append(context, 0)); err == nil || got != nil {
			t.Errorf("opened under another context as %q", got)
		}
	})
}
