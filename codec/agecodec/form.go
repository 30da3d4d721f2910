package agecodec

import (
	"encoding/base64"

	"github.com/parley-mcp/parley/codec"
	"github.com/parley-mcp/parley/codec/internal/token"
	"github.com/parley-mcp/parley/codec/refusal"
)

// StanzaType is the type of the one recipient stanza of a file. Its arguments
// are the key's id and a salt, in base64.
const StanzaType = "parley-seal"

// sealed is a file of one such stanza and one chunk, taken apart. Nothing else
// of the file can vary, so both forms hold the same.
type sealed struct {
	id      codec.KeyID
	salt    [saltSize]byte
	wrapped [fileKeySize + tagSize]byte // the file key, sealed
	mac     [macSize]byte               // of the header, under the file key
	nonce   [nonceSize]byte
	chunk   []byte // the plaintext, sealed under the file key and the nonce
}

const (
	idSize      = len(codec.KeyID{})
	saltSize    = 16
	fileKeySize = 16
	macSize     = 32
	nonceSize   = 16
	tagSize     = 16

	// What the forms add to a plaintext.
	compactSize = idSize + saltSize + fileKeySize + tagSize + macSize + nonceSize + tagSize
	fileSize    = headerSize + nonceSize + tagSize
)

// The header of a file, and where its fields are.
//
// Source: C2SP, The age file encryption format, "Header".
const (
	intro  = "age-encryption.org/v1\n"
	arrow  = "-> "
	stanza = arrow + StanzaType + " "
	footer = "---" // what the MAC covers ends here

	idAt       = len(intro) + len(stanza)
	saltAt     = idAt + 6 + len(" ")
	wrappedAt  = saltAt + 22 + len("\n")
	footerAt   = wrappedAt + 43 + len("\n")
	macAt      = footerAt + len(footer) + len(" ")
	headerSize = macAt + 43 + len("\n")
)

// Why a file is refused that another program may well open.
const (
	noAuthenticity = "the age file is not for a parley-seal key; a public key proves nothing about who made a file, because anyone who knows it can, and a passphrase can be guessed"
	oneStanza      = "the age file has more than one recipient; make it with agecodec.Recipient alone"
	oneChunk       = "an age token has one chunk, of at most 65536 bytes"
)

// File is the age file a token of suite 0x21 or 0x22 holds, for programs that
// read such files with an [Identity]. It is not checked under any key. It fails
// with [refusal.Malformed], [refusal.TooLarge] or [refusal.Forged].
func File(text string) ([]byte, error) {
	raw, why := token.Decode(text, codec.MaxToken)
	if why != 0 {
		return nil, &codec.Error{Code: why}
	}
	var s sealed
	if err := s.readRaw(raw); err != nil {
		return nil, err
	}
	return s.appendFile(make([]byte, 0, fileSize+len(s.chunk))), nil
}

// Token is the token of suite 0x21 or 0x22 that holds an age file made for a
// [Recipient]: a [Codec] opens it if that Recipient's key is of this suite. The
// file is not checked under any key. It fails like [File], and with
// [refusal.Options] for another suite.
func Token(suite byte, file []byte) (string, error) {
	if suite != codec.SuiteAgeCompact && suite != codec.SuiteAgeFile {
		return "", &codec.Error{Code: refusal.Options, Detail: "age tokens are of suite 21 or 22"}
	}
	var s sealed
	if err := s.readFile(file); err != nil {
		return "", err
	}
	return encode(s.appendRaw(nil, suite), codec.MaxToken)
}

// encode is the text of a token's bytes.
func encode(raw []byte, maxToken int) (string, error) {
	text, fits := token.Encode(raw, maxToken)
	if !fits {
		return "", &codec.Error{Code: refusal.TooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	return text, nil
}

// readRaw reads a token's bytes. The chunk is not copied.
func (s *sealed) readRaw(raw []byte) error {
	switch {
	case len(raw) > 1+idSize && raw[0] == codec.SuiteAgeFile:
		if err := s.readFile(raw[1+idSize:]); err != nil {
			return err
		}
		if string(s.id[:]) != string(raw[1:][:idSize]) {
			return &codec.Error{Code: refusal.Forged, Detail: "the age file is for another key than the token's"}
		}
		return nil
	case len(raw) >= 1+compactSize && raw[0] == codec.SuiteAgeCompact:
		rest := raw[1:]
		for _, field := range [...][]byte{s.id[:], s.salt[:], s.wrapped[:], s.mac[:], s.nonce[:]} {
			rest = rest[copy(field, rest):]
		}
		return s.setChunk(rest)
	}
	return &codec.Error{Code: refusal.Malformed}
}

// appendRaw appends what readRaw reads.
func (s *sealed) appendRaw(dst []byte, suite byte) []byte {
	dst = append(append(dst, suite), s.id[:]...)
	if suite == codec.SuiteAgeFile {
		return s.appendFile(dst)
	}
	dst = append(append(append(dst, s.salt[:]...), s.wrapped[:]...), s.mac[:]...)
	return append(append(dst, s.nonce[:]...), s.chunk...)
}

// readFile reads an age file. The chunk is not copied.
//
// Every field is decoded from the only place where it can be, and the header
// that these fields give must be the one that came. So a header has one spelling
// here, and no parser can be more forgiving than age's.
func (s *sealed) readFile(file []byte) error {
	switch {
	case len(file) < idAt || string(file[:len(intro)]) != intro:
		return &codec.Error{Code: refusal.Malformed}
	case string(file[len(intro):idAt]) != stanza:
		return &codec.Error{Code: refusal.Forged, Detail: noAuthenticity}
	case len(file) < fileSize:
		return &codec.Error{Code: refusal.Malformed}
	case string(file[footerAt:][:len(arrow)]) == arrow:
		return &codec.Error{Code: refusal.Forged, Detail: oneStanza}
	}
	// What does not decode cannot be written again either.
	b64 := base64.RawStdEncoding
	b64.Decode(s.id[:], file[idAt:][:6])
	b64.Decode(s.salt[:], file[saltAt:][:22])
	b64.Decode(s.wrapped[:], file[wrappedAt:][:43])
	b64.Decode(s.mac[:], file[macAt:][:43])
	var again [headerSize]byte
	if string(s.appendHeader(again[:0])) != string(file[:headerSize]) {
		return &codec.Error{Code: refusal.Malformed}
	}
	return s.setChunk(file[headerSize+copy(s.nonce[:], file[headerSize:]):])
}

func (s *sealed) appendFile(dst []byte) []byte {
	return append(append(s.appendHeader(dst), s.nonce[:]...), s.chunk...)
}

func (s *sealed) appendHeader(dst []byte) []byte {
	dst = append(s.appendToMAC(dst), ' ')
	return append(base64.RawStdEncoding.AppendEncode(dst, s.mac[:]), '\n')
}

// appendToMAC appends as much of the header as its MAC covers.
func (s *sealed) appendToMAC(dst []byte) []byte {
	b64 := base64.RawStdEncoding
	dst = append(append(dst, intro...), stanza...)
	dst = append(b64.AppendEncode(dst, s.id[:]), ' ')
	dst = append(b64.AppendEncode(dst, s.salt[:]), '\n')
	dst = append(b64.AppendEncode(dst, s.wrapped[:]), '\n')
	return append(dst, footer...)
}

// setChunk takes the payload, which must be one chunk. That it is the final one
// is part of the nonce it is opened with.
func (s *sealed) setChunk(chunk []byte) error {
	if len(chunk) > MaxPlaintext+tagSize {
		return &codec.Error{Code: refusal.TooLarge, Detail: oneChunk}
	}
	s.chunk = chunk
	return nil
}
