package codec

import "encoding/base64"

// Bounds of a token, in characters. The default cap applies where an option is
// zero.
const (
	DefaultMaxToken = 16_384
	MaxToken        = 256 << 10
)

// EncodeToken is the text form of a codec's bytes: base64url without padding. It
// fails with [ErrTooLarge] over maxToken characters.
func EncodeToken(raw []byte, maxToken int) (string, error) {
	if base64.RawURLEncoding.EncodedLen(len(raw)) > maxToken {
		return "", &Error{Code: ErrTooLarge, Minting: true, Detail: "the state does not fit a token"}
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// DecodeToken reads the one spelling of a token. Everything is checked before
// anything is decoded: Go's decoder skips CR and LF even in its strict mode.
func DecodeToken(token string, maxToken int) ([]byte, error) {
	switch {
	case len(token) > maxToken:
		return nil, &Error{Code: ErrTooLarge}
	case len(token)%4 == 1 || !inAlphabet(token):
		return nil, &Error{Code: ErrMalformed}
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil { // unused bits that are not zero
		return nil, &Error{Code: ErrMalformed}
	}
	return raw, nil
}

// inAlphabet reports whether every byte is one of base64url.
func inAlphabet[T string | []byte](text T) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// capOf is the cap an option stands for.
func capOf(maxToken int) (int, error) {
	switch {
	case maxToken == 0:
		return DefaultMaxToken, nil
	case maxToken < 0 || maxToken > MaxToken:
		return 0, &Error{Code: ErrOptions, Detail: "MaxToken is at most 262144 characters"}
	}
	return maxToken, nil
}
