package noble_test

import (
	"bytes"
	"testing"

	"github.com/parley-mcp/parley/codec"
)

type openRequest struct {
	Secrets []hexBytes `json:"secrets"`
	Context hexBytes   `json:"context"`
	Token   string     `json:"token"`
}

type opened struct {
	Plaintext hexBytes
	Error     bool
}

type sealRequest struct {
	Secret    hexBytes `json:"secret"`
	Context   hexBytes `json:"context"`
	Plaintext hexBytes `json:"plaintext"`
}

type sealed struct {
	Token string
	Error bool
}

func newAEAD(t *testing.T, secrets ...hexBytes) *codec.AEAD {
	t.Helper()
	keys := make([]*codec.Key, len(secrets))
	for i, secret := range secrets {
		var err error
		if keys[i], err = codec.NewKey(codec.SuiteXChaCha, secret); err != nil {
			t.Fatal(err)
		}
	}
	ring, err := codec.NewKeyRing(keys[0], keys[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := codec.NewAEAD(ring, codec.CodecOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return aead
}

// Both sides seal the same inputs to the same token, and noble opens it.
func TestSealsAlike(t *testing.T) {
	r := source("tokens")
	var seals []sealRequest
	var opens []openRequest
	for n := range 300 {
		size := r.IntN(300)
		if n < 70 {
			size = n // around every block boundary of ChaCha20 and SHA-256
		}
		s := sealRequest{randomBytes(r, 32+r.IntN(33)), randomBytes(r, r.IntN(150)), randomBytes(r, size)}
		token, err := newAEAD(t, s.Secret).Seal(s.Plaintext, s.Context)
		if err != nil {
			t.Fatal(err)
		}
		seals = append(seals, s)
		opens = append(opens, openRequest{[]hexBytes{randomBytes(r, 32), s.Secret}, s.Context, token})
	}
	for i, got := range node[sealRequest, sealed](t, "seal.mjs", seals) {
		if got.Token != opens[i].Token {
			t.Errorf("case %d: noble seals %q, codec %q", i, got.Token, opens[i].Token)
		}
	}
	for i, got := range node[openRequest, opened](t, "open.mjs", opens) {
		if got.Error || !bytes.Equal(got.Plaintext, seals[i].Plaintext) {
			t.Errorf("case %d: noble opens %x (refused %v), want %x", i, got.Plaintext, got.Error, seals[i].Plaintext)
		}
	}
}

// What noble's generator says of its own tokens, good and spoilt, codec says too.
func TestOpensAlike(t *testing.T) {
	type generated struct {
		openRequest
		opened
		Name string
	}
	accepted, refused := 0, 0
	for _, one := range decode[generated](t, run(t, nil, "generate.mjs", "go", "20")) {
		got, err := newAEAD(t, one.Secrets...).Open(one.Token, one.Context)
		switch {
		case one.Error:
			refused++
			if err == nil || got != nil {
				t.Errorf("%s: got %x, want a refusal", one.Name, got)
			}
		case err != nil || !bytes.Equal(got, one.Plaintext):
			t.Errorf("%s: got %x, %v, want %x", one.Name, got, err, one.Plaintext)
		default:
			accepted++
		}
	}
	if accepted != 20 || refused < 4000 {
		t.Errorf("ran %d tokens to accept and %d to refuse, want 20 and over 4000", accepted, refused)
	}
}
