//go:build !tinygo

// The codec itself needs nothing of filippo.io/age, and in a WebAssembly module
// the start-up code of its packages would weigh more than all of the codec.

package agecodec

import (
	"encoding/base64"
	"io"
	"slices"

	"filippo.io/age"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/refusal"
)

// Recipient makes filippo.io/age write files for a key: [Token] turns one into a
// token. It implements [age.RecipientWithLabels] with a random label, so age
// refuses to encrypt to anyone else beside it: whoever opens a file learns its
// file key, and can put another plaintext behind the same header.
type Recipient struct {
	key     *codec.Key
	context []byte
	rand    io.Reader
}

// NewRecipient makes a Recipient of a key of an age suite. A file opens under
// this context only. rand is the platform's cryptographic source of random bytes
// (crypto/rand.Reader); unlike a [Codec]'s, it must never repeat itself.
func NewRecipient(key *codec.Key, context []byte, rand io.Reader) (*Recipient, error) {
	switch {
	case key == nil || key.Suite() == codec.SuiteXChaCha:
		return nil, &codec.Error{Code: refusal.Key, Detail: "a recipient needs a key of suite 21 or 22"}
	case rand == nil:
		return nil, &codec.Error{Code: refusal.Options, Detail: "a source of random bytes is required"}
	}
	return &Recipient{key, slices.Clone(context), rand}, nil
}

// Wrap seals a file key. age calls WrapWithLabels instead.
func (r *Recipient) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	if len(fileKey) != fileKeySize {
		return nil, &codec.Error{Code: refusal.Options, Minting: true, Detail: "an age file key has 16 bytes"}
	}
	s := sealed{id: r.key.ID()}
	if _, err := io.ReadFull(r.rand, s.salt[:]); err != nil {
		return nil, &codec.Error{Code: refusal.Rand, Minting: true, Err: err}
	}
	if err := s.wrap(r.key, r.context, fileKey); err != nil {
		return nil, &codec.Error{Code: refusal.Key, Minting: true, Err: err}
	}
	b64 := base64.RawStdEncoding
	return []*age.Stanza{{
		Type: StanzaType,
		Args: []string{b64.EncodeToString(s.id[:]), b64.EncodeToString(s.salt[:])},
		Body: s.wrapped[:],
	}}, nil
}

// WrapWithLabels seals a file key, for a file with no other recipient.
func (r *Recipient) WrapWithLabels(fileKey []byte) ([]*age.Stanza, []string, error) {
	label := make([]byte, 16)
	if _, err := io.ReadFull(r.rand, label); err != nil {
		return nil, nil, &codec.Error{Code: refusal.Rand, Minting: true, Err: err}
	}
	stanzas, err := r.Wrap(fileKey)
	return stanzas, []string{StanzaType + " " + base64.RawStdEncoding.EncodeToString(label)}, err
}

// Identity makes filippo.io/age open the files of [File] and of a [Recipient].
// It implements [age.Identity].
type Identity struct {
	ring    *codec.KeyRing
	context []byte
}

// NewIdentity makes an Identity of all keys of the age suites of a ring, for
// files of this context.
func NewIdentity(ring *codec.KeyRing, context []byte) (*Identity, error) {
	if ring == nil {
		return nil, &codec.Error{Code: refusal.Key, Detail: "a key ring is required"}
	}
	return &Identity{ring, slices.Clone(context)}, nil
}

// Unwrap opens the file key of a file with one stanza, which must be ours. It
// fails with [refusal.Forged], [refusal.Malformed] or, wrapping
// [age.ErrIncorrectIdentity], with [refusal.UnknownKey].
func (i *Identity) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) > 1 {
		return nil, &codec.Error{Code: refusal.Forged, Detail: oneStanza}
	}
	var s sealed
	switch {
	case len(stanzas) == 0:
		return nil, age.ErrIncorrectIdentity
	case stanzas[0].Type != StanzaType:
		return nil, &codec.Error{Code: refusal.Forged, Detail: noAuthenticity}
	case len(stanzas[0].Args) != 2 || !decode(s.id[:], stanzas[0].Args[0]) || !decode(s.salt[:], stanzas[0].Args[1]) ||
		len(stanzas[0].Body) != len(s.wrapped):
		return nil, &codec.Error{Code: refusal.Malformed}
	}
	copy(s.wrapped[:], stanzas[0].Body)
	k := i.ring.Find(s.id[:])
	if k == nil || k.Suite() == codec.SuiteXChaCha {
		return nil, &codec.Error{Code: refusal.UnknownKey, Err: age.ErrIncorrectIdentity}
	}
	return s.unwrap(k, i.context)
}

// decode reads the one spelling of a field.
func decode(field []byte, text string) bool {
	raw, err := base64.RawStdEncoding.DecodeString(text)
	copy(field, raw)
	return err == nil && base64.RawStdEncoding.EncodeToString(field) == text
}
