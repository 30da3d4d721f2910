package codec

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"github.com/parley-mcp/parley/codec/internal/token"
	"github.com/parley-mcp/parley/codec/refusal"
)

// keyLine begins every line of a key file that holds a key.
const keyLine = "parley-key/1 "

// MaxKeyFile is the longest key file read, in bytes.
const MaxKeyFile = 64 << 10

// ParseKeyRing reads a key file: UTF-8 lines that end in LF, "#" before a
// comment, and for each key
//
//	parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8
//
// the suite in two lower-case hexadecimal digits and the secret in base64url
// without padding. The first key mints. An error says which line is wrong, and
// nothing of what is on it. text is not kept; wipe it.
func ParseKeyRing(text []byte) (*KeyRing, error) {
	if len(text) > MaxKeyFile {
		return nil, &Error{Code: refusal.Key, Detail: "a key file has at most 65536 bytes"}
	}
	var keys []*Key
	for number := 1; len(text) > 0; number++ {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		k, err := parseKeyLine(line)
		if err != nil {
			err.Detail = "line " + strconv.Itoa(number) + " of the key file: " + err.Detail
			return nil, err
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, &Error{Code: refusal.Key, Detail: "the key file holds no key"}
	}
	return NewKeyRing(keys[0], keys[1:]...)
}

func parseKeyLine(line []byte) (*Key, *Error) {
	rest, ok := bytes.CutPrefix(line, []byte(keyLine))
	if !ok || len(rest) < 4 || rest[2] != ' ' {
		return nil, &Error{Code: refusal.Key, Detail: `expected "parley-key/1 <suite> <secret>"`}
	}
	high, low := hexDigit(rest[0]), hexDigit(rest[1])
	if high < 0 || low < 0 {
		return nil, &Error{Code: refusal.Key, Detail: "the suite is two lower-case hexadecimal digits"}
	}
	var secret [maxSecret]byte
	defer clear(secret[:])
	encoded := rest[3:]
	n := base64.RawURLEncoding.DecodedLen(len(encoded))
	if n > len(secret) || !token.InAlphabet(encoded) {
		return nil, &Error{Code: refusal.Key, Detail: "the secret is 32 to 64 bytes in base64url without padding"}
	}
	if _, err := base64.RawURLEncoding.Strict().Decode(secret[:n], encoded); err != nil {
		return nil, &Error{Code: refusal.Key, Detail: "the secret is 32 to 64 bytes in base64url without padding"}
	}
	k, err := NewKey(byte(high<<4|low), secret[:n])
	if err != nil {
		return nil, err.(*Error)
	}
	return k, nil
}

// AppendKey appends a key file's line for a secret.
func AppendKey(dst []byte, suite byte, secret []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, keyLine...)
	dst = append(dst, hex[suite>>4], hex[suite&15], ' ')
	dst = base64.RawURLEncoding.AppendEncode(dst, secret)
	return append(dst, '\n')
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
