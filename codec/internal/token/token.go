// Package token is the text form of a codec's bytes.
package token

import (
	"encoding/base64"

	"github.com/parley-mcp/parley/codec/refusal"
)

// Encode writes bytes in base64url without padding, unless that is over max
// characters.
func Encode(raw []byte, max int) (text string, fits bool) {
	if base64.RawURLEncoding.EncodedLen(len(raw)) > max {
		return "", false
	}
	return base64.RawURLEncoding.EncodeToString(raw), true
}

// Decode reads the one spelling of a token, or says why not; 0 is no reason.
// Everything is checked before anything is decoded: Go's decoder skips CR and LF
// even in its strict mode.
func Decode(text string, max int) (raw []byte, why refusal.Code) {
	switch {
	case len(text) > max:
		return nil, refusal.TooLarge
	case len(text)%4 == 1 || !InAlphabet(text):
		return nil, refusal.Malformed
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil { // unused bits that are not zero
		return nil, refusal.Malformed
	}
	return raw, 0
}

// InAlphabet reports whether every byte is one of base64url.
func InAlphabet[T string | []byte](text T) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
